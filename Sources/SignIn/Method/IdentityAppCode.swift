/// The numbered errors of the identity app's kit, under their names (Civic Connect for iOS, error table).
public enum IdentityAppCode: Int, Sendable, Hashable, CaseIterable {
  case userDataNotAvailable = 202
  case badRequest = 400
  case unauthorized = 401
  case methodNotAllowed = 405
  case insufficientFunds = 409
  case tooManyRequests = 429
  case internalServer = 500
  case timeOut = 504
  case cannotFindApplicationId = 901
  case cannotFindBundleId = 902
  case cannotFindSecret = 903
  case redirectSchemeMismatch = 904
  case cannotParseResponse = 911
  case cannotParseResponseData = 912
  case invalidUrl = 913
  case invalidRequest = 914
  case invalidSession = 921
  case mobileUpgrade = 922
  case userCancelled = 923
  case verifyError = 924
  case scopeRequestTimeOut = 925
  case verificationFailed = 931
  case decryptionFailed = 932
  case secretNotFound = 933
  case decodingFailed = 997
  case authenticationUnknownError = 998
  case unknown = 999
}
