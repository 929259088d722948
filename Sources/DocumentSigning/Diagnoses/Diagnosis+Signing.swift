internal import CIECard
public import Primitives

extension Diagnosis {
  /// A document that is not signed.
  public init(_ error: SigningError, path: Message.Argument) {
    switch error {
    case .cms(let error), .pdf(.cms(let error)): self.init(signing: error, path: path)
    case .pdf(.refused(let refusal)):
      self.init(.usage, "pdf-refused", ["path": path, "reason": refusal.text])
    case .pdf(.damaged(let reason)):
      let clause = Message("pdf-refusal.damaged", ["reason": reason])
      self.init(.usage, "pdf-refused", ["path": path, "reason": clause])
    case .pdf(let error): self.init(error, path: path)
    case .input(let error): self.init(error, path: path)
    case .timeStamp(let error): self.init(error)
    case .revocation(let error): self.init(error)
    case .nothingToStamp: self.init(.usage, "nothing-to-stamp", ["path": path])
    }
  }

  /// A time stamp that an authority did not give.
  public init(_ error: TimeStampError) {
    switch error {
    case .unreachable: self.init(.network, "time-stamp-unreachable")
    case .refused(let status): self.init(.serverRefused, "time-stamp-refused", ["status": status])
    case .malformed, .otherAnswer: self.init(.false, "time-stamp-false")
    case .notProved(.false): self.init(.false, "time-stamp-false")
    case .notProved: self.init(.couldNotCheck, "time-stamp-not-proved")
    case .crypto(let error): self.init(error)
    }
  }

  /// Evidence of revocations that issuers did not give.
  public init(_ error: RevocationError) {
    switch error {
    case .unreachable: self.init(.network, "revocation-unreachable")
    case .issuerUnknown(let name), .noPath(let name):
      self.init(.couldNotCheck, "issuer-not-found", ["name": name.text])
    case .noAddress(let name), .noAnswer(let name):
      self.init(.couldNotCheck, "revocation-unknown", ["name": name.text])
    case .revoked(let name, at: let time):
      self.init(.false, "certificate-revoked", ["name": name.text, "time": time])
    case .crypto(let error): self.init(error)
    }
  }

  private init(signing error: CMSError, path: Message.Argument) {
    switch error {
    case .contentsChanged: self.init(.usage, "document-changed", ["path": path])
    case .noContents: self.init(.usage, "signed-contents-missing", ["path": path])
    case .unusableCertificate: self.init(.notCarried, "certificate-unusable")
    case .signatureFalse: self.init(.false, "signature-unsound", ["path": path])
    case .system, .notAFile, .malformed, .otherType, .trailingBytes, .tooLarge, .crypto:
      self.init(error, path: path)
    }
  }

  /// A signed file that does not stand our own judgement, and is therefore not kept.
  public static func unsound(path: Message.Argument) -> Diagnosis {
    Diagnosis(.false, "signature-unsound", ["path": path])
  }
}

extension PDFError.Refusal {
  /// The reason, as a clause.
  fileprivate var text: Message {
    switch self {
    case .junkBeforeHeader: Message("pdf-refusal.junk")
    case .permissions: Message("pdf-refusal.permissions")
    case .xfa: Message("pdf-refusal.xfa")
    case .certified: Message("pdf-refusal.certified")
    case .usageRights: Message("pdf-refusal.usage-rights")
    case .locked(let field): Message("pdf-refusal.locked", ["field": field.printable])
    case .noSuchField(let name): Message("pdf-refusal.no-field", ["field": name.printable])
    case .severalFields(let names):
      Message("pdf-refusal.fields", ["fields": names.map(\.printable).joined(separator: ", ")])
    case .seedValue(let key): Message("pdf-refusal.seed-value", ["key": key.printable])
    case .lockDemanded(let field): Message("pdf-refusal.lock", ["field": field.printable])
    case .mark(let fault): fault.text
    case .structure(let part): Message("pdf-refusal.structure", ["part": part.printable])
    case .room(let needed, let given):
      Message("pdf-refusal.room", ["needed": needed, "given": given])
    }
  }
}

extension VisibleMark.Fault {
  /// The reason, as a clause.
  fileprivate var text: Message {
    switch self {
    case .noSuchPage(let number): Message("pdf-refusal.page", ["page": number])
    case .hiddenField(let name): Message("pdf-refusal.hidden-field", ["field": name.printable])
    case .textInPDFA: Message("pdf-refusal.text-in-pdfa")
    case .transparencyInPDFA: Message("pdf-refusal.transparency-in-pdfa")
    }
  }
}

extension SigningError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self, path: Message.thisFile).description }
}

extension TimeStampError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}

extension RevocationError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
