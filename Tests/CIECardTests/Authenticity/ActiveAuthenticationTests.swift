@testable import CIECard
import TestSupport
import Testing

/// Active authentication: the vectors, and answers changed in every byte.
@Suite struct ActiveAuthenticationTests {
  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let type: String
    let hash: String
    let n: HexBytes?
    let e: HexBytes?
    let paramId: UInt8?
    let publicKey: HexBytes?
    let rndIfd: HexBytes
    let signature: HexBytes
    let valid: Bool

    var testDescription: String { name }

    /// DG15 around the key.
    func dataGroup15() throws -> [UInt8] {
      let info: [[UInt8]]
      if let n, let e {
        let key = TLV.encode(0x30, [n.bytes, e.bytes].map { TLV.encode(0x02, [0] + $0) })
        info = [try Hex.bytes("300D06092A864886F70D0101010500"), TLV.encode(0x03, [0] + key)]
      } else {
        let curve = try Hex.bytes(paramId == 12 ? "06082A8648CE3D030107" : "06092B2403030208010107")
        let algorithm = TLV.encode(0x30, [try Hex.bytes("06072A8648CE3D0201"), curve])
        info = [algorithm, TLV.encode(0x03, [0] + (try #require(publicKey).bytes))]
      }
      return TLV.encode(0x6F, [TLV.encode(0x30, info)])
    }

    /// The object identifier of the ActiveAuthenticationInfo.
    func algorithm() throws -> [UInt8]? {
      guard type == "ecdsa" else { return nil }
      let number = try #require(
        ["sha1", "sha224", "sha256", "sha384", "sha512"].firstIndex(of: hash))
      return try Hex.bytes("04007F000701010401") + [UInt8(number + 1)]
    }

    func verdict(
      response: [UInt8]? = nil, challenge: [UInt8]? = nil
    ) throws -> AuthenticityReport.Verdict {
      ActiveAuthentication.verify(
        response ?? signature.bytes, challenge: challenge ?? rndIfd.bytes,
        dataGroup15: try dataGroup15(), signatureAlgorithm: try algorithm())
    }
  }

  static func cases() throws -> [Case] { try Vectors.cases("active-auth", of: Case.self) }
  static func good() throws -> [Case] { try cases().filter(\.valid) }

  @Test(arguments: try cases())
  func judgesEveryCase(vector: Case) throws {
    #expect(try vector.verdict() == (vector.valid ? .proved : .false(.answerWrong)))
  }

  @Test(arguments: try good())
  func everyChangedByteIsWrong(vector: Case) throws {
    for index in vector.signature.bytes.indices {
      var response = vector.signature.bytes
      response[index] ^= 0x01
      #expect(try vector.verdict(response: response) == .false(.answerWrong), "byte \(index)")
    }
    for index in vector.rndIfd.bytes.indices {
      var challenge = vector.rndIfd.bytes
      challenge[index] ^= 0x80
      #expect(try vector.verdict(challenge: challenge) == .false(.answerWrong), "byte \(index)")
    }
  }

  @Test(arguments: try good())
  func otherLengthsAndDegenerateAnswersAreWrong(vector: Case) throws {
    let good = vector.signature.bytes
    let zeros = [UInt8](repeating: 0, count: good.count)
    let half = [UInt8](zeros.prefix(good.count / 2))
    let others = [
      [], [UInt8](good.dropLast()), good + [0], [0] + good, zeros, zeros.dropLast() + [1],
      [UInt8](repeating: 0xFF, count: good.count), half + good.suffix(half.count),
      good.prefix(half.count) + half, vector.n?.bytes ?? [],
    ]
    for other in others { #expect(try vector.verdict(response: other) == .false(.answerWrong)) }
  }

  /// Strict DER is accepted; other encodings are no second form of the same signature.
  @Test func strictDERIsTaken() throws {
    let vector = try #require(try Self.good().first { $0.name == "ecdsa-p256-sha256" })
    let plain = vector.signature.bytes
    func integer(_ number: ArraySlice<UInt8>) -> [UInt8] {
      let digits = [UInt8](number.drop { $0 == 0 })
      return TLV.encode(0x02, (digits.first.map { $0 > 0x7F } ?? true ? [0] : []) + digits)
    }
    let (r, s) = (integer(plain.prefix(32)), integer(plain.suffix(32)))
    let strict = TLV.encode(0x30, [r, s])
    #expect(try vector.verdict(response: strict) == .proved)
    let loose = [
      TLV.encode(0x30, [TLV.encode(0x02, [0] + [UInt8](r.dropFirst(2))), s]),
      [0x30, 0x81, UInt8(r.count + s.count)] + r + s, strict + [0], TLV.encode(0x30, [r, s, r]),
      TLV.encode(0x31, [r, s]), TLV.encode(0x30, [r]),
    ]
    for form in loose { #expect(try vector.verdict(response: form) == .false(.answerWrong)) }
  }

  @Test func keysAndHashesThatAreNotKnown() throws {
    let vector = try #require(try Self.good().first { $0.name == "ecdsa-p256-sha256" })
    func verify(_ file: [UInt8], _ algorithm: [UInt8]?) -> AuthenticityReport.Verdict {
      ActiveAuthentication.verify(
        vector.signature.bytes, challenge: vector.rndIfd.bytes, dataGroup15: file,
        signatureAlgorithm: algorithm)
    }
    let file = try vector.dataGroup15()
    let algorithm = try #require(try vector.algorithm())
    #expect(verify(file, nil) == .couldNotCheck(.unsupportedAlgorithm("ECDSA")))
    // RIPEMD-160, and undefined arcs.
    for last: UInt8 in [0, 6, 7, 0xFF] {
      let other = [UInt8](algorithm.dropLast()) + [last]
      #expect(verify(file, other) == .couldNotCheck(.unsupportedAlgorithm(X509Value.hex(other))))
    }
    #expect(
      verify(file, algorithm + [3])
        == .couldNotCheck(.unsupportedAlgorithm(X509Value.hex(algorithm + [3]))))
    // Another curve of equal length: SECP256K1, with a point on it: its generator.
    let curve = try Hex.bytes("06072A8648CE3D020106052B8104000A")
    let point = try Hex.bytes(
      "0479BE667EF9DCBBAC55A06295CE870B07029BFCDB2DCE28D959F2815B16F81798"
        + "483ADA7726A3C4655DA4FBFC0E1108A8FD17B448A68554199C47D08FFB10D4B8")
    let info = [TLV.encode(0x30, curve), TLV.encode(0x03, [0] + point)]
    let other = TLV.encode(0x6F, [TLV.encode(0x30, info)])
    #expect(verify(other, algorithm) == .couldNotCheck(.unsupportedAlgorithm("secp256k1")))
  }

  /// A block that decodes and names RIPEMD-160 or Whirlpool is not called false; an invalid one is.
  @Test func hashThatIsNotKnownIsNotFalse() throws {
    func verdict(_ trailer: [UInt8], header: UInt8 = 0x6A) throws -> AuthenticityReport.Verdict {
      let fill = [UInt8](repeating: 0x5A, count: TerminalKey.modulus.count - 1 - trailer.count)
      let response = try TerminalKey.privateKey.apply([header] + fill + trailer)
      let numbers = [[0] + TerminalKey.modulus, [0x01, 0x00, 0x01]]
      let key = TLV.encode(0x30, numbers.map { TLV.encode(0x02, $0) })
      let info = [try Hex.bytes("300D06092A864886F70D0101010500"), TLV.encode(0x03, [0] + key)]
      return ActiveAuthentication.verify(
        response, challenge: [UInt8](repeating: 1, count: 8),
        dataGroup15: TLV.encode(0x6F, [TLV.encode(0x30, info)]), signatureAlgorithm: nil)
    }
    #expect(
      try verdict([0x31, 0xCC]) == .couldNotCheck(.unsupportedAlgorithm("ISO/IEC 10118-3, 31")))
    #expect(
      try verdict([0x37, 0xCC]) == .couldNotCheck(.unsupportedAlgorithm("ISO/IEC 10118-3, 37")))
    #expect(try verdict([0x34, 0xCC]) == .false(.answerWrong))
    #expect(try verdict([0x31, 0xCC], header: 0x4A) == .false(.answerWrong))
    #expect(try verdict([0x31, 0xDC]) == .false(.answerWrong))
  }

  @Test(arguments: ["rsa2048-sha256-34cc", "ecdsa-p256-sha256"])
  func hostileFilesAreRefused(name: String) throws {
    let vector = try #require(try Self.good().first { $0.name == name })
    let file = try vector.dataGroup15()
    func verify(_ file: [UInt8]) throws -> AuthenticityReport.Verdict {
      ActiveAuthentication.verify(
        vector.signature.bytes, challenge: vector.rndIfd.bytes, dataGroup15: file,
        signatureAlgorithm: try vector.algorithm())
    }
    for length in file.indices {
      #expect(try verify([UInt8](file.prefix(length))) == .false(.malformedFile))
    }
    #expect(try verify(file + [0, 0]) == .proved)
    for index in file.indices {
      for mask: UInt8 in [0x01, 0x80, 0xFF] {
        var changed = file
        changed[index] ^= mask
        // OpenSSL does not look at the parameters of an RSA algorithm; the key is then the same.
        let key = (vector.n ?? vector.publicKey)?.bytes ?? []
        let isSameKey = changed.indices.contains { changed[$0...].starts(with: key) }
        #expect(try verify(changed) != .proved || isSameKey, "byte \(index)")
      }
    }
    let huge: [UInt8] = [0x6F, 0x84, 0x7F, 0xFF, 0xFF, 0xFF]
    #expect(try verify(huge + file) == .false(.malformedFile))
    #expect(
      try verify([0x6F, 0x06] + [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF]) == .false(.malformedFile))
  }
}
