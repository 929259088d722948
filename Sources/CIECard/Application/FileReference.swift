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
  /// SELECT an EF below the current application (ISO/IEC 7816-4 §11.2.2, P1 = 02).
  static func select(_ file: FileReference) -> CommandAPDU {
    CommandAPDU(
      0xA4, 0x02, file.selectionControl,
      data: [UInt8(file.identifier >> 8), UInt8(truncatingIfNeeded: file.identifier)])
  }

  /// The offsets that READ BINARY with an even instruction reaches: 15 bits.
  static let maximumEvenOffset = 0x7FFF

  /// READ BINARY from the current EF (ISO/IEC 7816-4 §11.3.3); beyond 32 KiB with the odd instruction, whose offset
  /// and answer are data objects (Doc 9303-10 §3.6.4.2).
  ///
  /// - Parameter length: the bytes of the answer; in the odd form some of them are the object's header.
  static func readBinary(offset: Int, length: Int) -> CommandAPDU {
    guard offset > maximumEvenOffset else {
      return CommandAPDU(
        0xB0, UInt8(truncatingIfNeeded: offset >> 8), UInt8(truncatingIfNeeded: offset),
        expected: .upTo(length))
    }
    var number = [UInt8(truncatingIfNeeded: offset >> 8), UInt8(truncatingIfNeeded: offset)]
    if offset > 0xFFFF { number.insert(UInt8(truncatingIfNeeded: offset >> 16), at: 0) }
    return CommandAPDU(
      0xB1, 0x00, 0x00, data: TLV.encode(0x54, number), expected: .upTo(length))
  }

  /// READ BINARY from the beginning of an EF named by its short identifier, which becomes the current one.
  static func readBinary(shortIdentifier: UInt8, length: Int) -> CommandAPDU {
    CommandAPDU(0xB0, 0x80 | shortIdentifier, 0x00, expected: .upTo(length))
  }
}
