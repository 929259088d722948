import CIECard
import Glibc
import Messages
import Pictures
import RedirectFlow
import SignIn
import Traces

/// The reason why a command failed; the error of the layer below is kept unchanged.
indirect enum Failure: Error, Sendable {
  /// The card, at some step.
  case card(CardError)
  /// The card rejected the code of the travel document, with a delay.
  case slowAccess(CardError)
  /// The portrait cannot be shown in the requested form.
  case portrait(PortraitProblem)
  /// The reader or the service, before there was a card.
  case channel(ChannelError)
  /// The trust anchors of `--trust`.
  case trustStore(TrustStore.LoadingError)
  /// A PIN or PUK that is not sent to the card.
  case code(CodeProblem)
  /// The local code.
  case lock(LocalLock.Failure)
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
  /// The travel document is the State's, but without proof that its chip, or that of its saved files, is no copy.
  case possibleCopy(isSaved: Bool)
  /// The document has expired, on this day, and validity was required.
  case expired(MRZ.PartialDate)
  /// Validity was required, but cannot be determined.
  case validityUnknown
  /// The login.
  case login(LoginError)
  /// A sign-in by one of the other methods, or its account.
  case signIn(SignInError)
  /// The file of `--environment`.
  case environment(LoginEnvironment.FileError, path: String)
  /// A diagnosis that a command would have ended with.
  case found(Diagnosis)
  /// SIGINT or SIGTERM while waiting for a person or a file.
  case interrupted
  /// The run exceeded its limit of seconds.
  case deadline(Int)
}

/// The reason why there is no portrait in the requested form.
enum PortraitProblem: Error, Sendable, Equatable {
  /// The card has no portrait.
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
  /// Users other than its owner may write to it, and could replace its contents.
  case writableByOthers(path: String)
  /// A folder without EF.SOD, whose files cannot be verified.
  case noSecurityObject(path: String)
  /// It exists already, and must not be overwritten.
  case exists(path: String)
  /// It cannot be made or written; existing data are not lost.
  case unwritable(path: String, errno: Int32)
  /// An invalid line in the file of `--config`.
  case configuration(path: String, line: Int)
  /// Standard output cannot be written.
  case output(errno: Int32)
}

extension Failure {
  /// True if the reader of our output has gone, which needs no message.
  var isBrokenPipe: Bool {
    if case .file(.output(EPIPE)) = self { true } else { false }
  }

  /// True if it was given up, rather than failed by itself.
  var isInterruption: Bool {
    switch self {
    case .interrupted, .login(.cancelled), .channel(.cancelled), .channel(.withheld): true
    case .signIn(let error): error.cause == .cancelled
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

  /// Runs an operation on the local code; its failure is one of the lock.
  static func atLock<Result: ~Copyable>(
    _ body: () throws(LocalLock.Failure) -> Result
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
