/// The part of a file that was read before the card was lost; reading can resume in a new contact.
///
/// It belongs to one file of one card. After a new contact the caller must make sure that it is the
/// same card: the security object must be identical, byte by byte.
package struct FileProgress: Sendable, Equatable {
  /// The bytes from the beginning.
  package internal(set) var content: [UInt8] = []
  /// The length of the content, once its first bytes are known.
  package internal(set) var length: Int?

  package init() {}
}
