/// Who logs in (PKCS #11 v2.40 §4.4, CK_USER_TYPE).
enum User: UInt {
  /// CKU_SO, the security officer: whoever has the PUK. May set a new PIN, and nothing else.
  case securityOfficer = 0
  /// CKU_USER: the holder, by the PIN.
  case user = 1
  /// CKU_CONTEXT_SPECIFIC: for keys that ask for the PIN at every use, which this one does not.
  case contextSpecific = 2
}

/// Who is logged in to a token.
enum LoginState {
  case nobody
  case user
  case securityOfficer
}
