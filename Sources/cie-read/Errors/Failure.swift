import CIECard
import Glibc
import Messages
import Pictures
import RedirectFlow
import SignIn
import Traces

/// Why a command did not do what it was asked for; the layer below comes along as it is.
enum Failure: Error, Sendable {
  /// The card, at some step.
  case card(CardError)
  /// The card said no to the code of the travel document, and took its time.
  case slowAccess(CardError)
  /// The portrait cannot be shown as it was asked for.
  case portrait(PortraitProblem)
  /// The reader or the service, before there was a card.
  case channel(ChannelError)
  /// The trust anchors of `--trust`.
  case trustStore(TrustStore.LoadingError)
  /// A PIN or PUK that is not even shown to the card.
  case code(CodeProblem)
  /// The local code.
  case lock(LocalLockError)
  /// The command line.
  case usage(Diagnosis)
  /// A file, or standard input or output.
  case file(FileProblem)
  /// The recording of `--replay`.
  case trace(TraceError)
  /// The cryptography library.
  case crypto(CryptoError)
  /// The report on authenticity is not good.
  case notProved(AuthenticityReport.Outcome)
  /// The travel document is the State's, and nothing tells its chip, or that of its saved files, from a copy.
  case possibleCopy(isSaved: Bool)
  /// The document has expired, on this day, and was to be valid.
  case expired(MRZ.PartialDate)
  /// The document was to be valid, and nothing tells whether it is.
  case validityUnknown
  /// The login.
  case login(LoginError)
  /// A sign-in by one of the other ways, or the account that came of one.
  case signIn(SignInError)
  /// The description of `--service`.
  case service(ServiceProblem)
  /// The file of `--environment`.
  case environment(LoginEnvironment.FileError, path: String)
  /// What a command would have ended with, found by looking.
  case found(Diagnosis)
  /// SIGINT or SIGTERM while waiting for a person or a file.
  case interrupted
  /// The run took as many seconds as it may.
  case deadline(Int)
}

/// Why there is no portrait in the form that was asked for.
enum PortraitProblem: Error, Sendable, Equatable {
  /// The card gave none.
  case absent
  /// It cannot be converted.
  case picture(PictureError)
}

/// A file or stream that cannot be used.
enum FileProblem: Error, Sendable, Equatable {
  /// It cannot be read.
  case unreadable(path: String, errno: Int32)
  /// It is a folder, a pipe or a device.
  case notPlain(path: String)
  /// A folder without EF.SOD, of which nothing can be verified.
  case noSecurityObject(path: String)
  /// It is there already, and was not to be overwritten.
  case exists(path: String)
  /// It cannot be made or written; nothing that was there is lost.
  case unwritable(path: String, errno: Int32)
  /// A line of the file of `--config` is none.
  case configuration(path: String, line: Int)
  /// Standard output cannot be written.
  case output(errno: Int32)
}

extension Failure {
  /// Whoever read our output has gone: no news to anybody.
  var isBrokenPipe: Bool {
    if case .file(.output(EPIPE)) = self { true } else { false }
  }

  /// Whether something was given up, and did not fail by itself.
  var isInterruption: Bool {
    switch self {
    case .interrupted, .login(.cancelled), .channel(.cancelled), .channel(.withheld): true
    case .signIn(let error): error.reason == .cancelled
    case .card(let error): [.channel(.cancelled), .channel(.withheld)].contains(error.reason)
    default: false
    }
  }
}

extension Failure {
  /// Runs a calculation; its failure is one of the cryptography library.
  static func inCryptography<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw .crypto(error) }
  }

  /// Does something with the local code; its failure is one of the lock.
  static func atLock<Result: ~Copyable>(
    _ body: () throws(LocalLockError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw .lock(error) }
  }

  /// Talks to a card; its failure is one of the card.
  static func onCard<Result>(
    _ body: () throws(CardError) -> Result
  ) throws(Failure) -> Result {
    do { return try body() } catch { throw .card(error) }
  }
}
