@testable import CIECard
import TestSupport
import Testing

/// The active half: the chip's answer to a challenge.
@Suite struct ChallengeTests {
  let documents: IASDocuments

  init() throws { documents = try IASDocuments.load() }

  @Test func goodAnswerProvesTheKey() throws {
    let report = try documents.report("first-generation")
    #expect(report[.challenge] == .proved)
    #expect(report.chipHoldsKey)
  }

  @Test func everyChangedByteOfTheAnswerIsFalse() throws {
    for index in documents.response.bytes.indices {
      let report = try documents.report("first-generation") { $0.response?[index] ^= 0x01 }
      #expect(report[.challenge] == .false(.answerWrong))
      #expect(report.outcome == .false && !report.chipHoldsKey)
    }
  }

  @Test func answerToAnotherChallengeIsFalse() throws {
    let challenge = documents.challenge.bytes
    let others = [
      challenge.dropLast() + [0], challenge + [0], [0] + challenge, [UInt8](challenge.dropLast()),
      [UInt8](challenge.dropFirst()),
    ]
    for other in others {
      let report = try documents.report("first-generation") { $0.challenge = other }
      #expect(report[.challenge] == .false(.answerWrong))
    }
  }

  @Test func answersOfOtherLengthsAreFalse() throws {
    let response = documents.response.bytes
    let others = [[], [UInt8](response.dropLast()), response + [0], [0] + response]
    for other in others {
      let report = try documents.report("first-generation") { $0.response = other }
      #expect(report[.challenge] == .false(.answerWrong))
    }
  }

  @Test func shortChallengesProveNothing() throws {
    for length in 0..<8 {
      let report = try documents.report("first-generation") { evidence in
        evidence.challenge = [UInt8](repeating: 0x5A, count: length)
      }
      #expect(report[.challenge] == .couldNotCheck(.challengeTooShort))
    }
  }

  @Test func withoutChallengeOrAnswerNothingIsProved() throws {
    let unasked = try documents.report("first-generation") { $0.challenge = nil }
    let unanswered = try documents.report("first-generation") { $0.response = nil }
    for report in [unasked, unanswered] {
      #expect(report[.challenge] == .couldNotCheck(.notRead))
      #expect(report.outcome == .couldNotCheck && !report.chipHoldsKey)
    }
  }

  @Test func keyThatIsNoKeyIsFalse() throws {
    let report = try documents.report("first-generation") { evidence in
      evidence.files[.servicesKey] = [0x30, 0x06, 0x02, 0x01, 0x0F, 0x02, 0x01, 0x03]
    }
    #expect(report[.challenge] == .false(.malformedFile))
    #expect(report[.hash(.servicesKey)] == .false(.hashDiffers))
  }
}
