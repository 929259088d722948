public import CIECard

/// The judgement of a signed file: each signature, and those of a signed file inside.
public struct DocumentReport: Sendable, Equatable {
  /// The form of the file.
  public let form: Form
  /// The signatures, in the order of the file.
  public let signatures: [SignatureReport]
  /// Judgement of the contents, if these are a signed file too: one entry at most, because a
  /// structure cannot contain itself.
  public let inner: [DocumentReport]

  /// Forms of signed files.
  public enum Form: String, Sendable {
    /// CMS with the contents inside (`.p7m`).
    case attached
    /// CMS beside its contents (`.p7s`).
    case detached
    case pdf
    /// A time stamp by itself (`.tsr`).
    case timeStamp = "time-stamp"
  }

  /// Outcomes of a file, and of a signature.
  public enum Outcome: Sendable, Equatable {
    case proved
    /// Every signature is proved for its revision of a PDF; this many bytes came after one of them, and not only further
    /// signatures and what proves them.
    case provedForItsRevision(laterBytes: Int)
    case `false`
    /// No signature is false, but one could not be checked.
    case couldNotCheck
    case noSignature
  }

  /// The outcome as a whole, of the file inside too: the worst of its signatures.
  public var outcome: Outcome {
    if signatures.isEmpty { return .noSignature }
    let outcomes = signatures.map { $0.outcome } + inner.map { $0.outcome }
    for bad in [Outcome.false, .couldNotCheck] where outcomes.contains(bad) { return bad }
    let later = signatures.filter { $0.laterContent == .other }.map { $0.laterBytes }.max() ?? 0
    return later > 0 ? .provedForItsRevision(laterBytes: later) : .proved
  }
}

extension DocumentReport {
  /// True if a signature of this certificate's key is among them and holds for all of the file: everything is proved but
  /// the trust in its issuer and its validity.
  public func holds(for certificate: Certificate) -> Bool {
    let own = signatures.filter { $0.signer == certificate }
    return own.contains { $0.laterContent != .other }
      && own.allSatisfy { signature in
        [.coverage, .attributes, .contents, .signature, .signingCertificate].allSatisfy { kind in
          signature[kind] == .proved || kind == .coverage && signature[kind] == nil
        }
      }
  }
}
