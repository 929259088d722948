import CIECard
import Messages
import Testing
import VirtualCIE
import Web

@testable import Traces

/// Errors of parsers print as sentences, each case of them.
@Suite struct LibraryErrorTests {
  private static let errors: [any Error & Sendable] =
    RedirectURL.Problem.allCases
    + [Certificate.Malformation.malformed(reason: "too short"), .trailingBytes(count: 2)]
    + [
      DataGroup.Malformation.truncated, .notDataObjects, .unexpectedTag(found: 1, expected: 0x5F1F),
      .missing(tag: 1), .repeated(tag: 1), .trailingBytes(count: 1), .value(tag: 1), .zone(.sex),
      .noImage,
    ]
    + [
      MRZ.Malformation.lines([30, 29, 30]), .character(position: 7), .dateOfBirth, .dateOfExpiry,
      .sex,
    ]
    + [MRZ.Information.Problem.documentNumber, .dateOfBirth, .dateOfExpiry]
    + [CardOptions.ParsingError.unknownOption("x"), .badValue("nonce")]
    + [FaultPlan.ParsingError.unknownFault("x"), .badValue("delay"), .badMoment("@")]

  private static let kinds: [TraceError.Kind] = [
    .notText, .controlCharacter, .spacing, .tooLong, .missingFinalNewline, .notAHeaderLine,
    .diagnosticRecord,
    .unknownKey("x"), .duplicateKey("x"), .keyOutOfOrder("x"), .missingKey("x"), .misplacedKey("x"),
    .badValue(key: "x"), .missingEntries, .notAnEntry, .badHex, .shortCommand, .shortAnswer,
    .unknownEvent, .answerWithoutCommand, .commandWithoutAnswer, .emptyConversation,
  ]

  @Test func `an error is a sentence, with its stable name`() {
    let traces = Self.kinds.map { TraceError(line: 1, $0) }
    let texts = (Self.errors + traces).map { "\($0)" }
    for text in texts {
      #expect(text.contains(/^[A-Z-].*\. .*\. \[[a-z-]+\]$/), "\(text)")
    }
    // An address that is refused for another reason says so.
    let addresses = RedirectURL.Problem.allCases.map { "\($0)" }
    #expect(Set(addresses).count == 9)
  }
}
