public import Primitives

/// Trust anchors and master lists.
extension Diagnosis {
  /// Certificates that were to be trusted cannot be used.
  public init(_ error: TrustStore.LoadingError) {
    let advice = Message("trust.do")
    switch error {
    case .empty: self.init(.usage, "trust-empty", advice: advice)
    case .notFound(let path): self.init(.usage, "trust-not-found", ["path": path], advice: advice)
    case .unreadable(let path, let code):
      self.init(
        .usage, "trust-unreadable", ["path": path, "reason": SystemError(code).reason],
        advice: advice)
    case .notAFile(let path): self.init(.usage, "trust-not-a-file", ["path": path], advice: advice)
    case .writableByOthers(let path):
      self.init(.usage, "trust-writable-by-others", ["path": path], key: "writable-by-others")
    case .tooLarge(let path, let limit):
      self.init(.usage, "trust-too-large", ["path": path, "limit": limit], advice: advice)
    case .tooManyFiles(let path, let limit):
      self.init(.usage, "trust-too-many-files", ["path": path, "limit": limit], advice: advice)
    case .notACertificate(let path, let reason):
      self.init(
        .usage, "trust-not-a-certificate", ["path": path, "reason": reason], advice: advice)
    case .masterList(let path, let error): self.init(error, path: path)
    }
  }

  private init(_ error: TrustStore.MasterListError, path: String) {
    switch error {
    case .notSignedData(let reason):
      self = .list(
        .usage, "not-a-master-list", ["path": path, "reason": reason], key: "master-list-form")
    case .contentType(let type):
      self = .list(
        .usage, "not-a-master-list", ["path": path, "type": type], key: "master-list-content-type")
    case .noSigner:
      self = .list(.usage, "not-a-master-list", ["path": path], key: "master-list-no-signer")
    case .malformedList:
      self = .list(.usage, "master-list-malformed", ["path": path], key: "master-list-malformed")
    case .empty:
      self = .list(.usage, "master-list-malformed", ["path": path], key: "master-list-empty")
    case .contentsAltered:
      self = .list(.false, "master-list-false", ["path": path], key: "master-list-altered")
    case .signatureWrong:
      self = .list(.false, "master-list-false", ["path": path], key: "master-list-signature")
    case .unsupportedAlgorithm(let identifier):
      self = .list(
        .couldNotCheck, "master-list-algorithm", ["path": path, "identifier": identifier],
        key: "master-list-algorithm")
    case .signerUnknown(let issuer):
      self = .signer(
        .couldNotCheck, "unknown", ["path": path, "issuer": issuer.text],
        key: "master-list-signer-unknown")
    case .notIssued(let issuer):
      self = .signer(
        .false, "false", ["path": path, "issuer": issuer.text], key: "master-list-not-issued")
    case .chainRefused(let reason):
      self = .signer(
        .false, "false", ["path": path, "reason": reason], key: "master-list-chain")
    case .notASigner:
      self = .signer(.false, "false", ["path": path], key: "master-list-not-a-signer")
    case .notValid(let signer):
      self = .signer(
        .couldNotCheck, "ended",
        ["path": path, "begin": signer.notBefore, "end": signer.notAfter],
        key: "master-list-signer-not-valid")
    }
  }

  /// A problem of the list itself: another copy of it may be good.
  private static func list(
    _ kind: Kind, _ name: String, _ arguments: [String: Message.Argument], key: String
  ) -> Diagnosis {
    Diagnosis(
      kind, "trust-\(name)", arguments, key: key, advice: Message("master-list-fetch.do"))
  }

  /// A problem of its signer: a certificate may be missing.
  private static func signer(
    _ kind: Kind, _ name: String, _ arguments: [String: Message.Argument], key: String
  ) -> Diagnosis {
    Diagnosis(
      kind, "trust-master-list-signer-\(name)", arguments, key: key,
      advice: Message("master-list-signer.do"))
  }
}

extension TrustStore.LoadingError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }
}
