import CIECard
import Testing

/// The behaviour of secrets and random bytes.
@Suite struct SecretTests {
  @Test func holdsWhatWasWritten() {
    let secret = Secret(count: 4) { buffer in
      for index in buffer.indices { buffer[index] = UInt8(index + 1) }
    }
    let (count, bytes) = (secret.count, secret.withBytes { [UInt8]($0) })
    #expect(count == 4)
    #expect(bytes == [1, 2, 3, 4])
  }

  @Test func startsAsZeros() {
    let bytes = Secret(count: 32) { _ in }.withBytes { [UInt8]($0) }
    #expect(bytes == [UInt8](repeating: 0, count: 32))
  }

  @Test func equality() {
    let secret = Secret([1, 2, 3])
    let outcomes = [
      secret.equals(Secret([1, 2, 3])), secret.equals(Secret([1, 2, 4])),
      secret.equals(Secret([1, 2])), secret.equals(Secret([])), Secret([]).equals(Secret([])),
    ]
    #expect(outcomes == [true, false, false, false, true])
  }

  @Test func constantTimeComparison() {
    #expect(ConstantTime.equal([1, 2], [1, 2]))
    #expect(!ConstantTime.equal([1, 2], [1, 3]))
    #expect(!ConstantTime.equal([1, 2], [1]))
    #expect(ConstantTime.equal([], []))
  }

  @Test func systemRandomFillsEverything() throws {
    var random = SystemRandom()
    let one = try random.bytes(32)
    let other = try random.bytes(32)
    #expect(one != other)
    #expect(one.count == 32)
    #expect(try random.bytes(0).isEmpty)
    let secret = try Secret(randomCount: 32, from: &random)
    let differs = !secret.equals(Secret(one))
    #expect(differs)
  }

  struct EmptySource: RandomSource {
    func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
      throw CryptoError("test", reason: "nothing left")
    }
  }

  @Test func failingSourceGivesNoSecret() {
    #expect(throws: CryptoError("test", reason: "nothing left")) {
      var source = EmptySource()
      _ = try Secret(randomCount: 8, from: &source)
    }
    #expect(throws: CryptoError("test", reason: "nothing left")) {
      var source = EmptySource()
      return try source.bytes(8)
    }
  }
}
