internal import Primitives

extension CardEvidence {
  /// The reason why bytes are no evidence that can be judged.
  public enum Malformation: Error, Sendable, Equatable {
    /// More than this number of bytes.
    case tooLong(limit: Int)
    /// Another version of the form; the name that it states.
    case unknownFormat(String)
    /// Not the object in its one form: damaged, shortened, or changed by another program.
    case notInForm
  }

  /// The most bytes of evidence: all files of a travel document in base64, and then some.
  public static let mostBytes = 2 << 20

  /// Reads evidence in its one form, which a line feed may follow; or a verifiable document, by its first byte.
  public init(_ bytes: [UInt8]) throws(Malformation) {
    guard bytes.count <= Self.mostBytes else { throw .tooLong(limit: Self.mostBytes) }
    guard !CBOR.isMap(bytes) else {
      try self.init(verifiableDocument: bytes)
      return
    }
    let bytes = bytes.last == UInt8(ascii: "\n") ? [UInt8](bytes.dropLast()) : bytes
    guard let value = try? JSONValue(bytes) else { throw .notInForm }
    guard let format = value["format"]?.text else { throw .notInForm }
    guard format == Self.format else { throw .unknownFormat(format) }
    guard let evidence = CardEvidence(value), evidence.bytes == bytes else { throw .notInForm }
    self = evidence
  }

  /// Reads all members that it knows. Others, and each other form of the same, are found by comparing the bytes.
  private init?(_ value: JSONValue) {
    guard let challenge = value["challenge"]?.text.flatMap([UInt8].init(hexadecimal:)),
      let request = Request(challenge: challenge, audience: value["audience"]?.text),
      let time = value["time"]?.text.flatMap(Self.time),
      let program = value["program"]?.text, Self.isText(program)
    else { return nil }
    self.init(request, time: time, program: program)
    document = value["document"].map(AuthenticityReport.Evidence.Document.init)
    let documentChallenge = try? documentChallenge()
    document?.challenge = documentChallenge
    ias = value["ias"].map(AuthenticityReport.Evidence.init)
    let iasChallenge = try? iasChallenge()
    ias?.challenge = iasChallenge
    if let certificate = value["holder"]?.bytes("certificate"),
      let signature = value["holder"]?.bytes("signature")
    {
      holder = Holder(certificate: certificate, signature: signature)
    }
    if let key = value["terminal"]?.bytes("key"),
      let signature = value["terminal"]?.bytes("signature")
    {
      terminal = Terminal(key: key, signature: signature)
    }
  }
}

extension CardEvidence {
  /// The time of its fourteen digits: the comparison of bytes finds each other sign between them.
  private static func time(_ text: String) -> UTCTime? {
    let digits = text.utf8.filter { (0x30...0x39).contains($0) }
    return UTCCalendar.seconds(of: digits).map(UTCTime.init(seconds:))
  }
}

extension JSONValue {
  fileprivate func bytes(_ name: String) -> [UInt8]? {
    self[name]?.text.flatMap { Base64.decode([UInt8]($0.utf8)) }
  }
}

extension AuthenticityReport.Evidence {
  fileprivate init(_ value: JSONValue) {
    self.init(response: value.bytes("answer"))
    for file in IASFile.allCases {
      file.set(value["files"]?.bytes(file.name), in: &self)
    }
  }
}

extension AuthenticityReport.Evidence.Document {
  fileprivate init(_ value: JSONValue) {
    self.init(response: value.bytes("answer"))
    for file in DocumentFile.ofEvidence {
      file.set(value["files"]?.bytes(file.name), in: &self)
    }
    chipAuthentication =
      value["chipAuthentication"]?.text.flatMap(AuthenticityReport.ChipProof.init(told:))
      ?? (mayOfferChipAuthentication ? .notTried : .notOffered)
  }
}

extension AuthenticityReport.ChipProof {
  /// The terminal's word on chip authentication; `nil` where it has none.
  var told: String? {
    switch self {
    case .proved: "proved"
    case .provedByMapping: "proved-by-mapping"
    case .failed: "failed"
    case .notOffered, .notTried, .unsupported, .refused, .channelEnded, .lengthNotCarried,
      .toldByTerminal:
      nil
    }
  }

  fileprivate init?(told word: String) {
    let known: [Self] = [.proved, .provedByMapping, .failed]
    guard let proof = known.first(where: { $0.told == word }) else { return nil }
    self = proof
  }
}

/// The files of the IAS side, by their identifiers (CIE 3.0 chip specification annex A).
enum IASFile: CaseIterable {
  case securityObject
  case group(AuthenticityReport.IASDataGroup)

  static let allCases = [.securityObject] + AuthenticityReport.IASDataGroup.allCases.map(Self.group)

  var name: String {
    switch self {
    case .securityObject: "1006"
    case .group(.servicesNumber): "1001"
    case .group(.documentNumber): "1002"
    case .group(.certificate): "1003"
    case .group(.deviceKey): "1004"
    case .group(.servicesKey): "1005"
    case .group(.dhParameters): "D004"
    }
  }

  func contents(_ evidence: AuthenticityReport.Evidence) -> [UInt8]? {
    switch self {
    case .securityObject: evidence.securityObject
    case .group(let group): evidence.files[group]
    }
  }

  func set(_ contents: [UInt8]?, in evidence: inout AuthenticityReport.Evidence) {
    switch self {
    case .securityObject: evidence.securityObject = contents
    case .group(let group): evidence.files[group] = contents
    }
  }
}

extension DocumentFile {
  /// The files of a travel document that prove something: all but EF.COM.
  static let ofEvidence = allCases.filter { $0 != .common }

  func contents(_ evidence: AuthenticityReport.Evidence.Document) -> [UInt8]? {
    switch self {
    case .cardAccess: evidence.cardAccess
    case .cardSecurity: evidence.cardSecurity
    case .common: evidence.commonData
    case .securityObject: evidence.securityObject
    case .group(let group): evidence.files[group]
    }
  }

  func set(_ contents: [UInt8]?, in evidence: inout AuthenticityReport.Evidence.Document) {
    switch self {
    case .cardAccess: evidence.cardAccess = contents
    case .cardSecurity: evidence.cardSecurity = contents
    case .common: evidence.commonData = contents
    case .securityObject: evidence.securityObject = contents
    case .group(let group): evidence.files[group] = contents
    }
  }
}
