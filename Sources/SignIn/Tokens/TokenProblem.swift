/// Why a token, or the keys to check it with, are not believed. No case carries the token or a claim's value.
package enum TokenProblem: Error, Sendable, Hashable {
  /// More bytes than any honest token has.
  case tooLong(limit: Int)
  /// Not the parts of a compact token: base64url with points between them (RFC 7515 §7.1, RFC 7516 §7.1).
  case malformed
  /// Header or claims are no JSON object.
  case notAnObject
  /// A member that stands twice in header or claims: readers would differ on what it says.
  case repeatedMember(String)
  /// An algorithm that must not be used: none, one with a shared key, or RSA1_5 (§4.8 of the CIE's rules).
  case algorithmForbidden(String)
  /// An algorithm that is not known here.
  case algorithmUnknown(String)
  /// The key that the token names is not for this algorithm.
  case algorithmWrongForKey(String)
  /// The header marks an extension as critical that is not known here (RFC 7515 §4.1.11).
  case criticalExtension
  /// The header brings a key, or says where one is to be had: only keys from elsewhere are believed.
  case bringsItsKey(member: String)
  /// The token is of another kind (RFC 7515 §4.1.9).
  case wrongType(String)
  /// No key of this name; the provider may have new ones since.
  case keyUnknown
  /// The token names no key, and there are several.
  case keyNotNamed
  /// The signature is not one of this key over this token.
  case signatureInvalid
  /// A claim that must be there is not.
  case claimMissing(String)
  /// A claim has a value of the wrong kind.
  case claimMalformed(String)
  /// Another issuer.
  case issuerWrong
  /// For somebody else.
  case audienceWrong
  /// For several, and made out to somebody else (OpenID Connect Core §3.1.3.7).
  case authorizedPartyWrong
  /// About another person than before.
  case subjectWrong
  /// Not the answer to our question.
  case nonceWrong
  /// It is over.
  case expired
  /// It begins in the future.
  case notYetValid
  /// It was made in the future.
  case issuedInFuture
  /// It was made too long ago, or the person authenticated too long ago.
  case tooOld
  /// It names another moment of authentication than the token of the sign-in.
  case authenticationTimeWrong
  /// It does not belong to the access token that came with it.
  case accessTokenHashWrong
  /// The person authenticated at a lower level than was asked for.
  case levelTooLow
  /// The list of keys is no list of keys (RFC 7517 §5).
  case keySetMalformed
  /// Two keys of the name and kind that are asked for.
  case keySetRepeatsName
  /// An RSA key of fewer than 2048 bits, or more than 8192.
  case keyLength(bits: Int)
  /// A file of keys cannot be read.
  case keyFileUnreadable
  /// What should be a private key is none that can be used.
  case clientKeyUnusable
  /// Encrypted in a way that is not known here.
  case encryptionUnknown(String)
  /// Not encrypted for this key, or changed on the way.
  case decryptionFailed
  /// The library refused what should have worked; no memory, perhaps.
  case library
}
