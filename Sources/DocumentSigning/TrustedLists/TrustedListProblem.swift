public import CIECard
public import Primitives

/// The reason why a trusted list is not taken.
public enum TrustedListProblem: Error, Sendable, Equatable {
  /// No answer, for the reason that the caller stated.
  case unreachable(Diagnosis)
  /// More bytes than the limit.
  case tooLarge(limit: Int)
  /// Not well-formed XML in UTF-8; a document type or entities; nested too deep.
  case notXML
  /// Another version than 5 and 6 (ETSI TS 119 612 §5.3.1).
  case version(String)
  /// An element or attribute that the schema does not have there, misses, or has with another value; with its name.
  case form(String)
  /// Not exactly one signature, a child of the root.
  case unsigned
  /// The signature is outside of the profile of trusted lists (§5.7.1): another algorithm, reference or transform; with its
  /// name.
  case unacceptedSignature(String)
  /// The signature does not verify, or its properties name another certificate.
  case signatureFalse
  /// The certificate that signed is not one of those that may sign the list; nil if no certificate is in the signature.
  case otherSigner(Certificate.DistinguishedName?)
  /// A list of another territory or type.
  case otherList
  /// The list is older than the stored one.
  case older(number: Int, stored: Int)
  /// The list says that it was issued in the future.
  case future(UTCTime)
  /// The list of lists names no list of the territory, or there is no list of lists.
  case notListed
}
