import Glibc
import Messages

/// The exit status, for scripts; `help exit-codes` and the manual list the same numbers.
enum ExitStatus: Int32, Sendable, CaseIterable {
  /// Done, and no check was false.
  case ok = 0
  /// The program or the machine failed, not the card.
  case internalFailure = 1
  case noService = 3
  /// No reader, or not the named one, or several that match.
  case noReader = 4
  case noCard = 5
  case notACIE = 6
  case wrongCode = 7
  /// PIN or PUK blocked, or the last try not spent.
  case blocked = 8
  case cardLost = 9
  case `false` = 10
  case serverRefused = 11
  /// The reader or the card cannot carry it.
  case notCarried = 12
  case couldNotCheck = 13
  case network = 14
  /// An untrusted or malformed request.
  case untrustedRequest = 15
  case notSignedIn = 16
  /// The signatures of a file are right, but bytes came later.
  case laterBytes = 17
  case noSignature = 18
  /// A command line, PIN entry or file that cannot be used (sysexits: EX_USAGE).
  case usage = 64
  /// Ended by SIGHUP (128 + 1).
  case hungUp = 129
  /// Ended by SIGINT (128 + 2).
  case interrupted = 130
  /// Ended by SIGQUIT (128 + 3).
  case quit = 131
  /// Ended by SIGTERM (128 + 15).
  case terminated = 143
}

extension ExitStatus {
  /// The exit status for such a failure.
  ///
  /// - Parameter signal: the signal that ended the program, if any.
  init(_ kind: Diagnosis.Kind, signal: Int32?) {
    self =
      switch kind {
      case .internalFailure: .internalFailure
      case .noService: .noService
      case .noReader: .noReader
      case .noCard: .noCard
      case .notACIE: .notACIE
      case .wrongCode: .wrongCode
      case .blocked: .blocked
      case .cardLost: .cardLost
      case .false: .false
      case .serverRefused: .serverRefused
      case .notCarried: .notCarried
      case .couldNotCheck: .couldNotCheck
      case .network: .network
      case .untrustedRequest: .untrustedRequest
      case .notSignedIn: .notSignedIn
      case .laterBytes: .laterBytes
      case .noSignature: .noSignature
      case .usage: .usage
      case .interrupted:
        switch signal {
        case SIGHUP: .hungUp
        case SIGQUIT: .quit
        case SIGTERM: .terminated
        default: .interrupted
        }
      }
  }

  /// Its meaning, in one line, for the help and the manual.
  var meaning: Message { Message("exit.\(rawValue)") }
}
