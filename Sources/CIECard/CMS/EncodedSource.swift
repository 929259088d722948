/// Bytes with an encoded object, of which only the asked for parts are read: in memory, or in a file of any size.
package protocol EncodedSource {
  associatedtype Failure: Error
  /// Number of bytes.
  var count: Int { get }
  func bytes(_ range: Range<Int>) throws(Failure) -> [UInt8]
  /// The same for the few bytes of an object's head, which may be those of an earlier read: never for contents, whose
  /// change must be seen.
  func head(_ range: Range<Int>) throws(Failure) -> [UInt8]
  /// The most indefinite lengths around each other in a part that is not contents.
  static var indefiniteLevels: Int { get }
  /// The error that a fault is for those who read this source.
  static func failure(_ fault: SignedDataFault) -> Failure
}

/// Reasons why bytes are not a SignedData.
package enum SignedDataFault {
  case malformed(SignedDataPart)
  /// A ContentInfo of another type than SignedData; its object identifier, dotted.
  case otherType(String)
  /// A part that is not contents has more bytes.
  case tooLarge(limit: Int)
  /// A number of signers that cannot be judged.
  case signerCount(Int)
}
