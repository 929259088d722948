// Deliberately written apart from CIECard.

extension Persona {
  /// The card access number, six digits, as printed on the front.
  public var can: String { document.data.can }
  /// The machine-readable zone of the back, three lines of 30 characters (Doc 9303-5 §4.2).
  public var mrzLines: [String] { document.mrzLines }
  /// Date of birth as in the machine-readable zone, `YYMMDD`; a day that no calendar has.
  public var birthDate: String { String(mrzLines[1].prefix(6)) }
  /// Date of expiry as in the machine-readable zone, `YYMMDD`.
  public var expiryDate: String { String(mrzLines[1].dropFirst(8).prefix(6)) }
  /// The test CSCA behind the travel document, an X.509 certificate in DER; another than `csca` but on
  /// the card of `senior`.
  public var documentCSCA: [UInt8] { document.csca }

  /// The numbers of the data groups that the document has, in order.
  public var dataGroupNumbers: [UInt8] { document.data.dataGroups.keys.sorted() }

  /// The length in bytes of a data group; `nil` when there is none of this number.
  package func dataGroupLength(_ number: UInt8) -> Int? {
    document.data.dataGroups[number]?.count
  }

  /// The length in bytes of the travel document's EF.SOD.
  package var securityObjectLength: Int { document.data.securityObject.count }

  /// The files and keys of the travel-document application.
  var travelDocument: TravelDocumentData { document.data }

  /// What the persona's issuing authority made.
  private var document: IssuedDocument {
    switch family {
    case _ where identifier == "senior": .senior
    case _ where identifier == "early": .early
    case _ where identifier == "recalled": .recalled
    case .gemalto: .gemalto
    case .gemalto2: .gemalto2
    case .nxp: .nxp
    case .st: .st
    case .itj4: .itj4
    case .unknown: .unknown
    }
  }
}
