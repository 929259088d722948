package import CIECard
import Dispatch
import Glibc
import Synchronization
import Primitives

/// SIGHUP, SIGINT, SIGQUIT and SIGTERM as a state that the program checks and waits for, instead of being killed by
/// them.
///
/// They are blocked everywhere and taken by one dedicated thread. The first one ends waiting for a card, a person or a
/// file, and keeps the next command from being sent to the card; so the values that hold card and terminal go away in
/// order. The running command has a moment to finish, then it is abandoned; a second signal abandons it at once. A
/// calculation that is not over soon after that ends with the program: the service resets the card of a program that is
/// gone.
package final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var count = 0
    var hasExpired = false
    var deadline: Int?
    /// The alarm of the deadline, until it has rung or its work is gone.
    var alarm: Alarm?
    var isGivenUp = false
    /// True if no more work may begin.
    var isOver: Bool { signal != nil || hasExpired || isGivenUp }
    var whileWaiting: (@Sendable () -> Void)?
    var always: (@Sendable () -> Void)?
    /// Ends the program in place of the thread that hangs.
    var terminationHandler: (@Sendable () -> Never)?
    /// A command is with the card.
    var isExchanging = false
    /// The program is already reporting its end.
    var isEnding = false
    /// The interruptions of parts of the program, which end with it.
    var parts: [Interruption] = []
  }

  /// The time that the running command has after a signal, in milliseconds: the slowest of a CIE takes about as long.
  private static let commandGrace = 800
  /// The time after a signal at which the program ends in any case, in milliseconds: within a second.
  private static let programGrace = 950
  /// The time after its deadline at which the program ends in any case, in seconds.
  private static let deadlineGrace = 5

  private let state = Mutex(State())
  private let settingPIN = Mutex<CardError.Step?>(nil)
  private let metCard = Mutex(false)
  /// A pipe that can be read once a signal has come, because it is never emptied.
  private let wake: Pipe?
  /// The interruption of the whole program, if this is one of a part.
  private let whole: Interruption?
  /// The alarms of the program and of its parts: one thread for all of them. A queue, because tasks do not come to run
  /// while others keep all of their threads.
  private let alarms: DispatchQueue

  /// Takes over the signals. To be called once, before there are other threads.
  ///
  /// - Parameter takesSignals: `false` in a process that has its own use for them.
  package init(takesSignals: Bool = true) {
    wake = try? Pipe()
    whole = nil
    alarms = DispatchQueue(label: "after the deadline")
    guard takesSignals else { return }
    Glibc.signal(SIGPIPE, SIG_IGN)
    // A file over the limit of its size (setrlimit(2)) is an error of write(2), after which nothing is left behind.
    Glibc.signal(SIGXFSZ, SIG_IGN)
    var set = Self.signals
    pthread_sigmask(SIG_BLOCK, &set, nil)
    DetachedThread.start { self.listen() }
  }

  /// The interruption of a part of the program, which can end before the rest.
  private init(within whole: Interruption) {
    wake = try? Pipe()
    self.whole = whole
    alarms = whole.alarms
  }

  /// Runs work that can be ended separately, such as one request of many; a signal ends it as well.
  package func withPart<Result>(
    _ body: (Interruption) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let part = Interruption(within: self)
    let signal = state.withLock { state in
      state.parts.append(part)
      return state.signal
    }
    defer { state.withLock { $0.parts.removeAll { $0 === part } } }
    if let signal { part.end { $0.signal = signal } }
    return try body(part)
  }

  /// The signals that are taken: without any that the parent process ignores, as a shell does with SIGINT for a
  /// background job.
  private static var signals: sigset_t {
    var set = sigset_t()
    sigemptyset(&set)
    for number in [SIGHUP, SIGINT, SIGQUIT, SIGTERM] {
      var action = sigaction()
      sigaction(number, nil, &action)
      let isIgnored =
        unsafeBitCast(action.__sigaction_handler.sa_handler, to: Int.self)
        == unsafeBitCast(SIG_IGN, to: Int.self)
      if !isIgnored { sigaddset(&set, number) }
    }
    return set
  }

  /// The step of a command that sets a PIN, from sending until the answer: for good without one.
  package var pinInFlight: CardError.Step? { settingPIN.withLock { $0 } }

  /// Notes the step when its command is sent, and `nil` at the answer.
  func note(settingPIN step: CardError.Step?) { settingPIN.withLock { $0 = step } }

  /// True once a card was opened, which is released when the program ends.
  package var hasMetCard: Bool { metCard.withLock { $0 } }

  func noteCard() {
    metCard.withLock { $0 = true }
    whole?.noteCard()
  }

  package var signal: Int32? { state.withLock { $0.signal } }

  /// True once the time is up (`expire(after:)`).
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// The deadline in seconds, if only that ended the program.
  package var passedDeadline: Int? {
    state.withLock { $0.signal == nil && $0.hasExpired ? $0.deadline : nil }
  }

  /// True if no more work may begin.
  package var isOver: Bool { state.withLock { $0.isOver } }

  /// Ends the program after a while as at a first signal: waits are given up, a card's command gets its answer, no
  /// further one is sent. If the program has not ended some seconds later, because a library hangs, its last word is
  /// called. A part that is gone by then leaves no alarm behind.
  func expire(after seconds: Int) {
    let alarm = Alarm(on: alarms, after: seconds, thenEvery: Self.deadlineGrace) { [weak self] in
      self?.ring()
    }
    state.withLock { ($0.deadline, $0.alarm) = (seconds, alarm) }
  }

  /// The alarm of the deadline: at first all work ends, at the second time the program does.
  private func ring() {
    guard hasExpired else { return end { $0.hasExpired = true } }
    state.withLock { $0.alarm?.cancel() }
    leaveCommand()
    endOverdue(alarms)
  }

  /// Ends all work now as at a first signal, because its purpose is gone.
  package func giveUp() { end { $0.isGivenUp = true } }

  private func end(_ note: (inout State) -> Void) {
    let cancel = state.withLock { state in
      note(&state)
      return state.whileWaiting
    }
    _ = write(wake?.writing ?? -1, [0 as UInt8], 1)
    cancel?()
  }

  /// Waits until a descriptor can be read or written.
  ///
  /// - Throws: `interrupted` when a signal comes, or has come. But a descriptor that can be written at once may be
  ///   written after a signal, too, to report it.
  package func wait(until descriptor: Int32, _ what: Readiness) throws(Failure) {
    var descriptors = [
      pollfd(fd: descriptor, events: what.events, revents: 0),
      pollfd(fd: wake?.reading ?? -1, events: Readiness.readable.events, revents: 0),
    ]
    if what == .readable, isOver { throw .interrupted }
    while true {
      let count = poll(&descriptors, nfds_t(descriptors.count), -1)
      if count < 0, errno == EINTR { continue }
      // Any event on the descriptor, errors too: reading or writing reports them.
      guard count > 0, descriptors[0].revents == 0 else { return }
      if isOver { throw .interrupted }
    }
  }

  /// Waits so many milliseconds, or less if it ends before.
  package func idle(for milliseconds: Int32) {
    var descriptor = pollfd(fd: wake?.reading ?? -1, events: Readiness.readable.events, revents: 0)
    poll(&descriptor, 1, milliseconds)
  }

  package enum Readiness {
    case readable
    case writable

    fileprivate var events: Int16 {
      switch self {
      case .readable: Int16(POLLIN)
      case .writable: Int16(POLLOUT)
      }
    }
  }

  /// Calls `cancel` when a signal comes while `body` runs, and from then on at the second signal.
  ///
  /// - Throws: `ChannelError.cancelled` when a signal has come already; else the error of `body`.
  package func cancelling<Result: ~Copyable>(
    _ cancel: @escaping @Sendable () -> Void, while body: () throws(ChannelError) -> Result
  ) throws(ChannelError) -> Result {
    let isLate = state.withLock { state in
      state.whileWaiting = cancel
      state.always = cancel
      return state.isOver
    }
    defer { state.withLock { $0.whileWaiting = nil } }
    guard !isLate else { throw .cancelled }
    return try body()
  }

  /// Calls `body` to end the program if it has not begun to end by itself soon after a signal.
  package func whenOverdue(_ body: @escaping @Sendable () -> Never) {
    state.withLock { $0.terminationHandler = body }
  }

  /// Makes this thread the only one to report the program's end; does not return if another one is.
  package func beginEnd() {
    let isLate = state.withLock { state in
      defer { state.isEnding = true }
      return state.isEnding
    }
    while isLate { pause() }
  }

  /// Runs an exchange with the card. One in a reader is abandoned in time, so one that still runs then is the software
  /// card's, which finishes.
  func exchanging<Result>(
    _ body: () throws(ChannelError) -> Result
  ) throws(ChannelError) -> Result {
    state.withLock { $0.isExchanging = true }
    defer { state.withLock { $0.isExchanging = false } }
    guard let whole else { return try body() }
    return try whole.exchanging(body)
  }

  private func endOverdue(_ queue: DispatchQueue) {
    let (terminationHandler, isEarly) = state.withLock { state in
      let isEarly = state.isExchanging && !state.isEnding
      let terminationHandler = state.isEnding || isEarly ? nil : state.terminationHandler
      if terminationHandler != nil { state.isEnding = true }
      return (terminationHandler, isEarly)
    }
    terminationHandler?()
    guard isEarly else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.commandGrace)) { self.endOverdue(queue) }
  }

  /// Releases the closure that `cancelling` keeps for the second signal.
  package func forget() { state.withLock { $0.always = nil } }

  /// Takes note of a signal.
  ///
  /// - Returns: `true` if it is the first.
  private func take(_ number: Int32) -> Bool {
    let (cancel, isFirst, parts) = state.withLock { state in
      state.count += 1
      if state.signal == nil { state.signal = number }
      return (state.count > 1 ? state.always : state.whileWaiting, state.count == 1, state.parts)
    }
    _ = write(wake?.writing ?? -1, [0 as UInt8], 1)
    cancel?()
    for part in parts { _ = part.take(number) }
    return isFirst
  }

  private func leaveCommand() {
    let (always, parts) = state.withLock { ($0.always, $0.parts) }
    always?()
    for part in parts { part.leaveCommand() }
  }

  private func listen() -> Never {
    var set = Self.signals
    while true {
      var number: Int32 = 0
      guard sigwait(&set, &number) == 0, take(number) else { continue }
      let queue = DispatchQueue(label: "after a signal")
      queue.asyncAfter(deadline: .now() + .milliseconds(Self.commandGrace)) { self.leaveCommand() }
      queue.asyncAfter(deadline: .now() + .milliseconds(Self.programGrace)) {
        self.endOverdue(queue)
      }
    }
  }

  deinit { wake?.close() }
}
