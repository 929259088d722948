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
  /// No signature can get a time stamp: all have one, there is none, or bytes of a PDF follow the newest.
  case nothingToStamp

  static func reading<Result>(
    _ body: () throws(CMSError) -> Result
  ) throws(SigningError) -> Result {
    do throws(CMSError) { return try body() } catch { throw .cms(error) }
  }
}
