/// What went wrong before the card could answer.
public enum ChannelError: Error, Sendable, Equatable {
  /// The PC/SC service is not running (SCARD_E_NO_SERVICE).
  case serviceMissing
  /// The PC/SC service stopped while it was in use.
  case serviceStopped
  /// The PC/SC service does not let this user at readers or cards (SCARD_W_SECURITY_VIOLATION: polkit said no).
  case accessDenied
  /// No reader is connected.
  case noReader
  /// No reader has this name or number.
  case readerNotFound(String)
  /// Several readers fit the name; they are listed.
  case readerAmbiguous(String, [String])
  /// The reader was unplugged.
  case readerRemoved
  /// The service lists the reader and cannot speak to it: no card is looked for in it.
  case readerUnavailable(String)
  /// No card came within the time given, or none lies on the reader.
  case noCard
  /// The card left the reader.
  case cardRemoved
  /// The card is there and does not answer: at reset, or in the middle of a command.
  case cardMute
  /// The card is there, and a short command did not get across; the PC/SC return code. Only a reset mends it.
  case transmissionFailed(code: UInt32)
  /// Another program reset the card under us.
  case cardReset
  /// Another program holds the card for itself.
  case sharingViolation
  /// The answer has fewer than the two bytes of a status word.
  case truncatedResponse(length: Int)
  /// The reader or its driver cannot carry an APDU of this length, or did not get it across: no PC/SC return code
  /// tells the two apart.
  case lengthNotCarried(length: Int)
  /// A replayed conversation does not go on like this.
  case replayMismatch(line: Int, detail: String)
  /// The waiting was cancelled; a command may have been sent.
  case cancelled
  /// The command was not sent: whoever runs the program wanted no more of them.
  case withheld
  /// Any other PC/SC return code, as it came.
  case other(code: UInt32, function: String)
}
