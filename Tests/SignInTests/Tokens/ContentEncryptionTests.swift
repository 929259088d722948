import Primitives
import Testing

@testable import SignIn

/// Published examples of the content encryption (RFC 7518 appendix B.1 and B.3). The ciphertext is not repeated here,
/// because the printed tag authenticates it.
@Suite struct ContentEncryptionTests {
  private static let text = [UInt8](
    "A cipher system must not be required to be secret, and it must be able to fall into the hands of the enemy without inconvenience"
      .utf8)
  private static let header = [UInt8]("The second principle of Auguste Kerckhoffs".utf8)
  private static let vector: [UInt8] = [
    0x1A, 0xF3, 0x8C, 0x2D, 0xC2, 0xB9, 0x6F, 0xFD, 0xD8, 0x66, 0x94, 0x09, 0x23, 0x41, 0xBC, 0x04,
  ]
  private static let tags: [ContentEncryption: [UInt8]] = [
    .aes128: [
      0x65, 0x2C, 0x3F, 0xA3, 0x6B, 0x0A, 0x7C, 0x5B, 0x32, 0x19, 0xFA, 0xB3, 0xA3, 0x0B, 0xC1,
      0xC4,
    ],
    .aes256: [
      0x4D, 0xD3, 0xB4, 0xC0, 0x88, 0xA7, 0xF4, 0x5C, 0x21, 0x68, 0x39, 0x64, 0x5B, 0x20, 0x12,
      0xBF, 0x2E, 0x62, 0x69, 0xA8, 0xC5, 0x6A, 0x81, 0x6D, 0xBC, 0x1B, 0x26, 0x77, 0x61, 0x95,
      0x5B, 0xC5,
    ],
  ]

  @Test(arguments: [ContentEncryption.aes128, .aes256])
  func `what is printed is opened, and nothing that differs by a bit`(
    _ encryption: ContentEncryption
  ) throws {
    let key = [UInt8](0..<UInt8(encryption.keyLength))
    let padding = UInt8(16 - Self.text.count % 16)
    let padded = Self.text + [UInt8](repeating: padding, count: Int(padding))
    let sealed = try AES.encrypt(
      padded, key: Secret([UInt8](key.suffix(key.count / 2))), iv: Self.vector)
    let tag = try #require(Self.tags[encryption])
    func opened(
      _ text: [UInt8]? = nil, vector: [UInt8] = Self.vector, tag: [UInt8],
      header: [UInt8] = Self.header,
      key: [UInt8]
    ) throws(SignInError) -> [UInt8] {
      try encryption.open(
        text ?? sealed, vector: vector, tag: tag, header: header, Secret(key))
    }
    #expect(try opened(tag: tag, key: key) == Self.text)
    func refused(_ bytes: [UInt8], _ open: ([UInt8]) throws -> [UInt8]) {
      for index in bytes.indices {
        var other = bytes
        other[index] ^= 1
        #expect(problem { _ = try open(other) } == "decryptionFailed")
      }
      #expect(problem { _ = try open([UInt8](bytes.dropLast())) } == "decryptionFailed")
    }
    refused(sealed) { try opened($0, tag: tag, key: key) }
    refused(Self.vector) { try opened(vector: $0, tag: tag, key: key) }
    refused(tag) { try opened(tag: $0, key: key) }
    refused(Self.header) { try opened(tag: tag, header: $0, key: key) }
    var other = key
    other[0] ^= 1
    #expect(problem { _ = try opened(tag: tag, key: other) } == "decryptionFailed")
  }
}
