internal import COpenSSL

/// MD5 (RFC 1321), only to read files that were encrypted with it.
package enum MD5 {
  package static func hash(_ parts: [UInt8]...) throws(CryptoError) -> [UInt8] {
    let input = parts.flatMap { $0 }
    var output = [UInt8](repeating: 0, count: 16)
    guard EVP_Digest(input, input.count, &output, nil, EVP_md5(), nil) == 1 else {
      throw .fromQueue("MD5")
    }
    return output
  }
}

/// RC4, only for files that are encrypted with it; OpenSSL has it in a provider that is seldom there.
package enum RC4 {
  /// Encrypts or decrypts, which is the same.
  ///
  /// - Parameter key: 1 to 256 bytes.
  package static func apply(_ input: [UInt8], key: [UInt8]) throws(CryptoError) -> [UInt8] {
    guard (1...256).contains(key.count) else { throw CryptoError("RC4", reason: "key length") }
    var state = [UInt8](0...255)
    var second = 0
    for first in 0..<256 {
      second = (second + Int(state[first]) + Int(key[first % key.count])) & 255
      state.swapAt(first, second)
    }
    var first = 0
    second = 0
    return input.map { byte in
      first = (first + 1) & 255
      second = (second + Int(state[first])) & 255
      state.swapAt(first, second)
      return byte ^ state[(Int(state[first]) + Int(state[second])) & 255]
    }
  }
}
