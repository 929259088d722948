import Testing

@testable import CIECard

/// The four cases of ISO/IEC 7816-3 §12.1.3 in both forms.
@Suite struct CommandAPDUTests {
  private let extended = CommandAPDU.Form.extended(maximumResponse: 65_536)

  @Test func shortForms() {
    #expect(CommandAPDU(0xA4, 0, 0).encoded(.short) == [0, 0xA4, 0, 0])
    #expect(
      CommandAPDU(0xB0, 0, 0, expected: .upTo(256)).encoded(.short) == [0, 0xB0, 0, 0, 0])
    #expect(
      CommandAPDU(0x20, 0, 0x81, data: [1, 2]).encoded(.short) == [0, 0x20, 0, 0x81, 2, 1, 2])
    #expect(
      CommandAPDU(0x88, 0, 0, data: [1], expected: .upTo(8)).encoded(.short)
        == [0, 0x88, 0, 0, 1, 1, 8])
  }

  @Test func wholeAnswerHasNoLeInTheShortForm() {
    #expect(
      CommandAPDU(0xCB, 0x3F, 0xFF, data: [1], expected: .whole).encoded(.short)
        == [0, 0xCB, 0x3F, 0xFF, 1, 1])
  }

  @Test func extendedForms() {
    #expect(
      CommandAPDU(0xB0, 0, 0, expected: .upTo(300)).encoded(extended)
        == [0, 0xB0, 0, 0, 0, 1, 44])
    #expect(
      CommandAPDU(0xCB, 0, 0, data: [9], expected: .whole).encoded(extended)
        == [0, 0xCB, 0, 0, 0, 0, 1, 9, 0, 0])
    let long = [UInt8](repeating: 7, count: 256)
    #expect(
      CommandAPDU(0x22, 0, 0, data: long).encoded(extended) == [0, 0x22, 0, 0, 0, 1, 0] + long)
    #expect(
      CommandAPDU(0xCB, 0, 0, expected: .whole).encoded(.extended(maximumResponse: 2017))
        == [0, 0xCB, 0, 0, 0, 0x07, 0xE1])
  }

  @Test func extendedFormIsShortWhereItFits() {
    #expect(
      CommandAPDU(0xB0, 0, 0, expected: .upTo(256)).encoded(extended) == [0, 0xB0, 0, 0, 0])
  }

  @Test func whatDoesNotFitIsRefused() {
    let long = [UInt8](repeating: 7, count: 256)
    #expect(CommandAPDU(0x22, 0, 0, data: long).encoded(.short) == nil)
    #expect(CommandAPDU(0xB0, 0, 0, expected: .upTo(257)).encoded(.short) == nil)
    #expect(CommandAPDU(0xB0, 0, 0, expected: .upTo(0)).encoded(.short) == nil)
    #expect(CommandAPDU(0xB0, 0, 0, expected: .upTo(65_537)).encoded(extended) == nil)
    let tooLong = [UInt8](repeating: 7, count: 65_536)
    #expect(CommandAPDU(0x22, 0, 0, data: tooLong).encoded(extended) == nil)
  }

  @Test func responseNeedsAStatusWord() throws {
    #expect(throws: ChannelError.truncatedResponse(length: 1)) { try ResponseAPDU([0x90]) }
    #expect(throws: ChannelError.truncatedResponse(length: 0)) { try ResponseAPDU([]) }
    #expect(try ResponseAPDU([1, 0x90, 0]) == ResponseAPDU(data: [1], status: .success))
  }
}
