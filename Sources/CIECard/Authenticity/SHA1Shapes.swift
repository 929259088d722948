/// Where SHA-1 is still taken: in the shapes that genuine cards of 2016 to 2020 have, and then it is named.
///
/// Published are travel documents of 2018 signed with SHA-1 and RSA throughout, with version 0 of the list of hashes;
/// IAS security objects of 2019, whose hashes are of SHA-256, with such a signature; and signers of those years whose
/// certificates the CSCA of 2016 signed so (italia/cie-mrtd-dotnet-sdk, italia/cie-nis-dotnetcore-sdk). The CSCA of April
/// 2020 signs with SHA-512, and version 1 of the list has never come with less.
extension SecurityObject {
  /// Whether SHA-1 takes part: in the hashes of the files, in the digest of their list, or in the signature.
  var usesSHA1: Bool {
    contents.hashAlgorithm == .sha1 || digestAlgorithm == .sha1
      || scheme?.usesSHA1(digest: digestAlgorithm) == true
  }

  /// Whether it takes part the way genuine cards have it.
  var isSHA1Genuine: Bool {
    let isPKCS1 =
      switch scheme {
      case .pkcs1, .keyAlone: true
      case .pss, .ecdsa, nil: false
      }
    guard contents.version == 0, isPKCS1, case .rsa = signer.publicKey else { return false }
    return signer.isOfSHA1Years
  }
}

extension Certificate {
  /// Whether it begins in the years 2016 to 2020.
  var isOfSHA1Years: Bool { (1_451_606_400..<1_609_459_200).contains(notBefore) }

  /// Whether its issuer signed it with SHA-1.
  var isSignedWithSHA1: Bool {
    do throws(CryptoError) {
      let certificate = try X509Handle(prefixOf: der)
      return X509Chain.signature(of: certificate).scheme?.usesSHA1(digest: nil) == true
    } catch {
      return false
    }
  }
}
