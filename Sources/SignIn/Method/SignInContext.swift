internal import Glibc
internal import Synchronization

/// Services for every method: connections, the clock, random numbers and cancellation.
package final class SignInContext: Sendable {
  /// Factory of the HTTP client, in tests of a script.
  package typealias Maker = @Sendable () throws(HTTPError) -> any PageExchange

  let service: String
  /// Identifier of this sign-in for server logs, without personal data.
  let processID: String
  let now: @Sendable () -> UTCTime
  /// Blocks the thread; tests only move the clock.
  private let sleep: @Sendable (Duration) -> Void
  /// Maximum time for one response of a server.
  let timeout: Duration
  /// Maximum time for the person to act elsewhere: in the browser, on the phone.
  let patience: Duration
  /// Version of the program, for servers that ask for it.
  let version: String
  /// Texts of the page that the browser shows after its return.
  let returnWords: ReturnWords
  let trust: String?
  let cancellation = CancellationToken()
  let make: Maker?
  private let ends = Mutex<[@Sendable () -> Void]>([])

  /// - Parameters:
  ///   - trust: PEM file with the only authorities that may certify the servers; `nil` for the system's.
  ///   - exchange: replaces the HTTP client; for tests.
  package init(
    service: String, trust: String?, timeout: Duration = .seconds(30),
    patience: Duration = .seconds(300), version: String = "1.0.0",
    returnWords: ReturnWords = ReturnWords(),
    now: @escaping @Sendable () -> UTCTime = { .now },
    sleep: @escaping @Sendable (Duration) -> Void = SignInContext.block(for:),
    exchange: Maker? = nil
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
    // A version 4 UUID (RFC 9562 §5.4), because the kits' servers expect one.
    var bytes = try Self.random(16)
    bytes[6] = bytes[6] & 0x0F | 0x40
    bytes[8] = bytes[8] & 0x3F | 0x80
    let groups = [bytes[0..<4], bytes[4..<6], bytes[6..<8], bytes[8..<10], bytes[10...]]
    processID = groups.map { [UInt8]($0).hexadecimal.lowercased() }.joined(separator: "-")
  }

  /// Random letters, digits, `-` and `_`, for `state`, `nonce` and code verifiers (at least 32, redirect-flow §6.16).
  static func randomText(_ count: Int) throws(SignInError) -> String {
    // 64 characters, so that each takes six bits without bias; all are unreserved (RFC 3986 §2.3, RFC 7636 §4.1).
    let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
    return String(try random(count).map { alphabet[Int($0 & 0x3F)] })
  }

  static func random(_ count: Int) throws(SignInError) -> [UInt8] {
    var source = SystemRandom()
    return try mapError(try source.bytes(count)) { (_: CryptoError) in SignInError(.cryptography) }
  }

  /// End of the wait for a person who goes elsewhere now.
  var endOfPatience: UTCTime {
    UTCTime(seconds: now().seconds + patience.components.seconds)
  }

  /// Cancels all waiting calls, from any thread.
  func cancel() {
    cancellation.cancel()
    ends.withLock { $0 }.forEach { $0() }
  }

  /// Calls `body` when the sign-in is cancelled; at once if it already is.
  func onCancel(_ body: @escaping @Sendable () -> Void) {
    ends.withLock { $0.append(body) }
    if isCancelled { body() }
  }

  var isCancelled: Bool { cancellation.isCancelled }

  /// Pauses between two requests to a server.
  ///
  /// - Throws: `.cancelled`.
  func pause(_ time: Duration) throws(SignInError) {
    // Short steps, because a cancelled sign-in must not wait for the next request.
    var left = time
    while left > .zero {
      guard !isCancelled else { throw SignInError(.cancelled) }
      let step = min(left, .milliseconds(100))
      sleep(step)
      left -= step
    }
  }

  /// Runs blocking steps on a dedicated thread; cancelling the task cancels the sign-in.
  func run<Value: Sendable, Failure: Error>(
    _ steps: @Sendable () throws(Failure) -> Value
  ) async throws(Failure) -> Value {
    let result: Result<Value, Failure> = await withTaskCancellationHandler {
      do throws(Failure) { return .success(try await BlockingActor().run(steps)) } catch {
        return .failure(error)
      }
    } onCancel: {
      cancel()
    }
    return try result.get()
  }

  /// Runs steps with a server that gets this sign-in's identifier: their errors have it, unless the server names another.
  func correlated<Value>(
    _ steps: @autoclosure () throws(SignInError) -> Value
  ) throws(SignInError) -> Value {
    try mapError(try steps()) { (error: SignInError) in error.correlated(processID) }
  }

  static func block(for time: Duration) {
    var left = timespec(
      tv_sec: Int(time.components.seconds),
      tv_nsec: Int(time.components.attoseconds / 1_000_000_000))
    nanosleep(&left, nil)
  }

  /// User agent name of the program for servers.
  static let name = "cie-read"
}
