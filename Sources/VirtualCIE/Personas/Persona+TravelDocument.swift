extension Persona {
  /// The card access number, six digits, as printed on the front.
  public var can: String { documentText["access-number"] }
  /// The machine-readable zone of the back, three lines of 30 characters (Doc 9303-5 §4.2).
  public var mrzLines: [String] { Self.mrzLines(documentText) }
  /// Date of birth as in the machine-readable zone, `YYMMDD`; a day that no calendar has.
  public var birthDate: String { String(mrzLines[1].prefix(6)) }
  /// Date of expiry as in the machine-readable zone, `YYMMDD`.
  public var expiryDate: String { String(mrzLines[1].dropFirst(8).prefix(6)) }
  /// The test CSCA of the travel document, an X.509 certificate in DER; another one than `csca`,
  /// except on the card of `senior`.
  public var documentCSCA: [UInt8] { documentFile("csca") }

  /// The numbers of the data groups of the document, in order.
  public var dataGroupNumbers: [UInt8] { (1...16).filter { dataGroupLength($0) != nil } }

  /// The length in bytes of a data group; `nil` if there is none with this number.
  package func dataGroupLength(_ number: UInt8) -> Int? {
    let group = documentFile("dg\(number)")
    return group.isEmpty ? nil : group.count
  }

  /// The length in bytes of the travel document's EF.SOD.
  package var securityObjectLength: Int { documentFile("security-object").count }

  /// The files and keys of the travel-document application; empty for files that it lacks.
  var travelDocument: TravelDocumentData {
    let text = documentText
    let mrz = Self.mrzLines(text)
    var groups: [UInt8: [UInt8]] = [:]
    for number in dataGroupNumbers { groups[number] = documentFile("dg\(number)") }
    return TravelDocumentData(
      can: text["access-number"],
      // Doc 9303-11 §4.3.2: number, birth and expiry, each with its check digit.
      mrzInformation: String(
        mrz[0].dropFirst(5).prefix(10) + mrz[1].prefix(7) + mrz[1].dropFirst(8).prefix(7)),
      cardAccess: documentFile("card-access"), cardSecurity: documentFile("card-security"),
      common: documentFile("common"), securityObject: documentFile("security-object"),
      dataGroups: groups,
      chipAuthenticationKeys: text.values("chip-key").map {
        TravelDocumentData.ChipAuthenticationKey(PersonaText.words($0))
      },
      activeAuthenticationKey: text.values("active-key").first.map(activeKey),
      allowsBasicAccess: text["basic-access"] == "yes")
  }

  /// A signature key: an RSA key in its file with the trailer of its hash function, or a scalar.
  private func activeKey(_ value: String) -> TravelDocumentData.ActiveAuthenticationKey {
    let words = PersonaText.words(value)
    if let trailer = words["trailer"] {
      return .rsa(
        files.privateKey(Self.documentName("active-key")), trailer: HexText.decode(trailer))
    }
    let key = TravelDocumentData.ChipAuthenticationKey(words)
    return .ecdsa(
      parameterIdentifier: key.parameterIdentifier, scalar: key.scalar, hash: words["hash"] ?? "")
  }

  private static func mrzLines(_ text: PersonaText) -> [String] {
    (1...3).map { text["mrz-\($0)"] }
  }

  private var documentText: PersonaText { files.text("travel-document/document.txt") }

  private static func documentName(_ name: String) -> String { "travel-document/\(name).der" }

  /// A file of the travel document; empty if there is none.
  func documentFile(_ name: String) -> [UInt8] { files[Self.documentName(name)] }
}

extension TravelDocumentData.ChipAuthenticationKey {
  /// Parses the words of a `chip-key` line: `parameters`, `identifier` if there are several keys,
  /// `scalar`.
  fileprivate init(_ words: [String: String]) {
    self.init(
      identifier: words["identifier"].flatMap { UInt8($0) },
      parameterIdentifier: words["parameters"].flatMap { UInt8($0) } ?? .max,
      scalar: HexText.decode(words["scalar"] ?? ""))
  }
}
