import Foundation
import Glibc
import RedirectFlow
import Synchronization
import TestSupport
import Testing

/// The one sandbox that these tests share; they run one after the other.
enum SharedSandbox {
  private static let shared = Result { try Sandbox(["--slow-seconds", "20"]) }

  /// The sandbox, without a fault or a variant.
  static func fresh() throws -> Sandbox {
    let sandbox = try shared.get()
    try sandbox.clear()
    for name in ["script-link", "universal-link", "odd-token"] {
      try sandbox.turn(name, on: false)
    }
    return sandbox
  }
}

/// A person who agrees, or not, and records the questions.
final class TestPerson: LoginParticipant, LoginObserver {
  private let allowing: Bool
  private let agreeing: Bool
  private let state = Mutex(
    (
      shown: [LoginCard.CertificatePresentation](), asked: [ConsentRequest](),
      events: [LoginEvent]()
    ))
  private let onEvent: @Sendable (LoginEvent) -> Void

  init(
    allowing: Bool = true, agreeing: Bool = true,
    onEvent: @escaping @Sendable (LoginEvent) -> Void = { _ in }
  ) {
    self.allowing = allowing
    self.agreeing = agreeing
    self.onEvent = onEvent
  }

  var shown: [LoginCard.CertificatePresentation] { state.withLock { $0.shown } }
  var asked: [ConsentRequest] { state.withLock { $0.asked } }
  var events: [LoginEvent] { state.withLock { $0.events } }

  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool {
    state.withLock { $0.shown.append(presentation) }
    return allowing
  }

  func consents(to request: ConsentRequest) -> Bool {
    state.withLock { $0.asked.append(request) }
    return agreeing
  }

  func follow(_ event: LoginEvent) {
    state.withLock { $0.events.append(event) }
    onEvent(event)
  }
}

/// Records the calls.
final class TestDelegate: LoginDelegate {
  private let state = Mutex([String]())

  var calls: [String] { state.withLock { $0 } }

  func authenticationDidSucceed(_ outcome: LoginOutcome) { note("success") }
  func authenticationDidFail(error: LoginError) { note("error") }
  func authenticationWasCancelled() { note("cancelled") }

  private func note(_ call: String) { state.withLock { $0.append(call) } }
}

/// The sandbox's app, by both routes.
struct TestApp: AppAccess {
  let sandbox: Sandbox
  var outcome = "approve"
  var byLoopback = false

  func handOver(_ invitation: AppInvitation) throws(CancellationError) -> String? {
    do {
      let returned = try sandbox.app(invitation.appLink, outcome)
      guard byLoopback else { return returned }
      let address = invitation.returnAddress.adding([QueryItem("url", returned)]).text
      // A scheme handler brings it, while this one waits.
      let handler = try BackgroundVisit(address)
      handler.start()
      return nil
    } catch {
      Issue.record(error)
      throw CancellationError()
    }
  }
}

/// A scheme handler's visit to the loopback listener, on its own thread.
private struct BackgroundVisit {
  let address: String

  init(_ address: String) throws { self.address = address }

  func start() {
    let address = address
    // Not a task, because the blocking tests have all of the pool's threads.
    Thread.detachNewThread {
      _ = try? BuiltBinary(path: "/usr/bin/curl").run(["--silent", "--max-time", "60", address])
    }
  }
}

extension Sandbox {
  /// A configuration for it.
  func configuration(
    _ method: String = "client-certificate"
  ) throws -> LoginConfiguration {
    var configuration = LoginConfiguration(try LoginEnvironment(file: try environment(method)))
    configuration.timeout = .seconds(60)
    configuration.appTimeout = .seconds(60)
    return configuration
  }

  /// The beginning of a login.
  func login(_ query: String = "") throws -> RedirectURL {
    try RedirectURL(try address("spLogin") + query)
  }
}
