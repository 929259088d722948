internal import Glibc
package import Primitives

/// The conversation with a remote-controlled browser, on one thread.
struct DevToolsConnection: ~Copyable {
  /// The longest message, in bytes: a page's bytes in base64, and more.
  static let messageLimit = 64 << 20
  /// The length of one wait, in milliseconds, between checks whether the login was cancelled, or the wait is over.
  private static let patience: CInt = 50

  private let browser: any RemoteBrowser
  private let token: CancellationToken
  private var unread: [UInt8] = []
  /// The length of the part of `unread` that is known to hold no end of a message.
  private var searched = 0
  private var events: [DevToolsEvent] = []
  private var commandCount = 0

  init(_ browser: any RemoteBrowser, _ token: CancellationToken) {
    self.browser = browser
    self.token = token
  }

  /// Sends a command and does not wait.
  ///
  /// - Parameter session: the session with a tab; `nil` for the browser as a whole.
  @discardableResult mutating func send(
    _ name: String, _ parameters: [JSON.Member] = [], in session: String?
  ) throws(LoginError) -> Int {
    commandCount += 1
    var command: [JSON.Member] = [
      .init("id", commandCount), .init("method", name), .init("params", .object(parameters)),
    ]
    if let session { command.append(.init("sessionId", session)) }
    try mapError(try browser.commands.writeAll([UInt8](JSON.object(command).text.utf8) + [0])) {
      (_: SystemError) in ended
    }
    return commandCount
  }

  /// Begins or ends to report tabs.
  ///
  /// - Parameter isPausing: true if a new tab waits for a command.
  @discardableResult mutating func setAutoAttach(
    _ isOn: Bool, pausing isPausing: Bool
  ) throws(LoginError) -> Int {
    try send(
      "Target.setAutoAttach",
      [
        .init("autoAttach", isOn), .init("waitForDebuggerOnStart", isPausing),
        .init("flatten", true),
        .init(
          "filter",
          .array([
            .object([.init("type", "page"), .init("exclude", false)]),
            .object([.init("exclude", true)]),
          ])),
      ], in: nil)
  }

  /// Waits for the result of a command; keeps the events that come meanwhile.
  ///
  /// - Returns: the result; `nil` when the command failed.
  mutating func result(of number: Int) throws(LoginError) -> JSONValue? {
    while true {
      switch try message(until: nil) {
      case .answer(number, let result): return result
      case .answer, nil: continue
      case .event(let event): events.append(event)
      }
    }
  }

  /// The next message: a kept event, or any new one.
  ///
  /// - Returns: `nil` when the wait is over.
  mutating func next(until end: CancellationToken?) throws(LoginError) -> DevToolsMessage? {
    events.isEmpty ? try message(until: end) : .event(events.removeFirst())
  }

  private mutating func message(
    until isOver: CancellationToken?
  ) throws(LoginError) -> DevToolsMessage? {
    while true {
      if let end = unread[searched...].firstIndex(of: 0) {
        let bytes = [UInt8](unread[..<end])
        unread.removeFirst(end + 1)
        searched = 0
        guard let message = DevToolsMessage(bytes) else { throw LoginError(.browserFailed) }
        return message
      }
      searched = unread.count
      guard unread.count <= Self.messageLimit else { throw LoginError(.browserFailed) }
      guard let bytes = try read(until: isOver) else { return nil }
      unread += bytes
    }
  }

  private func read(until isOver: CancellationToken?) throws(LoginError) -> [UInt8]? {
    while true {
      guard !token.isCancelled else { throw LoginError(.cancelled) }
      if let isOver, isOver.isCancelled { return nil }
      var descriptors = [pollfd(fd: browser.messages.rawValue, events: Int16(POLLIN), revents: 0)]
      guard poll(&descriptors, 1, Self.patience) > 0 else { continue }
      let bytes = (try? browser.messages.read(atMost: 64 << 10)) ?? []
      guard !bytes.isEmpty else { throw ended }
      return bytes
    }
  }

  /// The reason why the browser is gone: the person has closed it, or it failed.
  private var ended: LoginError { LoginError(browser.hasFailed() ? .browserFailed : .cancelled) }
}

/// A message of the browser: the answer to a command, or an event.
enum DevToolsMessage: Sendable {
  /// The result of the command with this number; `nil` when it failed.
  case answer(to: Int, JSONValue?)
  case event(DevToolsEvent)

  /// Reads a message without the zero at its end; `nil` for an invalid one.
  init?(_ bytes: [UInt8]) {
    guard let value = try? JSONValue(bytes) else { return nil }
    if let number = value["id"]?.integer {
      self = .answer(to: number, value["result"])
    } else if let name = value["method"]?.text, let values = value["params"] {
      self = .event(DevToolsEvent(name: name, session: value["sessionId"]?.text, values: values))
    } else {
      return nil
    }
  }
}

struct DevToolsEvent: Sendable {
  /// `Domain.event`.
  let name: String
  /// The session with a tab that it belongs to; `nil` for the browser as a whole.
  let session: String?
  let values: JSONValue
}

/// A browser that takes commands and sends events, as zero-ended JSON (Chrome DevTools Protocol): a Chromium that was
/// started with `--remote-debugging-pipe`, or a Firefox in which the script for it runs (`FirefoxScript`). No port is
/// open, so no other process can command it.
package protocol RemoteBrowser: Sendable {
  var messages: FileDescriptor { get }
  var commands: FileDescriptor { get }

  /// Returns true if the browser has ended otherwise than by being closed; it may wait for the process.
  func hasFailed() -> Bool
}
