import COpenSSL
import Testing

@testable import CIECard

/// An allocation failure in OpenSSL is a separate error: nothing was determined, so nothing is called forged.
@Suite struct NoMemoryTests {
  /// Makes OpenSSL run out of memory; a function that fails so cleans up and returns false.
  private static func fail() -> Bool {
    let buffer = BUF_MEM_new()
    defer { BUF_MEM_free(buffer) }
    let isGrown = BUF_MEM_grow(buffer, Int.max) != 0
    CryptoError.clearQueue()
    return isGrown
  }

  @Test func aCalculationWithoutMemoryHasNoOutcome() throws {
    let error = #expect(throws: CryptoError.self) {
      try CryptoError.heedingMemory("check") { Self.fail() }
    }
    #expect(error == CryptoError("check", reason: "malloc failure"))
    // The error is cleared by that, and other failures have their own outcome.
    #expect(try !CryptoError.heedingMemory("check") { EC_GROUP_new_by_curve_name(-1) != nil })
  }

  @Test func withoutMemoryNothingIsFalse() {
    let points = AuthenticityReport.heedingMemory {
      _ = Self.fail()
      return [
        AuthenticityReport.Point(kind: .signature, verdict: .proved),
        AuthenticityReport.Point(kind: .challenge, verdict: .false(.answerWrong)),
      ]
    }
    #expect(points.map(\.verdict) == [.proved, .couldNotCheck(.noMemory)])
  }
}
