/// The user types of a login (PKCS #11 v2.40 §4.4, CK_USER_TYPE).
enum User: UInt {
  /// CKU_SO, the security officer: the holder of the PUK. May set a new PIN, and nothing else.
  case securityOfficer = 0
  /// CKU_USER: the holder, by the PIN.
  case user = 1
  /// CKU_CONTEXT_SPECIFIC: for keys that require the PIN at every use, which this one does not.
  case contextSpecific = 2
}

enum LoginState {
  case nobody
  case user
  case securityOfficer
}
