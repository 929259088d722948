/// Sign-in by a SPID provider from the service's list: the person logs in at the provider, in their own browser, and
/// returns to this machine (spid-ios, its two services; redirect-flow.md §5.2).
struct SPIDSignIn: Sendable {
  let base: RedirectURL
  let level: AuthenticationLevel?
  let hosts: Set<RedirectURL.Origin>
  /// Place where the login ends in the person's browser.
  let place: ReturnPlace
  /// Providers from a metadata file; empty without one.
  let metadata: [IdentityProviderMetadata]

  init(_ entry: inout ServiceEntry) throws(SignInError) {
    base = try entry.base("base")
    level = try entry.level()
    metadata = try entry.file("metadata").map(Self.providers) ?? []
    hosts = try entry.origins("hosts").union(metadata.flatMap(\.origins))
    place = try entry.returnPlace(of: base)
  }

  private static let metadataLimit = 1 << 20

  private static func providers(
    in file: String
  ) throws(SignInError) -> [IdentityProviderMetadata] {
    guard let bytes = try? PlainFile.read(file, limit: metadataLimit),
      let providers = try? IdentityProviderMetadata.read(bytes),
      providers.count <= SPIDWire.providerLimit,
      Set(providers.map(\.identifier)).count == providers.count
    else { throw .of(.wrongMember("metadata")) }
    return providers
  }

  var destinations: Set<RedirectURL.Origin> { hosts.union([base.origin]) }

  func begin(_ context: SignInContext) throws(SignInError) -> SignInState {
    let wire = SPIDWire(self, context)
    let (providers, explanations) =
      metadata.isEmpty
      ? try wire.providers()
      : (metadata.map(SignInState.ProviderRequired.Provider.init), [])
    // A single provider needs no choice.
    if providers.count == 1, let only = providers.first { return try wire.begin(at: only) }
    return .providerRequired(
      SignInState.ProviderRequired(
        providers: providers, explanations: explanations, context: context
      ) { provider throws(SignInError) in try wire.begin(at: provider) })
  }
}

extension IdentityProviderMetadata {
  /// Identifier of the choice: the host of the entity ID, if that is an address.
  fileprivate var identifier: String { (try? RedirectURL(entityID))?.host ?? entityID }
}

extension SignInState.ProviderRequired.Provider {
  fileprivate init(_ metadata: IdentityProviderMetadata) {
    self.init(
      metadata.identifier, name: metadata.name ?? UntrustedText(metadata.identifier),
      entity: metadata.entityID)
  }
}
