import Testing

@testable import CIECard

/// Identifiers of the files of a travel document.
@Suite struct LDSFileTests {
  @Test func dataGroups() {
    let tags: [UInt32] = [
      0x61, 0x75, 0x63, 0x76, 0x65, 0x66, 0x67, 0x68, 0x69, 0x6A, 0x6B, 0x6C, 0x6D, 0x6E, 0x6F,
      0x70,
    ]
    #expect(DataGroup.allCases.map(\.tag) == tags)
    #expect(DataGroup.allCases.map(\.number) == [UInt8](1...16))
    for group in DataGroup.allCases {
      #expect(DataGroup(name: group.name.uppercased()) == group)
      #expect(DataGroup(tag: group.tag) == group)
      let file = LDSFile.group(group)
      #expect(file.identifier == 0x0100 + UInt16(group.number))
      #expect(file.shortIdentifier == group.number && !file.isInMasterFile)
    }
    #expect(DataGroup.dg11.name == "dg11" && DataGroup.dg16.fileIdentifier == 0x0110)
    for name in ["", "dg", "dg0", "dg17", "dg01", "11"] { #expect(DataGroup(name: name) == nil) }
    #expect(DataGroup(tag: 0x77) == nil)
  }

  @Test func otherFiles() {
    let files: [(LDSFile, UInt16, UInt8, Bool)] = [
      (.cardAccess, 0x011C, 0x1C, true), (.cardSecurity, 0x011D, 0x1D, true),
      (.securityObject, 0x011D, 0x1D, false), (.common, 0x011E, 0x1E, false),
    ]
    for (file, identifier, short, isInMasterFile) in files {
      #expect(file.identifier == identifier && file.shortIdentifier == short)
      #expect(file.isInMasterFile == isInMasterFile)
    }
  }
}
