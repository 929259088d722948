/// Reasons to reject a token, or the keys to verify it with. No case carries the token or a claim's value.
package enum TokenProblem: Sendable, Hashable {
  case tooLong(limit: Int)
  /// Not the parts of a compact token: base64url with dots between them (RFC 7515 §7.1, RFC 7516 §7.1).
  case malformed
  /// Header or claims are not a JSON object.
  case notAnObject
  /// Duplicate member in header or claims: parsers would disagree on its value.
  case repeatedMember(String)
  /// Forbidden algorithm: `none`, one with a shared key, or RSA1_5 (§4.8 of the CIE's rules).
  case algorithmForbidden(String)
  case algorithmUnknown(String)
  case algorithmWrongForKey(String)
  /// The header has a critical extension that is unknown here (RFC 7515 §4.1.11).
  case criticalExtension
  /// The header has a key, or the address of one; only keys from elsewhere are trusted.
  case bringsItsKey(member: String)
  /// The token has another type (RFC 7515 §4.1.9).
  case wrongType(String)
  /// No key has this ID; the provider may have rotated its keys.
  case keyUnknown
  /// The token has no key ID, and several keys are suitable.
  case keyNotNamed
  case signatureInvalid
  case claimMissing(String)
  /// Claim with a value of the wrong type.
  case claimMalformed(String)
  case issuerWrong
  case audienceWrong
  /// Several audiences, and another authorized party (OpenID Connect Core §3.1.3.7).
  case authorizedPartyWrong
  /// Another person than before.
  case subjectWrong
  /// Another nonce: not the response to this request.
  case nonceWrong
  case expired
  case notYetValid
  case issuedInFuture
  /// Issued too long ago, or the person authenticated too long ago.
  case tooOld
  /// Another time of authentication than in the token of the sign-in.
  case authenticationTimeWrong
  /// Wrong hash of the access token that came with it.
  case accessTokenHashWrong
  case levelTooLow
  /// Malformed key set (RFC 7517 §5).
  case keySetMalformed
  /// Two keys with the requested ID and type.
  case keySetRepeatsName
  /// RSA key of fewer than 2048 bits, or more than 8192.
  case keyLength(bits: Int)
  case keyFileUnreadable
  case clientKeyUnusable
  /// The token is encrypted to this client, which has a key for signatures alone (RFC 7517 §4.2).
  case clientKeyOnlySigns
  case encryptionUnknown(String)
  /// Encrypted to another key, or changed in transit.
  case decryptionFailed
  /// Failure of the library where it should have succeeded, perhaps without memory.
  case library
}
