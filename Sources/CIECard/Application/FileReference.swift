/// What reading needs to know of a file, whichever application it belongs to.
struct FileReference: Sendable {
  /// The file identifier (ISO/IEC 7816-4 §7.3.1).
  let identifier: UInt16
  /// The short identifier, five bits; `nil` where it is not known.
  let shortIdentifier: UInt8?
  /// How far the content goes.
  let extent: Extent
  /// The longest content that is believed.
  let maximumLength: Int
  /// P2 of SELECT: 04 returns file control parameters, 0C nothing.
  let selectionControl: UInt8

  /// Where the content of a file ends.
  enum Extent: Sendable {
    /// After so many bytes.
    case fixed(Int)
    /// Where the data object that begins the file ends; whatever follows is padding.
    case object
  }
}

extension ElementaryFile {
  /// Offsets of the IAS side have 15 bits; P2 = 04 as in all IAS hosts, whose answer is not looked at.
  var reference: FileReference {
    FileReference(
      identifier: identifier, shortIdentifier: shortIdentifier, extent: extent,
      maximumLength: 0x7FFF, selectionControl: 0x04)
  }
}

extension LDSFile {
  /// The longest file that is read: portraits of documents stay far below.
  static let maximumLength = 256 << 10

  /// P2 = 0C as in Doc 9303-10 §3.11. Under the master file the short identifiers of the standard may be those of the
  /// card's other files there (EF.ATR/INFO has been given 1D), so its files are selected.
  var reference: FileReference {
    FileReference(
      identifier: identifier, shortIdentifier: isInMasterFile ? nil : shortIdentifier,
      extent: .object,
      maximumLength: Self.maximumLength, selectionControl: 0x0C)
  }
}

extension CommandAPDU {
  /// SELECT of a file.
  static func select(_ file: FileReference) -> CommandAPDU {
    .select(file: file.identifier, control: file.selectionControl)
  }
}

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
