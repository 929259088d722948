import CIECard
import CardWork
import DocumentSigning
import Pictures
import Primitives
import RedirectFlow

/// The work of each function, by the members of its object.
struct ServedWork: Sendable {
  let entry: PINEntry
  let trust: TrustStore?
  let access: HolderAccess
  let environment: LoginEnvironment
  let uploads: UploadStore

  /// Turns a request's object into the work for the card, without a command to the card.
  @Sendable func prepare(
    _ function: ServedFunction, _ object: RequestObject
  ) throws(Failure) -> ServedCard.Work {
    if let work = function.work {
      return try work.prepared(object.request(by: entry, [TrustChoice(trust), access]))
    }
    switch function {
    case .info, .nis, .verify, .pinChange, .pinUnblock, .status, .files: throw .unknownPath
    case .read: return try read(object)
    case .cert:
      return CertificateJob(pin: try object.code(by: entry), access: try terms(object)).outcome
    case .sign:
      let pin = try object.code(by: entry)
      return SignatureJob(
        digests: try Self.digests(object), pin: pin, access: try terms(object)
      ).outcome
    case .login:
      let pin = try object.code(by: entry)
      guard let link = try object.string("link") else {
        throw .found(Diagnosis(.usage, "no-start"))
      }
      return LoginJob(
        settings: LoginSettings(.link(link), LoginConfiguration(environment)), pin: pin,
        access: try terms(object)
      ).outcome
    case .signFiles: return try sign(object)
    case .checkFiles: return try check(object)
    case .extract: return try extract(object)
    case .doctor, .report:
      return { (card, context) throws(Failure) in
        var checkup = Checkup(
          conversation: card, anchors: trust, vouching: access.vouching, in: context)
        // No request asks for it.
        checkup.findings.removeAll { $0.name == "network" }
        var outcome = checkup.outcome()
        guard function == .report else { return outcome }
        let (text, card) = try checkup.report(can: nil, pin: nil, vouching: access.vouching)
        outcome.add(card, report: text, context.language)
        return outcome
      }
    case .register: return try register(object)
    case .openBrowser: return try openBrowser(object)
    }
  }

  /// The terms of a code, with the decision of the person about the last try.
  func terms(_ object: RequestObject) throws(Failure) -> HolderAccess {
    access.allowing(lastTry: try object.flag(HolderTerms.decision))
  }

  private func read(_ object: RequestObject) throws(Failure) -> ServedCard.Work {
    let document = try DocumentRequest(object)
    guard let key = document.key else { throw .code(.missing(.can)) }
    let job = DocumentJob(
      key: key, groups: document.groups, requiresValidity: document.requiresValidity, trust: trust)
    return { (card, context) throws(Failure) in
      var finding = try job.run(on: card, in: context)
      var photo = JSON.null
      do throws(PictureError) {
        photo =
          try finding.data.portrait.map { (portrait) throws(PictureError) in
            try portrait.json(context.interruption)
          } ?? .null
      } catch {
        finding.problem =
          context.interruption.isOver ? Failure.interrupted : .found(Diagnosis(error))
      }
      var outcome = CommandOutcome(finding, context.language)
      outcome.set(.init("photo", photo))
      return outcome
    }
  }

  private static let mostDigests = 16

  private static func digests(_ object: RequestObject) throws(Failure) -> [Digest] {
    let name = try object.string("algorithm") ?? Digest.Algorithm.sha256.rawValue
    guard let algorithm = Digest.Algorithm(rawValue: name) else {
      throw RequestObject.unfit("algorithm")
    }
    let texts = try object.texts("digests") ?? []
    let digests = texts.compactMap { text in
      [UInt8](hexadecimal: text).flatMap { Digest(algorithm, bytes: $0) }
    }
    guard (1...mostDigests).contains(digests.count), digests.count == texts.count else {
      throw RequestObject.unfit("digests")
    }
    return digests
  }

  private func register(_ object: RequestObject) throws(Failure) -> ServedCard.Work {
    let name = try object.string("what")
    guard let name, let what = Registrant(rawValue: name), Registrant.usual.contains(what) else {
      throw RequestObject.unfit("what")
    }
    let isWanted = try object.choice("on")
    return { (_, context) throws(Failure) in
      guard let isWanted else { return try BrowserStatusCommand().perform(in: context) }
      let (install, remove) = (BrowserInstallCommand(), BrowserRemoveCommand())
      (install.to, remove.from) = ([what], [what])
      var outcome = try isWanted ? install.perform(in: context) : remove.perform(in: context)
      outcome.command = isWanted ? BrowserInstallCommand.name : BrowserRemoveCommand.name
      return outcome
    }
  }

  private func openBrowser(_ object: RequestObject) throws(Failure) -> ServedCard.Work {
    let pin = try object.code(by: entry)
    guard let address = try object.string("address") else {
      throw .found(Diagnosis(.usage, "no-start"))
    }
    let page: RedirectURL = try mapError(try RedirectURL(asBrowsersRead: address)) {
      Failure.login(LoginError(.navigation(.url($0), .serviceProvider)))
    }
    let browser = try InstalledBrowser.required()
    return LoginJob(
      settings: LoginSettings(.page(page), LoginConfiguration(environment)), pin: pin,
      access: try terms(object), browser: browser
    ).outcome
  }
}

extension CardFunction {
  /// The work that a request asks for, without a command to the card.
  fileprivate static func prepared(_ request: Request) throws(Failure) -> ServedCard.Work {
    try Self(from: request).outcome
  }
}

/// A request's data about the travel document.
private struct DocumentRequest: Sendable {
  /// The key to it; `nil` if the request has no CAN.
  let key: DocumentKey?
  let groups: Set<DataGroup>?
  let requiresValidity: Bool

  init(_ object: RequestObject) throws(Failure) {
    key = try object.string("can").map { (can) throws(Failure) in
      // Checked before a card is asked.
      _ = try AwaitedCode(.can, Secret([UInt8](can.utf8)))
      return DocumentKey(can: can)
    }
    groups = try object.texts("only").map { (names) throws(Failure) in
      try DataGroupList.groups(named: names)
    }
    requiresValidity = try object.flag("requireValid")
  }
}

extension DataGroup.Portrait {
  /// The portrait in a format that browsers show.
  fileprivate func json(_ interruption: Interruption) throws(PictureError) -> JSON {
    let bytes = try format == .jpeg ? image : Picture(apart: self, interruption).jpeg()
    let text = String(decoding: Base64.encode(bytes), as: UTF8.self)
    return .object([.init("type", "image/jpeg"), .init("base64", text)])
  }
}
