internal import CIECard
internal import RedirectFlow
internal import System

/// The chain of trust from a provider to an anchor (OpenID Federation §10), as CIE's federation has it: collected from
/// the provider up, proved from the anchor down with keys that are known beforehand.
struct TrustChain: Sendable {
  /// How many superiors there may be, the anchor among them.
  static let lengthLimit = 5
  /// How many superiors of one entity are asked.
  static let hintLimit = 8

  private let anchor: TrustAnchor
  private let line: ServiceLine
  /// What counts as now, asked for each statement: one may take its time.
  private let now: @Sendable () -> UTCTime

  /// - Parameter line: speaks to the servers that the service's description names, and to no others whatever a statement
  ///   says.
  init(to anchor: TrustAnchor, _ line: ServiceLine, now: @escaping @Sendable () -> UTCTime) {
    self.anchor = anchor
    self.line = line
    self.now = now
  }

  /// One step of the chain: a superior's word about itself, and about the entity below.
  private struct Step {
    let superior: EntityStatement
    let statement: EntityStatement
  }

  /// What the provider is, as far as all of its superiors allow it.
  func metadata(of provider: String) async throws(SignInError) -> TokenClaims {
    let leaf = try await configuration(of: provider)
    let steps = try await path(up: leaf, to: Self.lengthLimit, passing: [provider])
    let pinned: KeySet
    do throws(TokenProblem) { pinned = try KeySet(file: anchor.keyFile) } catch {
      throw SignInError(.token(error))
    }
    do throws(FederationProblem) {
      try prove(steps, leaf, pinned)
      if let mark = anchor.mark {
        try leaf.proveMark(mark, of: anchor.identifier, with: pinned, now: now())
      }
      return try resolved(leaf, steps)
    } catch {
      throw SignInError(.openID(.federation(error)))
    }
  }

  /// From the anchor down: each statement by the keys that the one above gives to who made it.
  private func prove(
    _ steps: [Step], _ leaf: EntityStatement, _ pinned: KeySet
  ) throws(FederationProblem) {
    var keys = pinned
    for (index, step) in steps.enumerated() {
      try step.superior.prove(with: keys)
      try step.statement.prove(with: keys)
      // CIE's anchor says it of itself, the standard wants it said of the one below.
      for most in [try step.superior.maximumPathLength(), try step.statement.maximumPathLength()] {
        if let most, steps.count - 1 - index > most { throw .tooLong }
      }
      keys = step.statement.keys
    }
    try leaf.prove(with: keys)
  }

  /// The provider's word about itself, changed by its superior (§3.1.3) and by the policies of all.
  private func resolved(
    _ leaf: EntityStatement, _ steps: [Step]
  ) throws(FederationProblem) -> TokenClaims {
    guard let own = try leaf.metadata("openid_provider") else { throw .noProvider }
    var members = own.members
    if let above = try steps.last?.statement.metadata("openid_provider") {
      members.merge(above.members) { _, new in new }
    }
    var policy = MetadataPolicy()
    for step in steps { try policy.narrow(by: step.statement.claims, for: "openid_provider") }
    try policy.apply(to: &members)
    do throws(TokenProblem) {
      return try TokenClaims(.object(members.map { (name: $0.key, value: $0.value) }))
    } catch {
      throw .statement(error)
    }
  }

  /// The steps from the anchor to an entity, the anchor's first.
  private func path(
    up entity: EntityStatement, to length: Int, passing: Set<String>
  ) async throws(SignInError) -> [Step] {
    guard length > 0 else { throw SignInError(.openID(.federation(.tooLong))) }
    var failure = SignInError(.openID(.federation(.noPath)))
    let hints: [String]
    do throws(FederationProblem) { hints = try entity.authorityHints() } catch {
      throw SignInError(.openID(.federation(error)))
    }
    // Where the anchor is the superior, nobody else needs to be asked.
    let asked =
      hints.contains(anchor.identifier)
      ? [anchor.identifier] : hints.filter { !passing.contains($0) }.prefix(Self.hintLimit)
    for hint in asked {
      do throws(SignInError) {
        let superior = try await configuration(of: hint)
        let statement = try await statement(by: superior, about: entity.subject)
        let above =
          hint == anchor.identifier
          ? []
          : try await path(up: superior, to: length - 1, passing: passing.union([hint]))
        return above + [Step(superior: superior, statement: statement)]
      } catch {
        guard error.reason != .cancelled else { throw error }
        failure = error
      }
    }
    throw failure
  }

  /// What an entity says of itself.
  private func configuration(of entity: String) async throws(SignInError) -> EntityStatement {
    let url: RedirectURL
    do throws(OpenIDProblem) {
      url = try OpenIDClient.wellKnown("openid-federation", of: entity)
    } catch {
      throw SignInError(.openID(error))
    }
    return try await fetched(url, by: entity, about: entity)
  }

  /// What a superior says of an entity.
  private func statement(
    by superior: EntityStatement, about entity: String
  ) async throws(SignInError) -> EntityStatement {
    let endpoint: RedirectURL
    do throws(FederationProblem) { endpoint = try superior.fetchEndpoint() } catch {
      throw SignInError(.openID(.federation(error)))
    }
    return try await fetched(
      endpoint.adding([QueryItem("sub", entity)]), by: superior.subject, about: entity)
  }

  private func fetched(
    _ url: RedirectURL, by issuer: String, about subject: String
  ) async throws(SignInError) -> EntityStatement {
    let answer = try await SignInError.onLine { () async throws(ExchangeProblem) in
      try await line.get(url)
    }
    guard answer.isSuccess else { throw SignInError(refusedBy: answer) }
    guard let token = answer.text else {
      throw SignInError(.openID(.federation(.statement(.malformed))))
    }
    do throws(FederationProblem) {
      return try EntityStatement(token, issuer: issuer, subject: subject, now: now())
    } catch {
      throw SignInError(.openID(.federation(error)))
    }
  }
}
