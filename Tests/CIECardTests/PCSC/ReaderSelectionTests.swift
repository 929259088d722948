import Testing

@testable import CIECard

@Suite struct ReaderSelectionTests {
  static let readers = [
    "ACS ACR122U 00 00", "ACS ACR122U 01 00", "OMNIKEY 5022", "OMNIKEY 5022 CL",
  ]

  @Test(arguments: [
    (ReaderSelection.any, readers),
    (ReaderSelection("2"), ["OMNIKEY 5022"]),
    (ReaderSelection("4"), []),
    (ReaderSelection("-1"), []),
    (ReaderSelection("OMNIKEY 5022"), ["OMNIKEY 5022"]),
    (ReaderSelection("5022 cl"), ["OMNIKEY 5022 CL"]),
    (ReaderSelection("01 00"), ["ACS ACR122U 01 00"]),
    (ReaderSelection("Gemalto"), []),
    (ReaderSelection("acr"), ["ACS ACR122U 00 00", "ACS ACR122U 01 00"]),
  ])
  func `a reader is chosen by number, name or part of it`(
    _ selection: ReaderSelection, _ expected: [String]
  ) {
    #expect(selection.candidates(among: Self.readers) == expected)
  }
}
