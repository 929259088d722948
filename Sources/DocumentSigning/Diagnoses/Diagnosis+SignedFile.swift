public import Primitives

/// Signed files.
extension Diagnosis {
  /// A file that is not judged.
  public init(_ error: JudgementError, path: Message.Argument) {
    switch error {
    case .cms(let error): self.init(error, path: path)
    case .pdf(let error): self.init(error, path: path)
    case .unsupported(let container):
      self.init(
        .couldNotCheck, "signed-file-unsupported", ["path": path, "kind": container.text])
    case .tooLarge, .tooDeep: self.init(.usage, "signed-file-too-large", ["path": path])
    }
  }

  /// The outcome of a judgement; nil if it is proved.
  public init?(_ outcome: DocumentReport.Outcome) {
    switch outcome {
    case .proved: return nil
    case .provedForItsRevision(let laterBytes):
      self.init(.laterBytes, "later-bytes", ["count": laterBytes])
    case .false: self.init(.false, "signed-file-false")
    case .couldNotCheck: self.init(.couldNotCheck, "signature-not-checked")
    case .noSignature: self.init(.noSignature, "no-signature")
    }
  }

  init(_ error: CMSError, path: Message.Argument) {
    switch error {
    case .system(let code):
      self.init(.usage, "input-unreadable", ["path": path, "reason": SystemError(code).reason])
    case .notAFile: self.init(.usage, "input-not-a-file", ["path": path])
    case .malformed(.encoding), .malformed(.contentInfo), .otherType, .noContents,
      .unusableCertificate:
      self.init(.usage, "not-a-signed-file", ["path": path])
    case .malformed, .trailingBytes, .signatureFalse, .contentsChanged:
      self.init(.false, "signed-file-malformed", ["path": path])
    case .tooLarge: self.init(.usage, "signed-file-too-large", ["path": path])
    case .crypto(let error): self.init(error)
    }
  }

  init(_ error: PDFError, path: Message.Argument) {
    switch error {
    case .damaged(let reason):
      self.init(.couldNotCheck, "pdf-damaged", ["path": path, "reason": reason])
    case .needsPassword: self.init(.couldNotCheck, "pdf-needs-password", ["path": path])
    case .wrongPassword: self.init(.couldNotCheck, "pdf-wrong-password", ["path": path])
    case .tooLarge: self.init(.usage, "signed-file-too-large", ["path": path])
    case .refused: self.init(.couldNotCheck, "pdf-damaged", ["path": path, "reason": ""])
    case .cms(let error): self.init(error, path: path)
    }
  }
}

extension JudgementError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self, path: Message.thisFile).description }
}

extension CMSError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self, path: Message.thisFile).description }
}

extension PDFError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self, path: Message.thisFile).description }
}
