extension CardError {
  /// Why an answer inside secure messaging is not believed. Any of these closes the channel for good.
  public enum SecureMessagingError: Error, Equatable, Sendable {
    /// The channel was closed by an earlier failure.
    case closed
    /// The answer came without protection and claims success with this status word.
    case unprotected(StatusWord)
    /// The answer is not a sequence of the data objects 87 or 85, 99 and 8E.
    case malformed
    /// The status word object (99) is missing.
    case missingStatus
    /// The MAC object (8E) is missing.
    case missingMAC
    /// The MAC does not fit the answer, the counter or the keys.
    case wrongMAC
    /// The decrypted data do not end in padding.
    case wrongPadding
  }
}
