public import Primitives

/// The words of a card to a terminal, for another machine that judges them without the card (`cie-evidence/1`).
///
/// It is one JSON object (RFC 8259) of exactly one form: members sorted by name, no white space. Each signature but the first
/// covers the object as it was before that signature was added, so no byte of it can be exchanged:
///
/// 1. The travel document's chip signs the first eight bytes of the SHA-256 of `audience`, `challenge` and `format` alone: with
///    more in them a stranger could choose the rest until an answer fits that the chip gave before.
/// 2. The chip of the IAS side signs the SHA-256 of the object without `holder` and `terminal`.
/// 3. The holder's key, after the PIN and only if the holder wants it, signs the SHA-256 of the object without `terminal`
///    and without its own signature.
/// 4. The terminal, if it has a key, signs the object without its own signature.
///
/// The challenge of the receiver is part of the object. So whatever the receiver can prove, it proves of a chip that was
/// there after the challenge had been made, for this receiver.
///
/// The other form is that of gmrtd, of a travel document alone: of it the chip signs the challenge, and no more.
public struct CardEvidence: Sendable, Equatable {
  /// The receiver's order, which the evidence answers.
  public let request: Request
  /// The terminal's clock when it began to read; `nil` in a verifiable document, which has no place for it.
  public let time: UTCTime?
  /// The program and version that wrote it; `nil` likewise.
  public let program: String?
  /// The files of the travel document, with the chip's answer, if they were read.
  public internal(set) var document: AuthenticityReport.Evidence.Document?
  /// The files of the IAS side, with the chip's answer, if they were read.
  public internal(set) var ias: AuthenticityReport.Evidence?
  /// The holder's signature, if the PIN was verified for it.
  public internal(set) var holder: Holder?
  /// The terminal's signature, if it has a key.
  public internal(set) var terminal: Terminal?

  /// The receiver's order for evidence.
  public struct Request: Sendable, Equatable {
    /// 16 to 64 bytes, random, of the receiver's own, and used once. Eight in a verifiable document; empty in one that a
    /// stranger wrote without active authentication.
    public let challenge: [UInt8]
    /// The name of the receiver, such as its host, so that no other one can pass the answer on as its own; 1 to 256
    /// visible characters.
    public let audience: String?
    /// The form of the evidence.
    public let form: Form

    /// The lengths of a challenge.
    public static let challengeLengths = 16...64

    /// - Returns: `nil` if the challenge or the audience has another form.
    public init?(challenge: [UInt8], audience: String? = nil) {
      guard Self.challengeLengths.contains(challenge.count),
        audience.map(CardEvidence.isText) ?? true
      else { return nil }
      self.challenge = challenge
      self.audience = audience
      form = .cie
    }

    /// An order for a verifiable document, which names no receiver.
    ///
    /// - Parameter challenge: eight bytes, as active authentication signs them.
    /// - Returns: `nil` for another length.
    public init?(verifiableDocument challenge: [UInt8]) {
      guard challenge.count == ActiveAuthentication.challengeLength else { return nil }
      self.init(ofVerifiableDocument: challenge)
    }

    init(ofVerifiableDocument challenge: [UInt8]) {
      self.challenge = challenge
      audience = nil
      form = .verifiableDocument
    }
  }

  /// The forms of evidence.
  public enum Form: Sendable, Equatable {
    /// `cie-evidence/1`.
    case cie
    /// The CBOR file of gmrtd (`gmrtd-verifiable-doc`, version 1): the files of a travel document and its active
    /// authentication. It has no place for the receiver's name, time, program, IAS side, holder and terminal.
    case verifiableDocument
  }

  /// The signature of the card's holder.
  public struct Holder: Sendable, Equatable {
    /// The certificate (EF.Cert_CIE), in DER.
    public let certificate: [UInt8]
    /// RSA PKCS#1 v1.5 with SHA-256 (RFC 8017 §8.2).
    public internal(set) var signature: [UInt8]
  }

  /// The signature of a terminal, which vouches for what it alone has seen.
  public struct Terminal: Sendable, Equatable {
    /// The public key, a SubjectPublicKeyInfo (RFC 5280 §4.1.2.7).
    public let key: [UInt8]
    /// ECDSA or RSA PKCS#1 v1.5 with SHA-256, or Ed25519 (RFC 8032), by the kind of key.
    public internal(set) var signature: [UInt8]
  }

  /// Evidence of nothing yet. `gatherEvidence(…, into:)` adds the travel document first, then the IAS side.
  ///
  /// - Parameters:
  ///   - request: the receiver's order.
  ///   - program: the name and version of the caller's program; 1 to 256 visible characters.
  ///   - time: the time of the terminal's clock.
  public init?(for request: Request, program: String, at time: UTCTime) {
    guard Self.isText(program) else { return nil }
    self.init(request, time: time, program: program)
  }

  init(_ request: Request, time: UTCTime?, program: String?) {
    self.request = request
    self.time = time
    self.program = program
  }

  /// True for 1 to 256 bytes of visible characters, which every program writes in JSON in the same way.
  static func isText(_ text: String) -> Bool {
    (1...256).contains(text.utf8.count) && text.printable.utf8.elementsEqual(text.utf8)
  }
}

extension CardEvidence {
  /// The object as text in UTF-8, or the verifiable document. Equal evidence has equal bytes, so their hash names it.
  ///
  /// It holds the data of a person: give it to its receiver alone, and keep it as such.
  public var bytes: [UInt8] {
    switch request.form {
    case .cie: [UInt8](text.utf8)
    case .verifiableDocument: verifiableDocument
    }
  }

  package var text: String { object(through: .terminal).text }

  /// The stages in which it comes about, each signed over all of the former.
  private enum Stage: Int {
    case document
    case ias
    case holder
    case terminal
  }

  private func object(through last: Stage, withSignature: Bool = true) -> JSON {
    func member(_ stage: Stage) -> JSON? {
      guard stage.rawValue <= last.rawValue else { return nil }
      let isSigned = stage != last || withSignature
      return switch stage {
      case .document: document?.object(withAnswer: isSigned)
      case .ias: ias?.object(withAnswer: isSigned)
      case .holder: holder?.object(withSignature: isSigned)
      case .terminal: terminal?.object(withSignature: isSigned)
      }
    }
    return .sorted([
      ("audience", request.audience.map(JSON.string)),
      ("challenge", .string(request.challenge.hexadecimal)),
      ("document", member(.document)), ("format", .string(Self.format)),
      ("holder", member(.holder)), ("ias", member(.ias)),
      ("program", program.map(JSON.string)), ("terminal", member(.terminal)),
      ("time", time.map { .string($0.description) }),
    ])
  }

  /// The name of the form, with its version.
  static let format = "cie-evidence/1"

  /// The bytes for the chip of the travel document to sign (Doc 9303-11 §6.1).
  func documentChallenge() throws(CryptoError) -> [UInt8] {
    guard request.form == .cie else { return request.challenge }
    let request = JSON.sorted([
      ("audience", request.audience.map(JSON.string)),
      ("challenge", .string(request.challenge.hexadecimal)), ("format", .string(Self.format)),
    ])
    let hash = try HashAlgorithm.sha256.hash([UInt8](request.text.utf8))
    return [UInt8](hash.prefix(ActiveAuthentication.challengeLength))
  }

  /// The bytes for the chip of the IAS side to sign.
  func iasChallenge() throws(CryptoError) -> [UInt8] { try hash(.ias) }

  private func hash(_ stage: Stage) throws(CryptoError) -> [UInt8] {
    try HashAlgorithm.sha256.hash([UInt8](object(through: stage, withSignature: false).text.utf8))
  }

  /// The hash for the holder's key to sign, once its certificate is there.
  func holderDigest() throws(CryptoError) -> Digest? {
    Digest(.sha256, bytes: try hash(.holder))
  }

  /// The bytes for the terminal to sign.
  var terminalStatement: [UInt8] {
    [UInt8](object(through: .terminal, withSignature: false).text.utf8)
  }

  /// Adds the signature of the terminal that gathered the evidence, over all that is there: call it last.
  ///
  package mutating func sign(withTerminalKey key: borrowing SigningKey) throws(CryptoError) {
    terminal = Terminal(key: try key.publicKey(), signature: [])
    let signature = try key.sign(terminalStatement)
    terminal?.signature = signature
  }
}

extension JSON {
  /// An object of the members that have a value, sorted by name.
  fileprivate static func sorted(_ members: [(name: String, value: JSON?)]) -> JSON {
    .object(
      members.sorted { $0.name < $1.name }
        .compactMap { member in member.value.map { Member(member.name, $0) } })
  }

  fileprivate static func base64(_ bytes: [UInt8]) -> JSON {
    .string(String(decoding: Base64.encode(bytes), as: UTF8.self))
  }
}

extension AuthenticityReport.Evidence {
  fileprivate func object(withAnswer: Bool) -> JSON {
    let files = IASFile.allCases.map { file in
      (file.name, file.contents(self).map(JSON.base64))
    }
    return .sorted([
      ("answer", withAnswer ? response.map(JSON.base64) : nil), ("files", .sorted(files)),
    ])
  }
}

extension AuthenticityReport.Evidence.Document {
  fileprivate func object(withAnswer: Bool) -> JSON {
    let files = DocumentFile.ofEvidence.map { file in
      (file.name, file.contents(self).map(JSON.base64))
    }
    return .sorted([
      ("answer", withAnswer ? response.map(JSON.base64) : nil),
      ("chipAuthentication", chipAuthentication.told.map(JSON.string)),
      ("files", .sorted(files)),
    ])
  }
}

extension CardEvidence.Holder {
  fileprivate func object(withSignature: Bool) -> JSON {
    .sorted([
      ("certificate", .base64(certificate)),
      ("signature", withSignature ? .base64(signature) : nil),
    ])
  }
}

extension CardEvidence.Terminal {
  fileprivate func object(withSignature: Bool) -> JSON {
    .sorted([
      ("key", .base64(key)), ("signature", withSignature ? .base64(signature) : nil),
    ])
  }
}
