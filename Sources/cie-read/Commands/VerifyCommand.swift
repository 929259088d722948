import ArgumentParser
import CIECard

/// `cie-read verify`: whether the card, or what was saved of it, is genuine, point by point.
struct VerifyCommand: CardCommand {
  static var configuration: CommandConfiguration {
    CommandConfiguration(
      "verify", it: "Verifica l'autenticità della carta, punto per punto; senza PIN.",
      en: "Verify the authenticity of the card, point by point; without a PIN.",
      discussion: Bilingual(
        it: """
          Da solo giudica il lato IAS. Con il CAN (--can, --can-fd) o la zona a lettura ottica \
          (--mrz-file; --document, --birth, --expiry) giudica prima il documento di viaggio, nello \
          stesso contatto. Esce con 0 se tutto è provato, con 10 se qualcosa è falso, altrimenti \
          con 13: anche per un documento che non offre prova del chip, e per file salvati (--from), \
          perché potrebbero essere copie.
          """,
        en: """
          By itself it judges the IAS side. With the CAN (--can, --can-fd) or the machine readable \
          zone (--mrz-file; --document, --birth, --expiry) it judges the travel document first, in \
          the same contact. It exits with 0 if everything is proved, with 10 if anything is \
          false, else with 13: also for a document that offers no proof of its chip, and for \
          saved files (--from), because they could be copies.
          """))
  }

  @OptionGroup var access: AccessOptions

  @Option(
    help: .text(
      it: "Gruppi di dati da leggere, come dg1,dg2; DG1, DG12, DG14 e DG15 sempre.",
      en: "Data groups to read, such as dg1,dg2; DG1, DG12, DG14 and DG15 always.",
      value: "groups"))
  var only: String?

  @Option(
    help: .text(
      it: "Giudica i file che read --out ha salvato, senza carta.",
      en: "Judge the files that read --out saved, without a card.", value: "folder"))
  var from: String?

  @Option(
    help: .text(
      it: "Da 8 a 102 byte in esadecimale che il chip (IAS) deve firmare (altrimenti casuali).",
      en: "8 to 102 bytes in hexadecimal that the chip (IAS) is to sign (else random ones).",
      value: "hex"))
  var challenge: String?
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var trust: TrustOptions
  @OptionGroup var source: SourceOptions
  @OptionGroup var output: OutputOptions

  func perform(in session: Session) throws(Failure) -> Outcome {
    let verification = try verification(in: session)
    var outcome = Outcome(verification, session.language)
    outcome.failure = validity.failure(
      verification.document?.validity, besides: outcome.failure)
    return outcome
  }

  private func verification(in session: Session) throws(Failure) -> Verification {
    if let from {
      guard !access.isGiven, only == nil, challenge == nil, !source.isGiven else {
        throw .usage(.document(.folderWithCard))
      }
      return try SavedDocument.verify(from, trust: try trust.store(in: session), in: session)
    }
    let groups = try groups()
    let ias = EvidenceJob(
      scope: .everythingFree, challenge: try challengeBytes(), trust: try trust.store(in: session))
    let source = try source.source()
    guard access.isGiven else {
      guard only == nil else { throw .usage(.document(.groupsWithoutCode)) }
      let finding = try source.perform(ias, as: self.source.conversation, in: session)
      return Verification(document: nil, ias: finding)
    }
    let job = BothSidesJob(access: try access.access(session), groups: groups, ias: ias)
    return try source.perform(job, as: self.source.conversation, in: session)
  }

  private func challengeBytes() throws(Failure) -> [UInt8]? {
    guard let challenge else { return nil }
    guard let bytes = [UInt8](hexadecimal: challenge), (8...102).contains(bytes.count) else {
      throw .usage(.challenge)
    }
    return bytes
  }

  /// All that the card gives; or what is named, with the zone that says whose document it is, and the date of issue.
  private func groups() throws(Failure) -> Set<DataGroup> {
    guard let only else { return Set(DataGroup.allCases).subtracting(DataGroup.ofTheState) }
    return try DataGroupList.groups(in: only).union([.dg1, .dg12])
  }
}
