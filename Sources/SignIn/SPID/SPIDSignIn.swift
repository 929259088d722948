internal import CIECard
internal import RedirectFlow
internal import System

/// A provider of SPID, chosen from the service's list: the person logs in at the provider, in their own browser, and comes
/// back to this machine (spid-ios, its two services; redirect-flow.md §5.2).
///
/// Its entry: `base`, below which `list-providers`, `auth-spid` and `user` lie; if wanted, `level` (1 to 3), `hosts`, the
/// providers' servers besides the service's own, `metadata`, a file with the providers' SAML metadata, which takes the
/// place of the service's list and names their servers, and `assisted`, which is `false` only with a test server on this
/// machine: the pages are then filled in here.
package struct SPIDSignIn: LoginMethod {
  package static let name = SignInMethod.spid

  let base: RedirectURL
  let level: Int?
  let hosts: Set<RedirectURL.Origin>
  /// The providers, where a file describes them.
  let metadata: [IdentityProviderMetadata]
  /// Whether the person logs in in their own browser.
  package let isAssisted: Bool

  /// What the service's `auth-spid` has answered, where somebody else has asked it.
  package var answer: [UInt8]?

  package init(_ entry: inout ServiceEntry) throws(ServiceProblem) {
    base = try entry.base("base")
    switch entry.value("level") {
    case nil: level = nil
    case let value?:
      guard let number = value.integer, (1...3).contains(number) else {
        throw .wrongMember("level")
      }
      level = number
    }
    metadata = try entry.file("metadata").map(Self.providers) ?? []
    hosts = try entry.origins("hosts").union(metadata.flatMap(\.origins))
    switch entry.value("assisted") {
    case nil, .flag(true): isAssisted = true
    case .flag(false):
      // At a real provider a person types into their own browser, and sees where.
      guard ["localhost", "127.0.0.1", "[::1]"].contains(base.host) else {
        throw .insecure("assisted")
      }
      isAssisted = false
    default: throw .wrongMember("assisted")
    }
  }

  /// The longest file of metadata, in bytes.
  private static let metadataLimit = 1 << 20

  private static func providers(
    in file: String
  ) throws(ServiceProblem) -> [IdentityProviderMetadata] {
    guard let bytes = try? PlainFile.read(file, limit: metadataLimit),
      let providers = try? IdentityProviderMetadata.read(bytes),
      providers.count <= SPIDWire.providerLimit,
      Set(providers.map(\.identifier)).count == providers.count
    else { throw .wrongMember("metadata") }
    return providers
  }

  /// Where a request may go.
  var destinations: Set<RedirectURL.Origin> { hosts.union([base.origin]) }

  package func begin(_ context: SignInContext) async throws(SignInError) -> SignInState {
    if let answer { return try await begin(with: answer, context) }
    let wire = SPIDWire(self, context)
    let (providers, explanations) =
      metadata.isEmpty
      ? try await wire.providers()
      : (metadata.map(ProviderRequired.Provider.init), [])
    let login: SignInStep<ProviderRequired.Provider> = { provider async throws(SignInError) in
      isAssisted
        ? try await AssistedSPID(wire).begin(at: provider)
        : try await HeadlessSPID(wire).begin(try await wire.request(to: provider, returningTo: nil))
    }
    // Nobody is asked to choose from one.
    if providers.count == 1, let only = providers.first { return try await login(only) }
    return .providerRequired(
      ProviderRequired(providers, explanations: explanations, choosing: login))
  }

  /// Goes on from a request that somebody else got from the service.
  ///
  /// - Parameter answer: the JSON of `auth-spid`.
  /// - Throws: `.notOffered` at a real service: its page is for the person's browser, and ends there (`SPIDRequest`).
  package func begin(
    with answer: [UInt8], _ context: SignInContext
  ) async throws(SignInError) -> SignInState {
    guard !isAssisted else { throw SignInError(.notOffered) }
    return try await HeadlessSPID(SPIDWire(self, context))
      .begin(try SPIDRequest(json: answer, to: destinations))
  }
}

extension IdentityProviderMetadata {
  /// By what it is chosen: the host in its own name, where that is an address.
  fileprivate var identifier: String { (try? RedirectURL(entityID))?.host ?? entityID }
}

extension ProviderRequired.Provider {
  fileprivate init(_ metadata: IdentityProviderMetadata) {
    self.init(
      metadata.identifier, name: metadata.name ?? UntrustedText(metadata.identifier),
      entity: metadata.entityID)
  }
}
