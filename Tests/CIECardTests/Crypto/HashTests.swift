import CIECard
import TestSupport
import Testing

/// The hash functions and the key derivations based on them.
@Suite struct HashTests {
  /// FIPS 180-4 examples: the three letters "abc".
  @Test(arguments: [
    (HashAlgorithm.sha1, "A9993E364706816ABA3E25717850C26C9CD0D89D"),
    (.sha224, "23097D223405D8228642A477BDA255B32AADBCE4BDA0B3F7E36C9DA7"),
    (.sha256, "BA7816BF8F01CFEA414140DE5DAE2223B00361A396177A9CB410FF61F20015AD"),
    (
      .sha384,
      "CB00753F45A35E8BB5A03D699AC65007272C32AB0EDED1631A8B605A43FF5BED8086072BA1E7CC2358BAECA134C825A7"
    ),
    (
      .sha512,
      """
      DDAF35A193617ABACC417349AE20413112E6FA4E89A97EA20A9EEEE64B55D39A
      2192992A274FC1A836BA3C23A3FEEBBD454D4423643CE80E2A9AC94FA54CA49F
      """
    ),
  ])
  func publishedValues(algorithm: HashAlgorithm, value: String) throws {
    let expected = try Hex.bytes(value)
    #expect(try algorithm.hash([UInt8]("abc".utf8)) == expected)
    #expect(try algorithm.hash([0x61], [], [0x62, 0x63]) == expected)
    #expect(algorithm.length == expected.count)
  }

  /// FIPS 180-4: the empty message.
  @Test func emptyMessage() throws {
    let empty = try Hex.bytes("E3B0C44298FC1C149AFBF4C8996FB92427AE41E4649B934CA495991B7852B855")
    #expect(try HashAlgorithm.sha256.hash() == empty)
    #expect(try HashAlgorithm.sha256.hash([]) == empty)
  }

  struct KDFCase: Decodable {
    let name: String
    let cipher: String
    let secret: HexBytes
    let counter: UInt8
    let key: HexBytes
  }

  /// `kdf.json`, Doc 9303-11 §9.7.1: H(K ‖ counter), cut to the key's length.
  @Test func keyDerivation() throws {
    for vector in try Vectors.cases("kdf", of: KDFCase.self) {
      let hash: HashAlgorithm =
        ["AES192", "AES256"].contains(vector.cipher) ? .sha256 : .sha1
      let value = try hash.hash(vector.secret.bytes, [0, 0, 0, vector.counter])
      #expect([UInt8](value.prefix(vector.key.bytes.count)) == vector.key.bytes, "\(vector.name)")
    }
  }

  struct IASFile: Decodable {
    struct Certificate: Decodable {
      let body: HexBytes
      let sha256: HexBytes
    }
    let z: HexBytes
    let ksEnc: HexBytes
    let ksMac: HexBytes
    let certificateBody: Certificate
  }

  /// `ias-sm.json`: session keys of the IAS application and the hash in the terminal's certificate.
  @Test func iasKeyDerivationAndCertificateHash() throws {
    let file = try Vectors.decode("ias-sm", as: IASFile.self)
    let encryption = try HashAlgorithm.sha256.hash(file.z.bytes, [0, 0, 0, 1])
    let mac = try HashAlgorithm.sha256.hash(file.z.bytes, [0, 0, 0, 2])
    #expect([UInt8](encryption.prefix(16)) == file.ksEnc.bytes)
    #expect([UInt8](mac.prefix(16)) == file.ksMac.bytes)
    let certificate = file.certificateBody
    #expect(try HashAlgorithm.sha256.hash(certificate.body.bytes) == certificate.sha256.bytes)
  }
}
