/// RSA signatures of ISO/IEC 9796-2 scheme 1 with partial recovery: F = 6A ‖ M1 ‖ H ‖ trailer.
///
/// Active authentication signs M1 ‖ challenge, with any hash named by the trailer (Doc 9303-11
/// §6.1.2.2); IAS ECC uses SHA-256, trailer BC, and H covers more than the signature carries
/// (§5.2.3.4).
package enum RecoverableSignature {
  private static let head: UInt8 = 0x6A
  /// The trailer that leaves the hash function to the protocol.
  private static let trailer: UInt8 = 0xBC

  /// Length of M1 with SHA-256 and trailer BC in a modulus of this length.
  package static func messageLength(modulus length: Int) -> Int {
    length - HashAlgorithm.sha256.length - 2
  }

  /// F with SHA-256 and trailer BC, for the private operation.
  ///
  /// - Parameters:
  ///   - recovered: M1, of the length `messageLength`.
  ///   - hashing: everything that H covers.
  package static func block(
    recovered: [UInt8], hashing message: [UInt8]
  ) throws(CryptoError) -> [UInt8] {
    [head] + recovered + (try HashAlgorithm.sha256.hash(message)) + [trailer]
  }

  /// Opens a signature with SHA-256 and trailer BC.
  ///
  /// - Returns: M1 and H; `nil` if the block does not begin with 6A and end with BC, or the
  ///   signature does not have the length of the modulus, or is not smaller.
  package static func open(_ signature: [UInt8], key: RSAPublicKey) -> (
    recovered: [UInt8], hash: [UInt8]
  )? {
    guard let block = key.open(signature), block.first == head, block.last == trailer else {
      return nil
    }
    let content = block.dropFirst().dropLast()
    let hash = content.suffix(HashAlgorithm.sha256.length)
    return (recovered: [UInt8](content.dropLast(hash.count)), hash: [UInt8](hash))
  }

  package enum Verdict: Equatable {
    /// It was made with the private key over this challenge.
    case confirmed
    /// It was not, or its length is not that of the modulus, or it is not smaller.
    case wrong
    /// It opens to a block whose trailer names an unknown hash function.
    case unknownHash(UInt8)
  }

  /// Verifies a signature whose message ends in `challenge`.
  package static func verify(
    _ signature: [UInt8], over challenge: [UInt8], key: RSAPublicKey
  ) -> Verdict {
    guard let opened = key.open(signature), let block = block(opened, key.modulus),
      let content = contents(of: block)
    else { return .wrong }
    guard let hash = content.hash else { return .unknownHash(content.identifier) }
    guard content.bytes.count > hash.length else { return .wrong }
    let message = [UInt8](content.bytes.dropLast(hash.length))
    do throws(CryptoError) {
      return try hash.hash(message, challenge).elementsEqual(content.bytes.suffix(hash.length))
        ? .confirmed : .wrong
    } catch {
      return .wrong
    }
  }

  /// F itself, also if the chip signs with the smaller of S and n − S: F ends in the nibble C, n −
  /// F does not (ISO/IEC 9796-2 §B.6).
  private static func block(_ opened: [UInt8], _ modulus: [UInt8]) -> [UInt8]? {
    guard let last = opened.last, last & 0x0F != 0x0C else { return opened }
    do throws(CryptoError) {
      let zero = [UInt8](repeating: 0, count: modulus.count)
      return try ModularArithmetic.subtract(zero, opened, modulus: modulus)
    } catch {
      return nil
    }
  }

  /// The bytes between header and trailer, with the hash function named by the trailer, if it is
  /// known.
  private struct Contents {
    let bytes: ArraySlice<UInt8>
    let identifier: UInt8
    let hash: HashAlgorithm?
  }

  private static func contents(of block: [UInt8]) -> Contents? {
    guard let body = withoutHeader(block), let last = body.last else { return nil }
    if last == trailer { return Contents(bytes: body.dropLast(), identifier: last, hash: .sha1) }
    guard last == 0xCC, let identifier = body.dropLast().last else { return nil }
    return Contents(bytes: body.dropLast(2), identifier: identifier, hash: hash(identifier))
  }

  /// The header nibble 6, then nibbles B as padding, then the nibble A (ISO/IEC 9796-2 §8.2.2).
  private static func withoutHeader(_ block: [UInt8]) -> ArraySlice<UInt8>? {
    switch block.first {
    case head: return block.dropFirst()
    case 0x6B:
      let rest = block.dropFirst().drop { $0 == 0xBB }
      return rest.first == 0xBA ? rest.dropFirst() : nil
    default: return nil
    }
  }

  /// The hash functions of ISO/IEC 10118-3 by their identifiers in the trailer (ISO/IEC 9796-2 §8.4).
  private static func hash(_ identifier: UInt8) -> HashAlgorithm? {
    switch identifier {
    case 0x33: .sha1
    case 0x34: .sha256
    case 0x35: .sha512
    case 0x36: .sha384
    case 0x38: .sha224
    default: nil
    }
  }
}
