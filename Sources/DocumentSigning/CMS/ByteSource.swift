internal import Glibc
public import CIECard
internal import Primitives

/// Bytes of a document, in memory or in a regular file, of which only the asked for parts are read.
public struct ByteSource: Sendable {
  private let storage: Storage
  private let start: Int
  /// Number of bytes.
  public let count: Int

  private enum Storage: Sendable {
    case memory([UInt8])
    case file(OpenFile)
  }

  /// Bytes in memory.
  public init(_ bytes: [UInt8]) {
    (storage, start, count) = (.memory(bytes), 0, bytes.count)
  }

  /// Opens a regular file; it is closed with the last source of it.
  ///
  /// - Throws: `CMSError.system`, `CMSError.notAFile`.
  public init(path: String) throws(CMSError) {
    let number = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard number >= 0 else { throw .system(errno: errno) }
    let file = OpenFile(number: number)
    var status = stat()
    guard fstat(number, &status) == 0 else { throw .system(errno: errno) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .notAFile }
    (storage, start, count) = (.file(file), 0, Int(status.st_size))
  }

  private init(_ storage: Storage, start: Int, count: Int) {
    (self.storage, self.start, self.count) = (storage, start, count)
  }

  /// A part of these bytes; what is outside of them is left out.
  func slice(_ range: Range<Int>) -> ByteSource {
    let part = range.clamped(to: 0..<count)
    return ByteSource(storage, start: start + part.lowerBound, count: part.count)
  }

  /// Reads a part.
  ///
  /// - Throws: `CMSError.malformed(.encoding)` if it ends outside; a file that became shorter too.
  package func bytes(_ range: Range<Int>) throws(CMSError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .malformed(.encoding) }
    switch storage {
    case .memory(let bytes):
      return [UInt8](bytes[start + range.lowerBound..<start + range.upperBound])
    case .file(let file):
      return try file.read(at: start + range.lowerBound, count: range.count)
    }
  }

  /// Hands over parts in blocks that fit into memory, in order.
  func forEachBlock(
    of ranges: [Range<Int>], _ body: ([UInt8]) throws(CMSError) -> Void
  ) throws(CMSError) {
    for range in ranges {
      var position = range.lowerBound
      while position < range.upperBound {
        let end = min(position + Self.blockLength, range.upperBound)
        try body(try bytes(position..<end))
        position = end
      }
    }
  }

  /// The hash of parts, one after the other.
  func hash(
    of ranges: [Range<Int>], _ algorithm: HashAlgorithm
  ) throws(CMSError) -> [UInt8] {
    var hash = try CMSError.calculating { () throws(CryptoError) in try RunningHash(algorithm) }
    try forEachBlock(of: ranges) { (block) throws(CMSError) in
      do throws(CryptoError) { try hash.update(block) } catch { throw .crypto(error) }
    }
    do throws(CryptoError) { return try hash.finish() } catch { throw .crypto(error) }
  }

  /// SHA-256 of all bytes, which a signature covers and of which a person is shown the beginning.
  ///
  /// - Throws: `CMSError`.
  public func digest() throws(CMSError) -> Digest {
    let bytes = try hash(of: [0..<count], .sha256)
    guard let digest = Digest(.sha256, bytes: bytes) else { throw .unusableCertificate }
    return digest
  }

  private static let blockLength = 1 << 20
}

/// A file that is open as long as a source needs it.
private final class OpenFile: Sendable {
  private let number: CInt

  init(number: CInt) { self.number = number }

  func read(at offset: Int, count: Int) throws(CMSError) -> [UInt8] {
    var block = [UInt8](repeating: 0, count: count)
    var done = 0
    while done < count {
      let length = block.withUnsafeMutableBytes { buffer in
        pread(number, buffer.baseAddress?.advanced(by: done), count - done, off_t(offset + done))
      }
      if length < 0, errno == EINTR { continue }
      guard length >= 0 else { throw .system(errno: errno) }
      guard length > 0 else { throw .malformed(.encoding) }
      done += length
    }
    return block
  }

  deinit { close(number) }
}

extension CMSError {
  /// Runs an operation of OpenSSL.
  static func calculating<Result: ~Copyable>(
    _ body: () throws(CryptoError) -> Result
  ) throws(CMSError) -> Result {
    do throws(CryptoError) { return try body() } catch { throw .crypto(error) }
  }

  /// Runs a parser, whose errors all mean that a part does not fit.
  static func parsing<Result>(
    _ part: Part, _ body: () throws(TLVError) -> Result
  ) throws(CMSError) -> Result {
    do throws(TLVError) { return try body() } catch { throw .malformed(part) }
  }
}
