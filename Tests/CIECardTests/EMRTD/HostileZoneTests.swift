import Testing

@testable import CIECard

/// DG1 cut, changed and fabricated.
@Suite struct HostileZoneTests {
  private static let files = [MRZTests.card, MRZTests.passport, MRZTests.td2].map { text in
    TLV.encode(0x61, TLV.encode(0x5F1F, [UInt8](text.utf8.filter { $0 != 0x0A })))
  }

  @Test(arguments: files)
  func everyPrefixAndEveryChangedByte(file: [UInt8]) throws {
    for prefix in HostileFiles.prefixes(of: file) {
      #expect(throws: DataGroup.Malformation.truncated) { try MRZ(dataGroup1: prefix) }
    }
    let good = try MRZ(dataGroup1: file)
    for changed in HostileFiles.changes(of: file, at: file.indices) {
      do throws(DataGroup.Malformation) {
        let zone = try MRZ(dataGroup1: changed)
        #expect(zone != good)
        _ = MRZ.Information(zone)
        #expect(zone.text.utf8.count == good.text.utf8.count)
      } catch {}
    }
  }

  @Test func aChangedCharacterOfACheckedFieldShows() throws {
    let file = Self.files[0]
    // Document number, dates and optional data; after five bytes of tags and lengths.
    for place in [5...29, 30...36, 38...44, 48...58].joined() {
      var changed = file
      changed[place + 5] = changed[place + 5] == 0x38 ? 0x39 : 0x38
      do throws(DataGroup.Malformation) {
        #expect(try MRZ(dataGroup1: changed).wrongCheckDigits.contains(.composite))
      } catch {}
    }
  }

  @Test func madeUpFilesAreRefusedQuickly() {
    for file in HostileFiles.madeUp(tag: 0x61, inner: [0x5F1F, 0x61]) {
      #expect(throws: DataGroup.Malformation.self) { try MRZ(dataGroup1: file) }
    }
    for count in [0, 1, 30, 60, 71, 73, 89, 91, 65_000] {
      let zone = [UInt8](repeating: 0x3C, count: count)
      #expect(throws: DataGroup.Malformation.zone(.lines([count]))) {
        try MRZ(dataGroup1: TLV.encode(0x61, TLV.encode(0x5F1F, zone)))
      }
    }
    #expect(throws: MRZ.Malformation.self) { try MRZ(text: String(repeating: "<\n", count: 9999)) }
  }
}
