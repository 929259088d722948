import CIECard
import Dispatch
import Glibc
import Synchronization
import System

/// SIGHUP, SIGINT, SIGQUIT and SIGTERM as something that the program asks about and waits for, instead of being killed by them.
///
/// They are blocked everywhere and taken by one thread of their own. The first one ends waiting for a card, a
/// person or a file, and keeps the next command from being sent to the card; so the values that hold card and
/// terminal go away in order. The command that is running has a moment to come to its end, then it is left behind; a
/// second signal leaves it at once. A calculation that is not over soon after that ends with the program: the service
/// resets the card of a program that is gone.
final class Interruption: Sendable {
  private struct State {
    var signal: Int32?
    var count = 0
    var hasExpired = false
    var isGivenUp = false
    /// Nothing more is to be begun.
    var isOver: Bool { signal != nil || hasExpired || isGivenUp }
    var whileWaiting: (@Sendable () -> Void)?
    var always: (@Sendable () -> Void)?
    /// Ends the program in place of the thread that does not.
    var lastWord: (@Sendable () -> Never)?
    /// A command is with the card.
    var isExchanging = false
    /// The program is already telling how it ended.
    var isEnding = false
    /// Those of parts of the program, which end with it.
    var parts: [Interruption] = []
  }

  /// How long the running command may go on after a signal, in milliseconds: the slowest of a CIE takes about as long.
  private static let commandGrace = 800
  /// How long after a signal the program ends in any case, in milliseconds: within a second.
  private static let programGrace = 950

  private let state = Mutex(State())
  private let settingPIN = Mutex<CardError.Step?>(nil)
  /// A pipe that can be read once a signal has come; nobody empties it.
  private let wake: Pipe?
  /// That of the whole program, where this is one of a part.
  private let whole: Interruption?

  /// Takes over the signals. To be called once, before there are other threads.
  init() {
    wake = try? Pipe()
    whole = nil
    Glibc.signal(SIGPIPE, SIG_IGN)
    var set = Self.signals
    pthread_sigmask(SIG_BLOCK, &set, nil)
    var thread = pthread_t()
    let context = Unmanaged.passRetained(self).toOpaque()
    pthread_create(
      &thread, nil,
      { context in
        guard let context else { return nil }
        Unmanaged<Interruption>.fromOpaque(context).takeRetainedValue().listen()
      }, context)
    pthread_detach(thread)
  }

  /// That of a part of the program, which can end before the rest.
  private init(within whole: Interruption) {
    wake = try? Pipe()
    self.whole = whole
  }

  /// Does what can be ended by itself, such as one request of many; a signal ends it as well.
  func withPart<Result>(
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

  /// The signals that are taken: not one that whoever started us wants ignored, as a shell does with SIGINT for what
  /// it puts in the background.
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

  /// The step of a command that sets a PIN, from when it is sent until it is answered: for good where it never is.
  var pinInFlight: CardError.Step? { settingPIN.withLock { $0 } }

  /// Notes what is sent, and at its answer that nothing is.
  func note(settingPIN step: CardError.Step?) { settingPIN.withLock { $0 = step } }

  /// The first signal that came.
  var signal: Int32? { state.withLock { $0.signal } }

  /// Whether the time is up (`expire(after:)`).
  var hasExpired: Bool { state.withLock { $0.hasExpired } }

  /// Whether nothing more is to be begun.
  var isOver: Bool { state.withLock { $0.isOver } }

  /// Has the program end after a while as at a first signal: what waits gives up, a card that has been asked answers,
  /// nothing more is sent to it.
  func expire(after time: Duration) {
    Task { [weak self] in
      try? await Task.sleep(for: time)
      self?.end { $0.hasExpired = true }
    }
  }

  /// Has everything end now as at a first signal, because what it is done for is gone.
  func giveUp() { end { $0.isGivenUp = true } }

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
  /// - Throws: `interrupted` when a signal comes, or has come. But what can be written at once may be written after
  ///   a signal, too: that it came is also something to say.
  func wait(until descriptor: Int32, _ what: Readiness) throws(Failure) {
    var descriptors = [
      pollfd(fd: descriptor, events: what.events, revents: 0),
      pollfd(fd: wake?.reading ?? -1, events: Readiness.readable.events, revents: 0),
    ]
    if what == .readable, isOver { throw .interrupted }
    while true {
      let count = poll(&descriptors, nfds_t(descriptors.count), -1)
      if count < 0, errno == EINTR { continue }
      // Any event on the descriptor, errors too: reading or writing tells.
      guard count > 0, descriptors[0].revents == 0 else { return }
      if isOver { throw .interrupted }
    }
  }

  /// Waits so many milliseconds, or less where it is over before.
  func idle(for milliseconds: Int32) {
    var descriptor = pollfd(fd: wake?.reading ?? -1, events: Readiness.readable.events, revents: 0)
    poll(&descriptor, 1, milliseconds)
  }

  /// What to wait for.
  enum Readiness {
    case readable
    case writable

    fileprivate var events: Int16 {
      switch self {
      case .readable: Int16(POLLIN)
      case .writable: Int16(POLLOUT)
      }
    }
  }

  /// Has `cancel` called when a signal comes while `body` runs, and from then on at the second signal.
  ///
  /// - Throws: `ChannelError.cancelled` when a signal has come already; else what `body` throws.
  func cancelling<Result: ~Copyable>(
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

  /// Has `body` end the program where it has not begun to end by itself soon after a signal.
  func whenOverdue(_ body: @escaping @Sendable () -> Never) {
    state.withLock { $0.lastWord = body }
  }

  /// From here on this thread alone tells how the program ended; it does not return where another one does.
  func beginEnd() {
    let isLate = state.withLock { state in
      defer { state.isEnding = true }
      return state.isEnding
    }
    while isLate { pause() }
  }

  /// Runs an exchange with the card. One in a reader is left behind in time, so what still runs then is the software
  /// card, which comes to its end.
  func exchanging<Result>(
    _ body: () throws(ChannelError) -> Result
  ) throws(ChannelError) -> Result {
    state.withLock { $0.isExchanging = true }
    defer { state.withLock { $0.isExchanging = false } }
    guard let whole else { return try body() }
    return try whole.exchanging(body)
  }

  private func endOverdue(_ queue: DispatchQueue) {
    let (lastWord, isEarly) = state.withLock { state in
      let isEarly = state.isExchanging && !state.isEnding
      let lastWord = state.isEnding || isEarly ? nil : state.lastWord
      if lastWord != nil { state.isEnding = true }
      return (lastWord, isEarly)
    }
    lastWord?()
    guard isEarly else { return }
    queue.asyncAfter(deadline: .now() + .milliseconds(Self.commandGrace)) { self.endOverdue(queue) }
  }

  /// Lets go of what `cancelling` keeps for the second signal.
  func forget() { state.withLock { $0.always = nil } }

  /// Takes note of a signal.
  ///
  /// - Returns: whether it is the first.
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

  /// Leaves the running command behind.
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
