/// The reason why a document is not signed.
public enum SigningError: Error, Sendable, Equatable {
  /// The file cannot be read, or the CMS signature not be made.
  case cms(CMSError)
  /// The PDF cannot be read without guessing, or refuses the signature.
  case pdf(PDFError)
  /// The file is no signature to which another one can be added.
  case input(JudgementError)
  /// There is no time stamp.
  case timeStamp(TimeStampError)
  /// There is no evidence whether a certificate was revoked.
  case revocation(RevocationError)
  /// No signature can get a time stamp: all have one, or there is none.
  case nothingToStamp

  static func reading<Result>(
    _ body: () throws(CMSError) -> Result
  ) throws(SigningError) -> Result {
    do throws(CMSError) { return try body() } catch { throw .cms(error) }
  }

  static func writing<Result>(
    _ body: () throws(PDFError) -> Result
  ) throws(SigningError) -> Result {
    do throws(PDFError) { return try body() } catch { throw .pdf(error) }
  }

  static func stamping<Result>(
    _ body: () throws(TimeStampError) -> Result
  ) throws(SigningError) -> Result {
    do throws(TimeStampError) { return try body() } catch { throw .timeStamp(error) }
  }

  static func proving<Result>(
    _ body: () throws(RevocationError) -> Result
  ) throws(SigningError) -> Result {
    do throws(RevocationError) { return try body() } catch { throw .revocation(error) }
  }
}
