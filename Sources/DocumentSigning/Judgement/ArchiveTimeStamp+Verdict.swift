internal import CIECard
internal import Primitives

extension ArchiveTimeStamp {
  /// The verdict on it, and its time if it is proved.
  ///
  /// - Parameter hashing: the hash of the contents by an algorithm; nil if there are none.
  /// - Throws: `CMSError` if the contents cannot be read.
  func verdict(
    by judge: TimeStampJudge, for signer: SignerInfo, in data: SignedData,
    _ hashing: (HashAlgorithm) throws(CMSError) -> [UInt8]?
  ) throws(CMSError) -> (verdict: SignatureReport.Verdict, time: UTCTime?) {
    let isWhole = try CMSError.calculating { () throws(CryptoError) in
      try isComplete(for: signer, in: data)
    }
    guard isWhole else { return (.false(.archiveAltered), nil) }
    guard let algorithm = token.algorithm, let content = try hashing(algorithm) else {
      return (.couldNotCheck(.noContents), nil)
    }
    let message = try message(for: signer, data.contentType, content: content)
    return judge.verdict(token) { (algorithm) throws(CMSError) -> [UInt8]? in
      try CMSError.calculating { () throws(CryptoError) in try algorithm.hash(message) }
    }
  }
}
