/// The errors that the Android app, or what calls it, reports in place of a URL.
///
/// Those with a number come from the app itself (cieid-android-sdk, `RedirectionError.kt`, result extra `ERROR`);
/// the others from io-react-native-cieid around it.
public enum AppErrorCode: String, Error, Sendable, Hashable, CaseIterable {
  /// Nothing more is known.
  case generic = "GENERIC_ERROR"
  /// No card is enrolled in the app.
  case cardNotRegistered = "CIE_NOT_REGISTERED"
  /// The server did not accept the login.
  case authentication = "AUTHENTICATION_ERROR"
  /// The phone has no screen lock or other protection.
  case noSecureDevice = "NO_SECURE_DEVICE"
  /// The calling app was not on the screen.
  case callerNotActive = "REACT_ACTIVITY_IS_NULL"
  /// The app is not installed.
  case appMissing = "CIEID_ACTIVITY_IS_NULL"
  /// An app of that name is there, signed by somebody else.
  case appNotGenuine = "CIEID_SIGNATURE_MISMATCH"
  /// The app answered with neither a URL nor an error.
  case emptyAnswer = "CIEID_EMPTY_URL_AND_ERROR_EXTRAS"
  /// The person gave up.
  case cancelledByUser = "CIEID_OPERATION_CANCEL"
  /// The app ended otherwise than well.
  case notSuccessful = "CIEID_OPERATION_NOT_SUCCESSFUL"
  /// An error that nobody foresaw.
  case unexpected = "UNKNOWN_EXCEPTION"

  /// The code with a number of the app; `nil` for numbers that it does not use.
  public init?(number: Int) {
    guard let code = Self.allCases.first(where: { $0.number == number }) else { return nil }
    self = code
  }

  /// The app's number; `nil` for errors that are not the app's own.
  public var number: Int? {
    switch self {
    case .generic: 0
    case .cardNotRegistered: 1
    case .authentication: 2
    case .noSecureDevice: 3
    case .callerNotActive, .appMissing, .appNotGenuine, .emptyAnswer, .cancelledByUser,
      .notSuccessful, .unexpected:
      nil
    }
  }
}
