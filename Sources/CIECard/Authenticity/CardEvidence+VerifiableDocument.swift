internal import Primitives

/// The verifiable document of gmrtd (version 1 of its file, with version 2 of the chip's proofs), for another program's verifier.
///
/// It is the files of a travel document, and the chip's answer in active authentication, in CBOR. Nothing signs it as a whole:
/// its hashes find damage, not forgery. The chip signs the receiver's eight bytes alone, and the State has signed the files.
extension CardEvidence {
  /// An envelope in it: a name, a version, and the payload with its hash.
  enum Envelope: String {
    case all = "gmrtd-verifiable-doc"
    case files = "gmrtd-raw-doc"
    case proofs = "gmrtd-chip-auth-evidence"

    private var version: UInt64 {
      switch self {
      case .all, .files: 1
      case .proofs: 2
      }
    }

    /// Without SHA-256 in OpenSSL the hash is empty, and no program reads it.
    func seal(_ payload: CBOR) -> CBOR {
      let payload = payload.encoded
      return .map([
        "magic": .text(rawValue), "version": .unsigned(version), "payload": .bytes(payload),
        "sha256": .bytes((try? HashAlgorithm.sha256.hash(payload)) ?? []),
      ])
    }

    /// The members of the payload.
    func open(_ bytes: [UInt8]) throws(Malformation) -> [String: CBOR] {
      guard let members = CBOR(bytes)?.members, members["magic"] == .text(rawValue),
        case .unsigned(let number) = members["version"]
      else { throw .notInForm }
      guard number == version else { throw .unknownFormat("\(rawValue)/\(number)") }
      guard members.count == 4, let payload = members["payload"]?.bytes,
        let hash = members["sha256"]?.bytes, (try? HashAlgorithm.sha256.hash(payload)) == hash,
        let contents = CBOR(payload)?.members
      else { throw .notInForm }
      return contents
    }
  }

  /// The files and the chip's proofs, each in an envelope, in one.
  static func sealed(files: [String: CBOR], proofs: [String: CBOR]) -> [UInt8] {
    Envelope.all.seal(
      .map([
        "document": .bytes(Envelope.files.seal(.map(files)).encoded),
        "chipAuthEvidence": .bytes(Envelope.proofs.seal(.map(proofs)).encoded),
      ])
    ).encoded
  }

  static func opened(
    _ bytes: [UInt8]
  ) throws(Malformation) -> (files: [String: CBOR], proofs: [String: CBOR]) {
    let all = try Envelope.all.open(bytes)
    guard all.count == 2, let files = all["document"]?.bytes,
      let proofs = all["chipAuthEvidence"]?.bytes
    else { throw .notInForm }
    return (try Envelope.files.open(files), try Envelope.proofs.open(proofs))
  }

  /// The words for the chip's proofs.
  private enum Proof: String {
    /// The terminal's keys and the conversation of PACE with chip-authentication mapping.
    case mapping = "paceCam"
    /// Those of chip authentication.
    case chipAuthentication = "chipAuth"
    case activeAuthentication = "activeAuth"
  }

  var verifiableDocument: [UInt8] {
    var files: [String: CBOR] = [:]
    for file in DocumentFile.allCases {
      guard let name = file.verifiableName else { continue }
      files[name] = document.flatMap { file.contents($0) }.map(CBOR.bytes)
    }
    var proofs: [String: CBOR] = [:]
    if let challenge = document?.challenge, let response = document?.response,
      let algorithm = document?.activeAlgorithm
    {
      proofs[Proof.activeAuthentication.rawValue] = .map([
        "algorithm": .array(algorithm.map(CBOR.unsigned)), "nonce": .bytes(challenge),
        "signature": .bytes(response),
      ])
    }
    return Self.sealed(files: files, proofs: proofs)
  }

  /// Reads one. The terminal's own record of chip authentication is no more than its word, because it could have made it
  /// without the chip.
  init(verifiableDocument bytes: [UInt8]) throws(Malformation) {
    let (files, proofs) = try Self.opened(bytes)
    var side = AuthenticityReport.Evidence.Document()
    for (name, value) in files {
      guard let contents = value.bytes else { throw .notInForm }
      // EF.DIR lists the applications, and is of no use here.
      guard name != "dir" else { continue }
      guard let file = DocumentFile.allCases.first(where: { $0.verifiableName == name }) else {
        throw .notInForm
      }
      file.set(contents, in: &side)
    }
    side.chipAuthentication = side.mayOfferChipAuthentication ? .notTried : .notOffered
    for (name, value) in proofs.sorted(by: { $0.key < $1.key }) {
      guard let members = value.members else { throw .notInForm }
      switch Proof(rawValue: name) {
      case .mapping: side.chipAuthentication = .provedByMapping
      case .chipAuthentication: side.chipAuthentication = .proved
      case .activeAuthentication:
        guard members.count == 3, case .array = members["algorithm"],
          let nonce = members["nonce"]?.bytes, nonce.count == ActiveAuthentication.challengeLength,
          let signature = members["signature"]?.bytes
        else { throw .notInForm }
        (side.challenge, side.response) = (nonce, signature)
      case nil: throw .notInForm
      }
    }
    self.init(Request(ofVerifiableDocument: side.challenge ?? []), time: nil, program: nil)
    document = side
  }
}

extension AuthenticityReport.Evidence.Document {
  /// The object identifier of the key in DG15, by which the other program chooses its check.
  fileprivate var activeAlgorithm: [UInt64]? {
    guard let file = files[.dg15],
      let info = try? ActiveAuthenticationPublicKeyInfo(dataGroup15: file),
      var fields = try? TLVCursor(inside: DER.sequence, of: info.subjectPublicKeyInfo),
      let algorithm = try? fields.next(DER.sequence).encoded,
      let octets = CMSObject.ofAlgorithm([UInt8](algorithm))
    else { return nil }
    return CMSObject.dotted(octets).split(separator: ".").compactMap { UInt64($0) }
  }
}

extension DocumentFile {
  /// The name in a verifiable document; `nil` for a file that has no place in it.
  fileprivate var verifiableName: String? {
    switch self {
    case .cardAccess: "cardAccess"
    case .cardSecurity: "cardSecurity"
    case .common: "com"
    case .securityObject: "sod"
    case .group(let group):
      switch group {
      case .dg1, .dg2, .dg7, .dg11, .dg12, .dg13, .dg14, .dg15, .dg16: group.name
      case .dg3, .dg4, .dg5, .dg6, .dg8, .dg9, .dg10: nil
      }
    }
  }
}
