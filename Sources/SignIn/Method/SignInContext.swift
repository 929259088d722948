package import CIECard
package import RedirectFlow
internal import Synchronization
internal import System

/// What every method gets: the way to the servers, the clock, randomness, and the end that somebody may put to it.
package final class SignInContext: Sendable {
  /// The service's name, as its description has it.
  package let service: String
  /// What a provider may find in its log: this sign-in, and nothing about the person.
  package let processID: String
  /// What counts as now.
  package let now: @Sendable () -> UTCTime
  /// Waits; tests do not.
  package let sleep: @Sendable (Duration) async throws -> Void
  /// The most time for one answer of a server.
  package let timeout: Duration
  /// How long a person may take elsewhere: in the browser, with the phone.
  package let patience: Duration
  /// What the browser shows when the person has come back through it.
  package let returnWords: LoginConfiguration.ReturnWords
  /// The card for the methods that need one: with what asks for its PIN.
  package let card: @Sendable (@escaping LoginCard.PINEntry) -> LoginCard
  private let trust: HTTPTrust
  private let cancellation = CancellationToken()
  private let make: ServiceLine.Maker?
  private let ends = Mutex<[@Sendable () -> Void]>([])

  /// - Parameters:
  ///   - trust: who may certify the servers.
  ///   - exchange: makes the user agent, in the place of the real one; for tests.
  ///   - card: makes the card for a method; the reader's, unless said otherwise.
  package init(
    service: String, trust: HTTPTrust, timeout: Duration = .seconds(30),
    patience: Duration = .seconds(300),
    returnWords: LoginConfiguration.ReturnWords = LoginConfiguration.ReturnWords(),
    now: @escaping @Sendable () -> UTCTime = { .now },
    sleep: @escaping @Sendable (Duration) async throws -> Void = { try await Task.sleep(for: $0) },
    card: @escaping @Sendable (@escaping LoginCard.PINEntry) -> LoginCard = { .reader(pin: $0) },
    exchange: ServiceLine.Maker? = nil
  ) throws(SignInError) {
    self.service = service
    self.trust = trust
    self.timeout = timeout
    self.patience = patience
    self.returnWords = returnWords
    self.now = now
    self.sleep = sleep
    self.card = card
    make = exchange
    // A version 4 UUID (RFC 9562 §5.4), as the kits' servers expect one.
    var bytes = try Self.random(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let digits = bytes.hexadecimal.lowercased()
    var parts: [Substring] = []
    var rest = digits[...]
    for length in [8, 4, 4, 4, 12] {
      parts.append(rest.prefix(length))
      rest = rest.dropFirst(length)
    }
    processID = parts.joined(separator: "-")
  }

  /// A line to these servers and no others, in a jar of cookies of its own.
  package func line(
    to origins: Set<RedirectURL.Origin>, headers: [HTTPResponse.Header] = []
  ) -> ServiceLine {
    ServiceLine(to: origins, headers: headers, userAgent)
  }

  /// A line for the last word of a sign-in that was ended: that does not end it, and it has little time.
  package func lastLine(to origins: Set<RedirectURL.Origin>) -> ServiceLine {
    if let make { return ServiceLine(to: origins, make) }
    let settings = HTTPSettings(
      trust: trust, userAgent: Self.name, timeout: min(timeout, .seconds(3)),
      cancellation: CancellationToken())
    return ServiceLine(to: origins) { () throws(HTTPError) in try HTTPClient(settings) }
  }

  /// Makes a user agent, with a jar of cookies of its own.
  package var userAgent: ServiceLine.Maker {
    if let make { return make }
    let settings = HTTPSettings(
      trust: trust, userAgent: Self.name, timeout: timeout, cancellation: cancellation)
    return { () throws(HTTPError) in try HTTPClient(settings) }
  }

  /// Random letters and digits: `state`, `nonce` and code verifiers (at least 32, redirect-flow §6.16).
  package static func randomText(_ count: Int) throws(SignInError) -> String {
    // 64 characters, so that each takes six bits evenly; all are unreserved (RFC 3986 §2.3, RFC 7636 §4.1).
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String(try random(count).map { alphabet[Int($0 & 0x3F)] })
  }

  /// Random bytes.
  package static func random(_ count: Int) throws(SignInError) -> [UInt8] {
    var source = SystemRandom()
    do throws(CryptoError) { return try source.bytes(count) } catch {
      throw SignInError(.cryptography)
    }
  }

  /// Until when a person who goes elsewhere now is waited for.
  package var endOfPatience: UTCTime {
    UTCTime(seconds: now().seconds + patience.components.seconds)
  }

  /// Ends everything that waits, from any thread.
  package func cancel() {
    cancellation.cancel()
    ends.withLock { $0 }.forEach { $0() }
  }

  /// Has something done when the sign-in is ended; at once, where it is ended already.
  package func onCancel(_ body: @escaping @Sendable () -> Void) {
    ends.withLock { $0.append(body) }
    if isCancelled { body() }
  }

  /// Whether somebody has ended it.
  package var isCancelled: Bool { cancellation.isCancelled }

  /// Waits between two questions to a server.
  ///
  /// - Throws: `.cancelled`.
  package func pause(_ time: Duration) async throws(SignInError) {
    // In short steps: a sign-in that was ended does not wait for the next question.
    var left = time
    while left > .zero {
      guard !isCancelled else { throw SignInError(.cancelled) }
      let step = min(left, .milliseconds(500))
      do { try await sleep(step) } catch { throw SignInError(.cancelled) }
      left -= step
    }
  }

  /// The field by which servers know the program.
  static let name = "cie-read"
}

extension SignInError {
  /// Makes an exchange; its failure is one of the sign-in.
  package static func onLine<Value: Sendable>(
    _ body: () async throws(ExchangeProblem) -> Value
  ) async throws(SignInError) -> Value {
    do { return try await body() } catch { throw SignInError(error) }
  }

  /// An exchange that failed.
  package init(_ problem: ExchangeProblem) {
    self.init(problem == .http(.cancelled) ? .cancelled : .exchange(problem))
  }
}
