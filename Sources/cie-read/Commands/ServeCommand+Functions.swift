import CIECard
import CardWork
import RedirectFlow
import Primitives

/// Each function's members in a request's object, and the command that answers it.
extension ServeCommand {
  func preparations(
    _ entry: PINEntry, in session: RunContext
  ) throws(Failure) -> [ServedFunction: ServiceRoutes.Preparation] {
    let trust = try holder.trust.store(in: session)
    let access = try holder.access(in: session)
    let login = LoginConfiguration(try LoginSettings.environment(environment))
    return [
      .info: { (_) throws(Failure) in InformationJob().outcome },
      .nis: { (object) throws(Failure) in
        ServicesNumberJob(trust: trust, requiresProof: try object.flag("requireProved")).outcome
      },
      .verify: { (object) throws(Failure) in
        let document = try DocumentRequest(&object)
        let challenge = try object.string("challenge").map { (text) throws(Failure) in
          try VerifyCommand.challenge(text)
        }
        return VerificationJob(
          key: document.key, groups: document.groups, challenge: challenge,
          demand: document.demand, trust: trust
        ).outcome
      },
      .read: { (object) throws(Failure) in
        let document = try DocumentRequest(&object)
        guard let key = document.key else { throw .code(.missing(.can)) }
        return DocumentJob(
          key: key, groups: document.groups, demand: document.demand, trust: trust
        ).outcome
      },
      .cert: { (object) throws(Failure) in
        CertificateJob(pin: try object.pin(by: entry), access: access).outcome
      },
      .sign: { (object) throws(Failure) in
        let pin = try object.pin(by: entry)
        return SignatureJob(digests: try Self.digests(&object), pin: pin, access: access).outcome
      },
      .login: { (object) throws(Failure) in
        let pin = try object.pin(by: entry)
        guard let link = try object.string("link") else { throw .usage(.noStart) }
        return LoginJob(settings: LoginSettings(link: link, login), pin: pin, access: access)
          .outcome
      },
    ]
  }

  /// The limit of signatures in one request.
  private static let mostDigests = 16

  private static func digests(_ object: inout RequestObject) throws(Failure) -> [Digest] {
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
}

/// A request's data about the travel document.
private struct DocumentRequest: Sendable {
  /// The key to it; `nil` if the request has no CAN.
  let key: DocumentKey?
  let groups: Set<DataGroup>?
  let demand: ValidityDemand

  init(_ object: inout RequestObject) throws(Failure) {
    key = try object.string("can").map { (can) throws(Failure) in
      // Checked before a card is asked.
      _ = try AwaitedCode(.can, Secret([UInt8](can.utf8)))
      return DocumentKey(can: can)
    }
    groups = try object.texts("only").map { (names) throws(Failure) in
      try DataGroupList.groups(in: names.joined(separator: ","))
    }
    demand = ValidityDemand(isRequired: try object.flag("requireValid"))
  }
}
