import Testing

@testable import CIECard

@Suite struct TLVCursorTests {
  @Test func readsTagsOfOneTwoAndThreeBytes() throws {
    var cursor = TLVCursor([0x87, 1, 9, 0x7F, 0x49, 0, 0xBF, 0xA1, 0x01, 2, 1, 2])
    #expect(try cursor.next().tag == 0x87)
    #expect(try cursor.next().tag == 0x7F49)
    let last = try cursor.next()
    #expect(last.tag == 0xBFA101)
    #expect(last.bytes == [1, 2])
    #expect(last.encoded == [0xBF, 0xA1, 0x01, 2, 1, 2])
    #expect(cursor.isAtEnd)
  }

  @Test func readsLongLengths() throws {
    for form in [[0x81, 3], [0x82, 0, 3], [0x83, 0, 0, 3], [0x84, 0, 0, 0, 3]] as [[UInt8]] {
      var cursor = TLVCursor([0x04] + form + [1, 2, 3])
      #expect(try cursor.next().bytes == [1, 2, 3])
    }
  }

  @Test(arguments: [
    ([] as [UInt8], TLVError.truncated), ([0x87], .truncated), ([0x87, 2, 1], .truncated),
    ([0x87, 0x80], .invalidLength), ([0x87, 0x85, 0, 0, 0, 0, 1, 1], .invalidLength),
    ([0x87, 0xFF], .invalidLength), ([0x87, 0x82, 1], .truncated), ([0x7F], .truncated),
    ([0x7F, 0x80, 1, 0], .invalidTag), ([0x7F, 0x81, 0x81, 0x01, 0], .invalidTag),
  ])
  func refuses(bytes: [UInt8], expected: TLVError) {
    #expect(throws: expected) {
      var cursor = TLVCursor(bytes)
      _ = try cursor.next()
    }
  }

  @Test func hugeLengthIsRefusedWithoutMemory() {
    for length in [[0x83, 0xFF, 0xFF, 0xFF], [0x84, 0x7F, 0xFF, 0xFF, 0xFF]] as [[UInt8]] {
      #expect(throws: TLVError.truncated) {
        var cursor = TLVCursor([0x30] + length + [1])
        _ = try cursor.next()
      }
    }
  }

  @Test func findsByTagInAnyOrderAndOnlyOnce() throws {
    let cursor = TLVCursor([0x82, 1, 2, 0x81, 1, 1])
    #expect(try cursor.first(0x81).bytes == [1])
    #expect(throws: TLVError.missing(tag: 0x83)) { try cursor.first(0x83) }
    #expect(throws: TLVError.repeated(tag: 0x81)) {
      try TLVCursor([0x81, 0, 0x81, 0]).first(0x81)
    }
  }

  @Test func leftoversAndWrongTagsAreErrors() {
    #expect(throws: TLVError.trailingBytes(count: 1)) {
      var cursor = TLVCursor([0x81, 0, 0])
      _ = try cursor.next()
      try cursor.finish()
    }
    #expect(throws: TLVError.unexpectedTag(found: 0x81, expected: 0x82)) {
      var cursor = TLVCursor([0x81, 0])
      _ = try cursor.next(0x82)
    }
  }

  @Test func encodedLengthNeedsOnlyTheHead() throws {
    #expect(try TLVCursor.encodedLength(of: [0x30, 0x82, 0x07, 0x08]) == 1804)
    #expect(try TLVCursor.encodedLength(of: [0x77, 5, 1]) == 7)
    #expect(
      try TLVCursor.encodedLength(of: [0x75, 0x84, 0xFF, 0xFF, 0xFF, 0xFF]) == 0x1_0000_0005)
    #expect(throws: TLVError.truncated) { try TLVCursor.encodedLength(of: [0x30, 0x82, 7]) }
  }

  @Test(arguments: [0, 1, 127, 128, 255, 256, 5000])
  func encodingComesBack(count: Int) throws {
    let value = [UInt8](repeating: 0xA5, count: count)
    for tag: UInt32 in [0x87, 0x7F49, 0xBFA101] {
      var cursor = TLVCursor(TLV.encode(tag, value))
      let object = try cursor.next(tag)
      #expect(object.bytes == value)
      #expect(cursor.isAtEnd)
    }
  }

  @Test func everyPrefixAndEveryChangedByteIsAValueOrAnError() throws {
    let good = TLV.encode(
      0x70, TLV.encode(0xBFA101, TLV.encode(0xA3, TLV.encode(0x97, [1, 2, 3]))))
    var parsed = 0
    for length in good.indices {
      #expect(throws: TLVError.self) {
        var cursor = TLVCursor([UInt8](good.prefix(length)))
        _ = try cursor.next()
      }
    }
    for index in good.indices {
      for value in UInt8.min...UInt8.max {
        var changed = good
        changed[index] = value
        if (try? TLVCursor(changed).all()) != nil { parsed += 1 }
      }
    }
    #expect(parsed > 0 && parsed < good.count * 256)
  }
}
