import Testing

@testable import CIECard

@Suite struct ReaderSelectionTests {
  static let readers = [
    "ACS ACR122U 00 00", "ACS ACR122U 01 00", "OMNIKEY 5022", "OMNIKEY 5022 CL",
  ]

  @Test(arguments: [
    (PCSCContext.ReaderSelection.any, readers),
    (PCSCContext.ReaderSelection("2"), ["OMNIKEY 5022"]),
    (PCSCContext.ReaderSelection("4"), []),
    (PCSCContext.ReaderSelection("-1"), []),
    (PCSCContext.ReaderSelection("OMNIKEY 5022"), ["OMNIKEY 5022"]),
    (PCSCContext.ReaderSelection("5022 cl"), ["OMNIKEY 5022 CL"]),
    (PCSCContext.ReaderSelection("01 00"), ["ACS ACR122U 01 00"]),
    (PCSCContext.ReaderSelection("Gemalto"), []),
    (PCSCContext.ReaderSelection("acr"), ["ACS ACR122U 00 00", "ACS ACR122U 01 00"]),
  ])
  func `a reader is selected by number, name or part of the name`(
    _ selection: PCSCContext.ReaderSelection, _ expected: [String]
  ) {
    #expect(selection.candidates(among: Self.readers) == expected)
  }
}
