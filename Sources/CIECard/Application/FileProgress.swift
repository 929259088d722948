/// How far a file was read: kept when the card is lost in the middle, and gone on with after a new contact.
///
/// It belongs to one file of one card. After a new contact the caller makes sure that it is the same card: the
/// security object must be the same, byte by byte.
package struct FileProgress: Sendable, Equatable {
  /// The bytes from the beginning on.
  package internal(set) var content: [UInt8] = []
  /// The length of the whole content, once its first bytes told it.
  package internal(set) var length: Int?

  /// Nothing read yet.
  package init() {}
}
