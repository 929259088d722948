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
  public enum Form: Sendable, Equatable {
    /// CMS with the contents inside (`.p7m`).
    case attached
    /// CMS beside its contents (`.p7s`).
    case detached
    /// PDF.
    case pdf
    /// A time stamp by itself (`.tsr`).
    case timeStamp
  }

  /// Outcomes of a file.
  public enum Outcome: Sendable, Equatable {
    /// Every signature is proved.
    case proved
    /// Every signature is proved for its revision of a PDF; this many bytes came after one of them, and not only further
    /// signatures and what proves them.
    case provedForItsRevision(laterBytes: Int)
    /// A signature is false.
    case `false`
    /// No signature is false, but one could not be checked.
    case couldNotCheck
    /// The file has no signature.
    case noSignature
  }

  /// The outcome as a whole, of the file inside too: the worst of its signatures.
  public var outcome: Outcome {
    let outcomes = signatures.map { $0.outcome }
    let inside = inner.map { $0.outcome }
    if outcomes.isEmpty { return .noSignature }
    if outcomes.contains(.false) || inside.contains(.false) { return .false }
    if outcomes.contains(.couldNotCheck) || inside.contains(.couldNotCheck) {
      return .couldNotCheck
    }
    let later = signatures.filter { $0.laterContent == .other }.map { $0.laterBytes }.max() ?? 0
    return later > 0 ? .provedForItsRevision(laterBytes: later) : .proved
  }
}

/// The reason why a file is not judged.
public enum JudgementError: Error, Sendable, Equatable {
  /// It is no SignedData, or cannot be read.
  case cms(CMSError)
  /// It is no PDF that can be read without guessing.
  case pdf(PDFError)
  /// A kind of signed file that is not supported.
  case unsupported(Container)
  /// The text around a signature is larger than the limit, in bytes.
  case tooLarge(limit: Int)
  /// More signed files inside each other than the limit.
  case tooDeep(limit: Int)

  /// Kinds of files with signatures or time stamps that are not supported.
  public enum Container: Sendable, Equatable {
    /// A ZIP file, with its media type if it states one: ASiC (EN 319 162-1).
    case zip(mediaType: String?)
    /// TimeStampedData (`.tsd`, RFC 5544): a file with its time stamps.
    case timeStampedData
    /// TimeStampResp without a time stamp: a refusal (RFC 3161 §2.4.2).
    case timeStamp
    /// A MIME message of several parts: a signature beside its text, or (`.m7m`) a signed file with
    /// its time stamp.
    case multipart
    /// XML, which may be signed as XAdES.
    case xml
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
