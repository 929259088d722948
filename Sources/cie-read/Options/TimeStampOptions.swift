import Arguments
import CIECard
import CardWork
import DocumentSigning
import Primitives
import RedirectFlow

/// The server of time stamps, and the trust in it.
struct TimeStampOptions: ParsableArguments {
  static let title: String? = "stamp"

  @Option(help: .text("option.tsa", value: "url")) var tsa: String?
  @Option(name: "tsa-trust", help: .text("option.tsa-trust", value: "path"), completion: .file())
  var trust: [String] = []
  @Option(name: "tsa-user", help: .text("option.tsa-user", value: "name")) var user: String?
  @OptionGroup var password = CodeOptions(.tsaPassword)
  @Option(name: "issuer", help: .text("option.issuer", value: "path"), completion: .file())
  var issuers: [String] = []

  /// The services and the trust for a level; nil for level B.
  func raised(
    to level: SignatureLevel, in session: RunContext
  ) throws(Failure) -> RaisedLevel? {
    let server = try server(in: session)
    guard (server != nil) == (level != .b) else { throw .usage("level-without-tsa") }
    let isProved = level == .lt || level == .lta
    guard issuers.isEmpty || isProved else { throw .usage("issuer-without-level") }
    guard let server, let level = level.raised else { return nil }
    let trust = TrustSource.merged(try TrustSource.read(issuers, at: session.time))
    return RaisedLevel(level: level, server: server, issuers: trust)
  }

  /// The server; nil without `--tsa`.
  private func server(in session: RunContext) throws(Failure) -> TimeStampServer? {
    guard let tsa else { return nil }
    guard let url = try? RedirectURL(tsa) else { throw .usage("bad-tsa") }
    let sources = try TrustSource.read(trust, at: session.time)
    guard let store = TrustSource.merged(sources) else { throw .usage("tsa-without-trust") }
    return TimeStampServer(
      url: url, trust: store, authorization: try authorization(for: url, in: session))
  }

  /// Basic authentication (RFC 7617): the password crosses the network, so only over TLS.
  private func authorization(
    for url: RedirectURL, in session: RunContext
  ) throws(Failure) -> String? {
    guard let user else {
      guard password.given.isEmpty else {
        throw .usage("tsa-password-without-user")
      }
      return nil
    }
    guard url.scheme == .https else { throw .usage("tsa-password-over-http") }
    var code = try password.code(session)
    let secret = try code.resolve(in: session)
    let pair = Array("\(user):".utf8) + secret.withBytes { [UInt8]($0) }
    return "Basic " + String(decoding: Base64.encode(pair), as: UTF8.self)
  }
}
