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
  /// Parts of the file beside the judged one, which no signature covers; empty for a file that is judged whole.
  public let outside: [Outside]
  /// The contents that were judged; of a PDF all of the file.
  var contentHash: ContentHash?

  init(
    form: Form, signatures: [SignatureReport], inner: [DocumentReport], outside: [Outside] = []
  ) {
    (self.form, self.signatures, self.inner, self.outside) = (form, signatures, inner, outside)
  }

  /// Things beside the signed part of a file.
  public enum Outside: String, Sendable {
    /// Text before, in or behind the block of PEM, or other blocks.
    case text
    /// Parts or text of a message beside the attachment.
    case message
    /// Bytes behind the SignedData, other than zeros and line ends.
    case bytes
    /// Signatures of earlier revisions of a PDF, which no field has any more.
    case signatures
  }

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
    /// The signatures are proved, but the file holds more than what they cover (`outside`).
    case provedInPart
    /// The time stamps of the file are all that it has: no person and no body signed it.
    case onlyTimeStamps
    case `false`
    /// No signature is false, but one could not be checked.
    case couldNotCheck
    case noSignature
  }

  /// The outcome as a whole, of the file inside too: the worst of its signatures.
  public var outcome: Outcome {
    let isUnjudged = outside.contains(.signatures)
    if signatures.isEmpty { return isUnjudged ? .couldNotCheck : .noSignature }
    // A false time stamp disproves a file only if that is all there is: the signatures stand by themselves.
    let isStamped = signatures.allSatisfy(\.isTimeStamp)
    let outcomes =
      signatures.map { signature in
        let outcome = signature.outcome
        return outcome == .false && signature.isTimeStamp && !isStamped ? .couldNotCheck : outcome
      } + inner.map { $0.outcome }
    for bad in [Outcome.false, .couldNotCheck] where outcomes.contains(bad) { return bad }
    if isUnjudged, isStamped { return .couldNotCheck }
    let later = signatures.filter { $0.laterContent.isMore }.map { $0.laterBytes }.max() ?? 0
    if later > 0 { return .provedForItsRevision(laterBytes: later) }
    // A time stamp by itself is judged as such; in a PDF it signs nothing.
    guard form == .timeStamp || signatures.contains(where: { !$0.isTimeStamp }) else {
      return .onlyTimeStamps
    }
    return outside.isEmpty && !inner.contains { $0.outcome == .provedInPart }
      ? .proved : .provedInPart
  }
}

extension DocumentReport {
  /// True if a signature of this certificate's key is among them and holds for all of the file: everything is proved but
  /// the trust in its issuer and its validity.
  public func holds(for certificate: Certificate) -> Bool {
    let own = signatures.filter { $0.signer == certificate }
    return own.contains { !$0.laterContent.isMore }
      && own.allSatisfy { signature in
        [.coverage, .attributes, .contents, .signature, .signingCertificate].allSatisfy { kind in
          signature[kind] == .proved || kind == .coverage && signature[kind] == nil
        }
      }
  }
}

extension DocumentReport {
  /// The report on the innermost signed file that is no PDF.
  var innermost: DocumentReport {
    var report = self
    while let next = report.inner.first, next.form != .pdf { report = next }
    return report
  }

  /// True if a signature is false whatever its issuers say: nothing needs to be asked of them.
  var isDisproved: Bool {
    let own: [SignatureReport.Kind] = [
      .coverage, .attributes, .contents, .signature, .signingCertificate,
    ]
    return inner.contains { $0.isDisproved }
      || signatures.contains { signature in
        own.contains { kind in
          if case .false = signature[kind] { true } else { false }
        }
      }
  }
}
