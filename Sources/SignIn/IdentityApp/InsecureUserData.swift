internal import CIECard
internal import RedirectFlow
internal import System

/// A person's data as the original identity app's server sends them. **Insecure**: the key that checks the signature
/// comes in the same answer, so anybody can make one that fits; and the cipher is a stream without authentication, so
/// whoever changes a bit of it changes that bit of the text. It is here to speak with a test server, and for nothing else.
struct InsecureUserData {
  /// The length of the secret, whose text itself is the AES-256 key.
  static let secretLength = 32

  private let digits: String
  private let counter: String
  private let key: String
  private let signature: String

  init(_ answer: ServiceAnswer) throws(ExchangeProblem) {
    digits = try answer.requiredText("encryptedData")
    counter = try answer.requiredText("iv")
    key = try answer.requiredText("publicKey")
    guard let signature = answer.text("signature") else { throw .missingMember("signature") }
    self.signature = signature
  }

  /// Whether the signature fits the key that came with it: RSASSA-PKCS1-v1_5 with SHA-256 over the hexadecimal digits.
  var isConsistent: Bool {
    let base64 = key.split(separator: "\n").filter { !$0.hasPrefix("-----") }.joined()
    guard let der = Base64.decode([UInt8](base64.utf8)),
      let key = RSAPublicKey(subjectPublicKeyInfo: der) ?? RSAPublicKey(pkcs1: der),
      let bytes = [UInt8](hexadecimal: signature), let signed = key.openPKCS1Type1(bytes),
      let hash = try? HashAlgorithm.sha256.hash([UInt8](digits.utf8))
    else { return false }
    return signed == Self.digestInfo + hash
  }

  /// The text, by AES-256 in counter mode (NIST SP 800-38A §6.5); `nil` for what is no hexadecimal digits, or a counter
  /// that is no block.
  func decrypted(with secret: borrowing Secret) throws(CryptoError) -> [UInt8]? {
    guard let text = [UInt8](hexadecimal: digits), var counter = [UInt8](hexadecimal: counter),
      counter.count == AES.blockLength, secret.count == Self.secretLength
    else { return nil }
    var plain: [UInt8] = []
    plain.reserveCapacity(text.count)
    for start in stride(from: 0, to: text.count, by: AES.blockLength) {
      // One block under a zero IV is the block cipher itself.
      let stream = try AES.encrypt(counter, key: secret)
      plain += zip(text[start...], stream).map { $0 ^ $1 }
      for index in counter.indices.reversed() {
        counter[index] &+= 1
        if counter[index] != 0 { break }
      }
    }
    return plain
  }

  /// The DigestInfo of SHA-256 up to the hash (RFC 8017 §9.2, note 1).
  private static let digestInfo: [UInt8] = [
    0x30, 0x31, 0x30, 0x0D, 0x06, 0x09, 0x60, 0x86, 0x48, 0x01, 0x65, 0x03, 0x04, 0x02, 0x01, 0x05,
    0x00, 0x04, 0x20,
  ]
}
