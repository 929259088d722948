import Primitives
import TestSupport
import Testing

@testable import SignIn

@Suite struct ScryptTests {
  /// RFC 7914 §12, without the last vector, which takes a gigabyte.
  @Test(arguments: [
    (
      "", "", Scrypt(cost: 16, blockSize: 1, parallelization: 1),
      """
      77d6576238657b203b19ca42c18a0497f16b4844e3074ae8dfdffa3fede21442
      fcd0069ded0948f8326a753a0fc81f17e8d3e0fb2e0d3628cf35e20c38d18906
      """
    ),
    (
      "password", "NaCl", Scrypt(cost: 1024, blockSize: 8, parallelization: 16),
      """
      fdbabe1c9d3472007856e7190d01e9fe7c6ad7cbc8237830e77376634b373162
      2eaf30d92e22a3886ff109279d9830dac727afb94a83ee6d8360cbdfa2cc0640
      """
    ),
    (
      "pleaseletmein", "SodiumChloride", Scrypt(cost: 16384, blockSize: 8, parallelization: 1),
      """
      7023bdcb3afd7348461c06cd81fd38ebfda8fbba904f8e3ea9b543f6545da1f2
      d5432955613f0fcf62d49705242a9af9e61e85dc0d651e40dfcf017b45575887
      """
    ),
  ])
  func hashesAreThoseOfTheStandard(
    password: String, salt: String, scrypt: Scrypt, expected: String
  ) throws {
    let hash = try scrypt.hash(
      Secret([UInt8](password.utf8)), salt: [UInt8](salt.utf8), length: 64)
    #expect(hash == [UInt8](hexadecimal: expected))
  }

  @Test(arguments: [(0, 8, 1), (15, 8, 1), (1, 8, 1), (1024, 0, 1), (1024, 8, 0), (Int.max, 8, 1)])
  func parametersThatAreNoneAreRefused(cost: Int, blockSize: Int, parallelization: Int) {
    let scrypt = Scrypt(cost: cost, blockSize: blockSize, parallelization: parallelization)
    #expect(throws: CryptoError("EVP_PBE_scrypt")) {
      try scrypt.hash(Secret([1]), salt: [2], length: 32)
    }
  }
}
