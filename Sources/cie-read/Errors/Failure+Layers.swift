import CardWork
import DocumentSigning
package import Messages
import Pictures
package import RedirectFlow
package import SignIn

extension Failure {
  /// The login.
  static func login(_ error: LoginError) -> Failure { .above(error) }
  /// A sign-in by one of the other methods, or its account.
  static func signIn(_ error: SignInError) -> Failure { .above(error) }
  /// The local code.
  static func lock(_ error: LocalLock.Failure) -> Failure { .above(error) }
  /// An invalid local code.
  static func localCode(_ error: LocalCode.FormatError) -> Failure { .above(error) }
  /// The portrait cannot be shown in the requested form.
  static func portrait(_ problem: PortraitProblem) -> Failure { .above(problem) }
  /// The file of `--environment`.
  static func environment(_ error: LoginEnvironment.FileError, path: String) -> Failure {
    .above(EnvironmentProblem(error: error, path: path))
  }

  /// A signed file that cannot be judged.
  static func signedFile(_ error: DocumentError, path: String) -> Failure {
    .found(Diagnosis(error, path: path, isSigning: false))
  }

  /// A document that is not signed.
  static func signing(_ error: DocumentError, path: String) -> Failure {
    .found(Diagnosis(error, path: path, isSigning: true))
  }

  /// The error of a login, if it is one.
  var login: LoginError? {
    if case .above(let error as LoginError) = self { error } else { nil }
  }

  /// The error of a sign-in, if it is one.
  var signIn: SignInError? {
    if case .above(let error as SignInError) = self { error } else { nil }
  }

  /// Runs an operation on the local code; its failure is one of the lock.
  static func atLock<Result: ~Copyable>(
    _ value: @autoclosure () throws(LocalLock.Failure) -> Result
  ) throws(Failure) -> Result {
    do { return try value() } catch { throw .lock(error) }
  }
}

extension LoginError: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
  package var isInterruption: Bool { self == .cancelled }
}

extension SignInError: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
  package var isInterruption: Bool { cause == .cancelled }
}

extension LocalLock.Failure: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
}

extension LocalCode.FormatError: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
}

/// The reason why there is no portrait in the requested form.
enum PortraitProblem: DiagnosedError, Equatable {
  /// The card has no portrait.
  case absent
  /// The card has one, which it did not return or which is malformed.
  case unreadable
  /// It cannot be converted.
  case picture(PictureError)

  var diagnosis: Diagnosis {
    switch self {
    case .absent: Diagnosis(.notCarried, "no-portrait")
    case .unreadable: Diagnosis(.couldNotCheck, "portrait-unreadable")
    case .picture(let error): Diagnosis(error)
    }
  }
}

/// A file of `--environment` that cannot be used.
private struct EnvironmentProblem: DiagnosedError {
  let error: LoginEnvironment.FileError
  let path: String

  var diagnosis: Diagnosis { Diagnosis(error, path: path) }
}
