import CIECard
import RedirectFlow
import System

/// Each function's members in a request's object, and the command that answers it.
extension ServeCommand {
  func preparations(
    _ entry: PINEntry, in session: Session
  ) throws(Failure) -> [ServedFunction: ServiceRoutes.Preparation] {
    let trust = try holder.trust.store(in: session)
    let access = try holder.access(in: session)
    let login = LoginConfiguration(try LoginSettings.environment(environment))
    return [
      .info: { (_) throws(Failure) in
        { (card, session) throws(Failure) in try InfoCommand.outcome(of: card, in: session) }
      },
      .nis: { (object) throws(Failure) in
        let requireProved = try object.flag("requireProved")
        return { (card, session) throws(Failure) in
          try NISCommand.outcome(of: card, trust: trust, requireProved: requireProved, in: session)
        }
      },
      .verify: { (object) throws(Failure) in
        let (document, challenge) = (
          try DocumentRequest(&object),
          try object.string("challenge").map { (text) throws(Failure) in
            try VerifyCommand.challenge(text)
          }
        )
        return { (card, session) throws(Failure) in
          try VerifyCommand.outcome(
            of: card, openedWith: document.access, document.groups, challenge: challenge,
            validity: document.validity, trust: trust, in: session)
        }
      },
      .read: { (object) throws(Failure) in
        let document = try DocumentRequest(&object)
        guard let access = document.access else { throw .code(.missing(.can)) }
        return { (card, session) throws(Failure) in
          try ReadCommand.outcome(
            of: card, openedWith: access, document.groups, validity: document.validity,
            trust: trust, in: session)
        }
      },
      .cert: { (object) throws(Failure) in
        let held = try object.pin(by: entry)
        return { (card, session) throws(Failure) in
          var pin = try held.take()
          return try CertCommand.outcome(of: card, with: &pin, access, in: session)
        }
      },
      .sign: { (object) throws(Failure) in
        let held = try object.pin(by: entry)
        let digests = try Self.digests(&object)
        return { (card, session) throws(Failure) in
          var pin = try held.take()
          return try SignCommand.outcome(
            of: card, signing: digests, with: &pin, access, in: session)
        }
      },
      .login: { (object) throws(Failure) in
        let held = try object.pin(by: entry)
        guard let link = try object.string("link") else { throw .usage(.noStart) }
        return { (card, session) throws(Failure) in
          let card = HolderCard(card, code: try held.take(), access: access, in: session)
          return try LoginCommand.outcome(of: link, by: card, login, in: session)
        }
      },
    ]
  }

  /// The limit of signatures in one request.
  private static let mostDigests = 16

  private static func digests(_ object: inout RequestObject) throws(Failure) -> [Digest] {
    let name = try object.string("algorithm") ?? DigestOption.sha256.rawValue
    guard let algorithm = DigestOption(rawValue: name)?.algorithm else {
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
}

/// A request's data about the travel document.
private struct DocumentRequest: Sendable {
  /// The key to it; `nil` if the request has no CAN.
  let access: (@Sendable (Session) throws(Failure) -> AwaitedAccess)?
  let groups: Set<DataGroup>?
  let validity: ValidityDemand

  init(_ object: inout RequestObject) throws(Failure) {
    let can = try object.string("can")
    if let can {
      // Checked before a card is asked.
      _ = try AwaitedCode(.can, Secret([UInt8](can.utf8)))
      access = { (_) throws(Failure) in .can(try AwaitedCode(.can, Secret([UInt8](can.utf8)))) }
    } else {
      access = nil
    }
    groups = try object.texts("only").map { (names) throws(Failure) in
      try DataGroupList.groups(in: names.joined(separator: ","))
    }
    validity = ValidityDemand(isRequired: try object.flag("requireValid"))
  }
}
