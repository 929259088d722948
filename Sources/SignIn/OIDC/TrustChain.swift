/// Trust chain from a provider to a trust anchor (OpenID Federation §10) in CIE's federation: collected from the
/// provider up, verified from the anchor down with keys that are known in advance.
struct TrustChain: Sendable {
  /// Maximum number of superiors, including the anchor.
  static let lengthLimit = 5
  /// Maximum number of superiors of one entity that are tried.
  static let hintLimit = 8

  let anchor: TrustAnchor
  /// Connects to the servers of the service description only, regardless of addresses in statements.
  let line: ServiceLine
  /// Current time, read for each statement, because a statement may take long to arrive.
  let now: @Sendable () -> UTCTime

  /// Step of the chain: the entity configuration of a superior, and its statement about the entity below.
  private struct Step {
    let superior: EntityStatement
    let statement: EntityStatement

    /// Constraints of both, because CIE's anchor has them in its configuration; the standard puts them into the
    /// statement about the subordinate.
    func constraints() throws(SignInError) -> [TrustConstraints] {
      [try TrustConstraints(superior), try TrustConstraints(statement)].compactMap { $0 }
    }
  }

  /// Resolves the provider's metadata under the policies of all superiors.
  func metadata(of provider: String) throws(SignInError) -> TokenClaims {
    let leaf = try configuration(of: provider)
    let steps = try path(up: leaf, to: Self.lengthLimit, passing: [provider])
    let pinned = try mapError(try KeySet(file: anchor.keyFile)) { (_: SignInError) in
      SignInError(.description(.wrongMember("trustAnchorKeys")))
    }
    try prove(steps, leaf, pinned)
    if let mark = anchor.mark {
      try leaf.proveMark(mark, of: anchor.identifier, with: pinned, now: now())
    }
    return try resolved(leaf, steps)
  }

  /// Verifies from the anchor down: each statement by keys that the superior above it attests for its issuer.
  private func prove(
    _ steps: [Step], _ leaf: EntityStatement, _ pinned: KeySet
  ) throws(SignInError) {
    var keys = pinned
    for (index, step) in steps.enumerated() {
      try step.superior.prove(with: keys)
      try step.statement.prove(with: keys)
      let subordinates = steps[index...].map(\.statement.subject)
      for constraints in try step.constraints() { try constraints.check(subordinates) }
      try MetadataPolicy.checkCritical(step.statement.claims)
      keys = step.statement.keys
    }
    try leaf.prove(with: keys)
  }

  /// Resolves the provider's own metadata: overridden by its superior's (§3.1.3), if all constraints allow a provider
  /// (§6.2.3), then under the policies of all.
  private func resolved(
    _ leaf: EntityStatement, _ steps: [Step]
  ) throws(SignInError) -> TokenClaims {
    guard let own = try leaf.metadata("openid_provider") else { throw .federation(.noProvider) }
    var members = own.members
    if let above = try steps.last?.statement.metadata("openid_provider") {
      members.merge(above.members) { _, new in new }
    }
    for step in steps {
      for constraints in try step.constraints() where !constraints.allows("openid_provider") {
        throw .federation(.noProvider)
      }
    }
    var policy = MetadataPolicy()
    for step in steps { try policy.narrow(by: step.statement.claims, for: "openid_provider") }
    try policy.apply(to: &members)
    return try mapError(try TokenClaims(.object(members.map { (name: $0.key, value: $0.value) }))) {
      (error: SignInError) in
      error.ofStatement
    }
  }

  /// Collects the steps from the anchor to an entity, the anchor's first.
  private func path(
    up entity: EntityStatement, to length: Int, passing: Set<String>
  ) throws(SignInError) -> [Step] {
    guard length > 0 else { throw .federation(.tooLong) }
    var failure = SignInError.federation(.noPath)
    let hints = try entity.authorityHints()
    // With the anchor as a superior, the others need no request.
    let asked =
      hints.contains(anchor.identifier)
      ? [anchor.identifier] : hints.filter { !passing.contains($0) }.prefix(Self.hintLimit)
    for hint in asked {
      do throws(SignInError) {
        let superior = try configuration(of: hint)
        let statement = try statement(by: superior, about: entity.subject)
        let above =
          hint == anchor.identifier
          ? []
          : try path(up: superior, to: length - 1, passing: passing.union([hint]))
        return above + [Step(superior: superior, statement: statement)]
      } catch {
        guard error.cause != .cancelled else { throw error }
        failure = error
      }
    }
    throw failure
  }

  private func configuration(of entity: String) throws(SignInError) -> EntityStatement {
    let url = try OpenIDClient.wellKnown("openid-federation", of: entity)
    return try fetched(url, by: entity, about: entity)
  }

  private func statement(
    by superior: EntityStatement, about entity: String
  ) throws(SignInError) -> EntityStatement {
    let endpoint = try superior.fetchEndpoint()
    return try fetched(
      endpoint.adding([QueryItem("sub", entity)]), by: superior.subject, about: entity)
  }

  private func fetched(
    _ url: RedirectURL, by issuer: String, about subject: String
  ) throws(SignInError) -> EntityStatement {
    guard let token = try line.get(url).granted().text else {
      throw .federation(.statement(.malformed))
    }
    return try EntityStatement(token, issuer: issuer, subject: subject, now: now())
  }
}
