internal import CIECard
internal import RedirectFlow
internal import System

/// The chain of trust from a provider to an anchor. Not built yet: none is found.
struct TrustChain {
  init(to anchor: TrustAnchor, _ line: ServiceLine, now: UTCTime) {}
  func metadata(of issuer: String) async throws(SignInError) -> TokenClaims {
    throw SignInError(.openID(.federation(.noPath)))
  }
}
