import TestSupport
import Testing

@testable import CIECard

/// Portraits from both kinds of records, in all formats, and from damaged files.
@Suite struct PortraitTests {
  private let document: DocumentFiles

  init() throws { document = try DocumentFiles.load() }

  /// The head of a picture in JPEG: an application segment, a table, the frame of 300 by 400 pixels.
  static let jpeg: [UInt8] =
    [0xFF, 0xD8, 0xFF, 0xE0, 0, 4, 0x4A, 0x46, 0xFF, 0xFF, 0xC4, 0, 3, 9]
    + [0xFF, 0xC0, 0, 11, 8, 0x01, 0x90, 0x01, 0x2C, 1, 1, 0x11, 0, 0xFF, 0xD9]

  /// The head of a codestream: a grid of 310 by 420 with an offset of 10 and 20.
  static let codestream: [UInt8] =
    [0xFF, 0x4F, 0xFF, 0x51, 0, 47, 0, 0] + [0, 0, 0x01, 0x36, 0, 0, 0x01, 0xA4]
    + [0, 0, 0, 10, 0, 0, 0, 20, 0xFF, 0xD9]

  static func group(_ records: [[UInt8]]) -> [UInt8] {
    let header = TLV.encode(0xA1, [0x81, 1, 2, 0x87, 2, 1, 1, 0x88, 2, 0, 8])
    let templates = records.map { TLV.encode(0x7F60, header + $0) }
    return TLV.encode(0x75, TLV.encode(0x7F61, [[2, 1, UInt8(records.count)]] + templates))
  }

  /// A record of ISO/IEC 19794-5 with these counts and lengths, correct or not.
  static func facial(
    _ image: [UInt8], points: Int = 0, statedPoints: Int? = nil, images: Int = 1,
    blockLength: Int? = nil, size: [UInt8] = [0, 7, 0, 9], following: [UInt8] = []
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] {
      [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: value >> $0) }
    }
    let length = 20 + 8 * points + 12 + image.count
    let head: [UInt8] = [0x46, 0x41, 0x43, 0, 0x30, 0x31, 0x30, 0]
    let counts = number(14 + length) + number(images).suffix(2)
    let block = number(blockLength ?? length) + number(statedPoints ?? points).suffix(2)
    let rest = [UInt8](repeating: 0, count: 14 + 8 * points) + [1, 0] + size
    return head + counts + block + rest + [1, 2, 0, 0, 0, 0] + image + following
  }

  private func portrait(_ record: [UInt8], tag: UInt32 = 0x5F2E) throws -> DataGroup.Portrait {
    try DataGroup.Portrait(dataGroup2: Self.group([TLV.encode(tag, record)]))
  }

  @Test func wholeDocument() throws {
    let portrait = try DataGroup.Portrait(dataGroup2: document.files.dg2.bytes + [0, 0])
    #expect(document.expected.faceImageType == "JPEG2000" && portrait.format == .jp2)
    #expect(portrait.size?.width == document.expected.faceWidth)
    #expect(portrait.size?.height == document.expected.faceHeight)
    #expect(portrait.record == .iso19794)
    #expect(try HashAlgorithm.sha256.hash(portrait.image) == document.expected.faceSha256.bytes)
  }

  @Test func formatsAndSizes() throws {
    let jpeg = try portrait(Self.facial(Self.jpeg))
    #expect(jpeg.format == .jpeg && jpeg.image == Self.jpeg)
    #expect(jpeg.size == DataGroup.Portrait.ImageSize(width: 300, height: 400))
    let codestream = try portrait(Self.facial(Self.codestream, points: 3))
    #expect(codestream.format == .jpeg2000Codestream && codestream.image == Self.codestream)
    #expect(codestream.size == DataGroup.Portrait.ImageSize(width: 300, height: 400))
    // A damaged head: the record's value counts, if it has one.
    let damaged = [UInt8](Self.jpeg.prefix(10))
    #expect(
      try portrait(Self.facial(damaged)).size == DataGroup.Portrait.ImageSize(width: 7, height: 9))
    #expect(try portrait(Self.facial(damaged, size: [0, 0, 0, 9])).size == nil)
  }

  @Test func wrongCountsAndLengthsDoNotHideThePicture() throws {
    for length in [0, 1, 40, 0xFFFF_FFFF] {
      #expect(try portrait(Self.facial(Self.jpeg, blockLength: length)).image == Self.jpeg)
    }
    for points in [0, 1, 5, 0xFFFF] {
      let record = Self.facial(Self.codestream, points: 2, statedPoints: points)
      #expect(try portrait(record).image == Self.codestream)
    }
    let two = Self.facial(Self.jpeg, images: 2, following: Self.facial(Self.codestream))
    #expect(try portrait(two).image == Self.jpeg)
    let wrong = Self.facial(Self.jpeg, images: 2, blockLength: 3)
    #expect(try portrait(wrong).image == Self.jpeg)
  }

  @Test func theFirstPictureOfSeveralRecords() throws {
    let empty = TLV.encode(0x5F2E, Self.facial([1, 2, 3]))
    let good = TLV.encode(0x5F2E, Self.facial(Self.jpeg))
    #expect(try DataGroup.Portrait(dataGroup2: Self.group([empty, good])).image == Self.jpeg)
    #expect(throws: DataGroup.Malformation.noImage) {
      try DataGroup.Portrait(dataGroup2: Self.group([empty]))
    }
    #expect(throws: DataGroup.Malformation.missing(tag: 0x5F2E)) {
      try DataGroup.Portrait(dataGroup2: Self.group([]))
    }
    #expect(throws: DataGroup.Malformation.missing(tag: 0x7F61)) {
      try DataGroup.Portrait(dataGroup2: [0x75, 0])
    }
  }

  @Test func recordsOfTheNewStandard() throws {
    let representation = TLV.encode(
      0xA1, TLV.encode(0xA1, TLV.encode(0x80, [0]) + TLV.encode(0x81, Self.jpeg)))
    let record = TLV.encode(
      0x65, TLV.encode(0xA0, [0x80, 1, 3, 0x81, 2, 7, 0xE3]) + representation)
    let portrait = try portrait(record, tag: 0x7F2E)
    #expect(portrait.record == .iso39794 && portrait.image == Self.jpeg)
    #expect(portrait.size == DataGroup.Portrait.ImageSize(width: 300, height: 400))
    let none = TLV.encode(0x65, TLV.encode(0xA0, [0x80, 1, 3]))
    #expect(throws: DataGroup.Malformation.noImage) { try self.portrait(none, tag: 0x7F2E) }
  }

  @Test func everyPrefixAndEveryChangedByte() throws {
    let newRecord = TLV.encode(0x7F2E, TLV.encode(0x65, TLV.encode(0x81, Self.codestream)))
    for file in [document.files.dg2.bytes, Self.group([newRecord])] {
      for prefix in HostileFiles.prefixes(of: file) {
        #expect(throws: DataGroup.Malformation.truncated) {
          try DataGroup.Portrait(dataGroup2: prefix)
        }
      }
      for changed in HostileFiles.changes(of: file, at: file.indices) {
        do throws(DataGroup.Malformation) {
          let image = try DataGroup.Portrait(dataGroup2: changed).image
          #expect(image.count < file.count && !image.isEmpty)
        } catch {}
      }
    }
  }

  @Test func everyPrefixOfAPictureIsAPortrait() throws {
    for image in [
      Self.jpeg, Self.codestream,
      try DataGroup.Portrait(dataGroup2: document.files.dg2.bytes).image,
    ] {
      for length in 12...image.count {
        let cut = [UInt8](image.prefix(length))
        #expect(try portrait(Self.facial(cut)).image == cut)
      }
      for changed in HostileFiles.changes(of: image, at: image.indices) {
        do throws(DataGroup.Malformation) {
          _ = try DataGroup.Portrait(
            dataGroup2: Self.group([TLV.encode(0x5F2E, Self.facial(changed))]))
        } catch { #expect(error == .noImage) }
      }
    }
  }

  @Test func madeUpFilesAreRefusedQuickly() {
    for file in HostileFiles.madeUp(tag: 0x75, inner: [0x7F61, 0x7F60, 0x5F2E]) {
      #expect(throws: DataGroup.Malformation.self) { try DataGroup.Portrait(dataGroup2: file) }
    }
    for file in HostileFiles.madeUp(tag: 0x65, inner: [0xA0, 0x80]) {
      let group = Self.group([TLV.encode(0x7F2E, file)])
      #expect(throws: DataGroup.Malformation.noImage) { try DataGroup.Portrait(dataGroup2: group) }
    }
    // A large record without a picture, and one of marker prefixes only.
    for byte: UInt8 in [0x00, 0xFF] {
      let record = Self.facial([UInt8](repeating: byte, count: 60_000))
      #expect(throws: DataGroup.Malformation.noImage) { try portrait(record) }
    }
  }
}
