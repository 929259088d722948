internal import CIECard
public import Primitives

extension Diagnosis {
  /// The outcome of a judgement; nil if it is proved.
  public init?(_ report: DocumentReport) {
    switch report.outcome {
    case .proved: return nil
    case .provedForItsRevision(let laterBytes):
      self.init(.laterBytes, "later-bytes", ["count": laterBytes])
    case .provedInPart: self.init(.laterBytes, "signed-in-part")
    case .onlyTimeStamps: self.init(.noSignature, "only-time-stamps")
    case .false: self.init(.false, "signed-file-false")
    case .couldNotCheck:
      self.init(.couldNotCheck, "signature-not-checked")
      if let advice = report.adviceOnIssuers { self.advice = advice }
    case .noSignature: self.init(.noSignature, "no-signature")
    }
  }

  /// The index of trusted services cannot be used.
  public init(_ error: ServiceIndexError, path: String) {
    switch error {
    case .absent: self.init(TrustStore.LoadingError.notFound(path: path))
    case .unreadable(let code):
      self.init(TrustStore.LoadingError.unreadable(path: path, errno: code))
    case .writableByOthers: self.init(TrustStore.LoadingError.writableByOthers(path: path))
    case .damaged, .crowded: self.init(.usage, "trusted-lists-damaged", ["path": path])
    }
  }

  /// A signed file that does not stand our own judgement, and is therefore not kept.
  public static func unsound(path: Message.Argument) -> Diagnosis {
    Diagnosis(.false, "signature-unsound", ["path": path])
  }

  /// A file that is not read, judged or signed.
  ///
  /// - Parameter isSigning: true if it is not signed, false if it is not judged.
  public init(_ error: DocumentError, path: Message.Argument, isSigning: Bool) {
    switch error {
    case .system(let code):
      self.init(.usage, "input-unreadable", ["path": path, "reason": SystemError(code).reason])
    case .notAFile: self.init(.usage, "input-not-a-file", ["path": path])
    case .empty: self.init(.usage, "empty-file", ["path": path])
    case .tooLarge, .tooDeep: self.init(.usage, "signed-file-too-large", ["path": path])
    case .expands(let limit):
      self.init(.couldNotCheck, "signed-file-expands", ["path": path, "limit": limit >> 20])
    case .tooManySignatures(let limit):
      self.init(.couldNotCheck, "too-many-signatures", ["path": path, "limit": limit])
    case .unsupported(.encryptedPDF) where isSigning:
      self.init(.usage, "pdf-refused", ["path": path, "reason": Message("pdf-refusal.encryption")])
    case .unsupported(let container):
      self.init(
        .couldNotCheck, "signed-file-unsupported", ["path": path, "kind": container.text])
    case .noContents where isSigning:
      self.init(.usage, "signed-contents-missing", ["path": path])
    case .malformed(.encoding), .malformed(.contentInfo), .otherType, .noContents:
      self.init(.usage, "not-a-signed-file", ["path": path])
    case .malformed, .trailingBytes: self.init(.false, "signed-file-malformed", ["path": path])
    case .contentsChanged: self.init(.usage, "document-changed", ["path": path])
    case .unusableCertificate: self.init(.notCarried, "certificate-unusable")
    case .signatureFalse: self = .unsound(path: path)
    // The words of qpdf are in English, and for those who call the library.
    case .damaged where isSigning:
      self.init(.usage, "pdf-refused", ["path": path], key: "pdf-refused.damaged")
    case .damaged: self.init(.couldNotCheck, "pdf-damaged", ["path": path])
    case .needsPassword: self.init(.couldNotCheck, "pdf-needs-password", ["path": path])
    case .wrongPassword: self.init(.couldNotCheck, "pdf-wrong-password", ["path": path])
    case .refused(let refusal):
      self.init(.usage, "pdf-refused", ["path": path, "reason": refusal.text])
    case .nothingToStamp: self.init(.usage, "nothing-to-stamp", ["path": path])
    case .timeStamp(.unreachable(let reason)), .revocation(.unreachable(let reason)): self = reason
    case .timeStamp(.refused(let status, let words, let reasons)):
      let reason = (words + reasons).map(\.printable).filter { !$0.isEmpty }
      if reason.isEmpty {
        self.init(.serverRefused, "time-stamp-refused", ["status": status])
      } else {
        self.init(
          .serverRefused, "time-stamp-refused",
          ["status": status, "reason": reason.joined(separator: "; ")],
          key: "time-stamp-refused.reason")
      }
    case .timeStamp(.page): self.init(.serverRefused, "time-stamp-page")
    case .timeStamp(.malformed), .timeStamp(.otherAnswer), .timeStamp(.notProved(.false)):
      self.init(.false, "time-stamp-false")
    case .timeStamp(.notProved): self.init(.couldNotCheck, "time-stamp-not-proved")
    case .revocation(.issuerUnknown(let name)), .revocation(.noPath(let name)):
      self.init(.couldNotCheck, "issuer-not-found", ["name": name.text])
    case .revocation(.noAddress(let name)), .revocation(.noAnswer(let name)):
      self.init(.couldNotCheck, "revocation-unknown", ["name": name.text])
    case .revocation(.revoked(let name, at: let time)):
      self.init(.false, "certificate-revoked", ["name": name.text, "time": time])
    case .crypto(let error): self.init(error)
    }
  }
}

extension DocumentReport {
  /// Advice for the first signature whose issuer is not known, or for which the trusted lists cannot be read; nil without
  /// such.
  fileprivate var adviceOnIssuers: Message? {
    for signature in signatures {
      let damage = SignatureReport.Verdict.couldNotCheck(.servicesUnreadable)
      if [signature[.chain], signature[.revocation]].contains(damage) {
        return Message("trusted-lists-damaged.do")
      }
      switch signature[.chain] {
      case .couldNotCheck(.noTrustStore), .couldNotCheck(.issuerUnknown(_, lists: [])):
        return Message("issuer-not-known.do")
      case .couldNotCheck(.issuerUnknown(let name, let lists)):
        if let territory = name.territory, !lists.contains(territory) {
          return Message("issuer-of-other-list.do", ["territory": territory])
        }
        return Message("issuer-not-listed.do", ["lists": lists.joined(separator: ", ")])
      case nil, .proved, .false, .couldNotCheck: continue
      }
    }
    return inner.lazy.compactMap { $0.adviceOnIssuers }.first
  }
}

extension Certificate.DistinguishedName {
  /// The territory of the name's country; nil outside of the European Economic Area, whose states have trusted lists
  /// (Regulation (EU) 910/2014, article 22).
  fileprivate var territory: String? {
    let country = country?.uppercased()
    // ISO 3166 and TS 119 612 §5.3.10 differ about Greece.
    let territory = country == "GR" ? "EL" : country
    return territory.flatMap { Self.territories.contains($0) ? $0 : nil }
  }

  private static let territories: Set<String> = [
    "AT", "BE", "BG", "CY", "CZ", "DE", "DK", "EE", "EL", "ES", "FI", "FR", "HR", "HU", "IE", "IS",
    "IT", "LI", "LT", "LU", "LV", "MT", "NL", "NO", "PL", "PT", "RO", "SE", "SI", "SK",
  ]
}

extension DocumentError.Refusal {
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
    case .noSuchPage(let number): Message("pdf-refusal.page", ["page": number])
    case .textInMark(let text): Message("pdf-refusal.text-in-mark", ["text": text.printable])
    case .hiddenField(let name): Message("pdf-refusal.hidden-field", ["field": name.printable])
    case .transparencyInPDFA: Message("pdf-refusal.transparency-in-pdfa")
    case .structure(let part): Message("pdf-refusal.structure", ["part": part.printable])
    case .room(let needed, let given):
      Message("pdf-refusal.room", ["needed": needed, "given": given])
    }
  }
}

extension DocumentError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String {
    Diagnosis(self, path: Message.thisFile, isSigning: false).description
  }
}
