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

/// A signed file of a document or of a state, in memory.
struct SignedFile: EncodedSource {
  let bytes: [UInt8]

  var count: Int { bytes.count }

  /// Sets and their members: what is signed, in a certificate or an attribute, must be in DER.
  static var indefiniteLevels: Int { 2 }

  func bytes(_ range: Range<Int>) throws(AuthenticityReport.SecurityObjectError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .malformed(.encoding) }
    return [UInt8](bytes[range])
  }

  func head(_ range: Range<Int>) throws(AuthenticityReport.SecurityObjectError) -> [UInt8] {
    try bytes(range)
  }

  static func failure(_ fault: SignedDataFault) -> AuthenticityReport.SecurityObjectError {
    switch fault {
    case .malformed(let part): .malformed(part)
    case .otherType: .malformedSignedData(reason: "not SignedData")
    case .tooLarge: .malformedSignedData(reason: "too large")
    case .signerCount(let count): .signerCount(count)
    }
  }
}

extension AuthenticityReport.SecurityObjectError {
  static func malformed(_ part: SignedDataPart) -> Self {
    .malformedSignedData(reason: "malformed \(part.name)")
  }
}
