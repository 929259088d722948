import Testing

@testable import CIECard

@Suite struct StatusWordTests {
  @Test func everyWordComesBack() {
    for word in UInt16.min...UInt16.max {
      #expect(StatusWord(rawValue: word).rawValue == word)
    }
  }

  @Test func noTwoWordsShareACase() {
    let all = Set((UInt16.min...UInt16.max).map { StatusWord(rawValue: $0) })
    #expect(all.count == 65_536)
  }

  @Test(
    arguments: [
      (UInt16(0x9000), StatusWord.success), (0x6123, .bytesRemaining(0x23)),
      (0x63C2, .triesLeft(2)),
      (0x6300, .authenticationFailed), (0x63D0, .other(0x63D0)), (0x6C00, .correctLength(0)),
      (0x6982, .securityStatusNotSatisfied), (0x6A82, .fileNotFound), (0x9001, .other(0x9001)),
    ] as [(UInt16, StatusWord)])
  func wordHasItsMeaning(word: UInt16, status: StatusWord) {
    #expect(StatusWord(rawValue: word) == status)
  }

  @Test func descriptionHasFourDigits() {
    #expect(StatusWord(rawValue: 0x00AB).description == "00AB")
    #expect(StatusWord.success.description == "9000")
  }
}
