extension AuthenticityReport {
  /// Why a file is no document security object.
  public enum SecurityObjectError: Error, Sendable, Equatable {
    /// The file is not one object with tag `77`, or it ends before that object does.
    case notASecurityObject
    /// The contents are no CMS structure; with OpenSSL's reason.
    case malformedSignedData(reason: String)
    /// Not one signer, but this many.
    case signerCount(Int)
    /// The signer's certificate is not included.
    case noSignerCertificate
    /// Of the signed attributes, contentType or messageDigest is absent or doubled (RFC 5652 §5.3).
    case signedAttributes
    /// Signed contents of another type than LDSSecurityObject; the object identifier, dotted.
    case contentType(String)
    /// The list of hashes cannot be read.
    case malformedHashList
    /// A version of the list other than 0 and 1; its content bytes.
    case unknownVersion([UInt8])
    /// A hash function that documents do not use; the content octets of its object identifier.
    case unknownHashAlgorithm(objectIdentifier: [UInt8])
    /// A hash whose length is not that of the list's hash function.
    case hashLength(dataGroup: UInt8, length: Int)
    /// Two hashes for the same data group.
    case repeatedDataGroup(UInt8)
  }
}
