import CardWork
import DocumentSigning
package import Messages
package import RedirectFlow
package import SignIn

extension Failure {
  /// The login.
  static func login(_ error: LoginError) -> Failure { .above(error) }
  /// The local code.
  static func lock(_ error: LocalLock.Failure) -> Failure { .found(Diagnosis(error)) }

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
}

extension LoginError: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
  package var isInterruption: Bool { self == .cancelled }
}

extension SignInError: DiagnosedError {
  package var diagnosis: Diagnosis { Diagnosis(self) }
  package var isInterruption: Bool { cause == .cancelled }
}
