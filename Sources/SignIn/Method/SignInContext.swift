package import CIECard
package import RedirectFlow
internal import Glibc
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
  /// Blocks the thread; in tests it only moves the clock.
  private let sleep: @Sendable (Duration) -> Void
  /// The most time for one answer of a server.
  package let timeout: Duration
  /// How long a person may take elsewhere: in the browser, with the phone.
  package let patience: Duration
  /// The program's version, for servers that ask for it.
  package let version: String
  /// What the browser shows when the person has come back through it.
  package let returnWords: LoginConfiguration.ReturnWords
  private let trust: HTTPTrust
  private let cancellation = CancellationToken()
  private let make: ServiceLine.Maker?
  private let ends = Mutex<[@Sendable () -> Void]>([])

  /// - Parameters:
  ///   - trust: who may certify the servers.
  ///   - exchange: makes the user agent, in the place of the real one; for tests.
  package init(
    service: String, trust: HTTPTrust, timeout: Duration = .seconds(30),
    patience: Duration = .seconds(300), version: String = "1.0.0",
    returnWords: LoginConfiguration.ReturnWords = LoginConfiguration.ReturnWords(),
    now: @escaping @Sendable () -> UTCTime = { .now },
    sleep: @escaping @Sendable (Duration) -> Void = SignInContext.block(for:),
    exchange: ServiceLine.Maker? = nil
  ) throws(SignInError) {
    self.service = service
    self.trust = trust
    self.timeout = timeout
    self.patience = patience
    self.version = version
    self.returnWords = returnWords
    self.now = now
    self.sleep = sleep
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

  /// Makes a user agent, with a jar of cookies of its own.
  private var userAgent: ServiceLine.Maker {
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

  /// Pause between two questions to a server
  ///
  /// - Throws: `.cancelled`.
  package func pause(_ time: Duration) throws(SignInError) {
    // In short steps, because a sign-in that was ended must not wait for the next question.
    var left = time
    while left > .zero {
      guard !isCancelled else { throw SignInError(.cancelled) }
      let step = min(left, .milliseconds(100))
      sleep(step)
      left -= step
    }
  }

  /// Runs steps, which block, on a dedicated thread; when the task is cancelled, the sign-in ends.
  package func run<Value: Sendable, Failure: Error>(
    _ steps: @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      do throws(Failure) { return .success(try await CardActor().run(steps)) } catch {
        return .failure(error)
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// Blocks the thread for a time.
  package static func block(for time: Duration) {
    var left = timespec(
      tv_sec: Int(time.components.seconds),
      tv_nsec: Int(time.components.attoseconds / 1_000_000_000))
    nanosleep(&left, nil)
  }

  /// The field by which servers know the program.
  static let name = "cie-read"
}

extension SignInError {
  /// Makes an exchange; its failure is one of the sign-in.
  package static func onLine<Value: Sendable>(
    _ body: () throws(ExchangeProblem) -> Value
  ) throws(SignInError) -> Value {
    do { return try body() } catch { throw SignInError(error) }
  }

  /// An exchange that failed.
  package init(_ problem: ExchangeProblem) {
    self.init(problem == .http(.cancelled) ? .cancelled : .exchange(problem))
  }
}
