import Testing

@testable import CIECard

/// Identifiers of the files of a travel document.
@Suite struct DocumentFileTests {
  @Test func dataGroups() {
    let tags: [UInt32] = [
      0x61, 0x75, 0x63, 0x76, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F,
      0x70,
    ]
    #expect(DataGroup.allCases.map(\.tag) == tags)
    #expect(DataGroup.allCases.map(\.number) == [UInt8](1...16))
    for group in DataGroup.allCases {
      #expect(DataGroup(name: group.name.uppercased()) == group)
      let file = ElementaryFile.dataGroup(group)
      #expect(file.identifier == 0x0100 + UInt16(group.number))
      #expect(file.shortIdentifier == group.number)
    }
    #expect(DataGroup.dg11.name == "dg11" && DataGroup.dg16.fileIdentifier == 0x0110)
    for name in ["", "dg", "dg0", "dg17", "dg01", "11"] { #expect(DataGroup(name: name) == nil) }
  }

  @Test func otherFiles() {
    let files: [(ElementaryFile, UInt16, UInt8?)] = [
      (.cardAccess, 0x011C, nil), (.cardSecurity, 0x011D, nil),
      (.documentSecurityObject, 0x011D, 0x1D), (.commonData, 0x011E, 0x1E),
    ]
    for (file, identifier, short) in files {
      #expect(file.identifier == identifier && file.shortIdentifier == short)
    }
  }
}
