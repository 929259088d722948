/// DG15: the public key of active authentication (Doc 9303-10 §4.7.15, Doc 9303-11 §6.1).
struct ActiveAuthenticationPublicKeyInfo: Sendable, Equatable {
  /// The encoding of the SubjectPublicKeyInfo (RFC 5280 §4.1.2.7), an RSA or an elliptic-curve key.
  let subjectPublicKeyInfo: [UInt8]

  /// Parses the file: `6F { SubjectPublicKeyInfo }`. What follows the data object is dropped.
  init(dataGroup15 file: [UInt8]) throws(DataGroup.Malformation) {
    var contents = try DataGroup.Malformation.contents(of: file, tag: DataGroup.dg15.tag)
    subjectPublicKeyInfo = try DataGroup.Malformation.parse { () throws(TLVError) in
      let info = try contents.next(DER.sequence)
      try contents.finish()
      return [UInt8](info.encoded)
    }
  }
}
