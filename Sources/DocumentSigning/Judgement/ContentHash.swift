internal import Primitives

/// The hash of contents as they were judged, by which later reading is bound to the judgement: the file may be another one by
/// then.
struct ContentHash: Sendable, Equatable {
  let algorithm: HashAlgorithm
  let value: [UInt8]
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
