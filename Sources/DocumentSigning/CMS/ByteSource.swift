internal import Glibc
public import CIECard
internal import Primitives
internal import Synchronization

/// Bytes of a document, in memory or in a regular file, of which only the asked for parts are read.
public struct ByteSource: Sendable, EncodedSource {
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
  /// - Throws: `DocumentError`: `system`, `notAFile`.
  public init(path: String) throws(DocumentError) {
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

  package func bytes(_ range: Range<Int>) throws(DocumentError) -> [UInt8] {
    guard range.lowerBound >= 0, range.upperBound <= count else { throw .malformed(.encoding) }
    switch storage {
    case .memory(let bytes):
      return [UInt8](bytes[start + range.lowerBound..<start + range.upperBound])
    case .file(let file):
      return try file.read(at: start + range.lowerBound, count: range.count)
    }
  }

  package func head(_ range: Range<Int>) throws(DocumentError) -> [UInt8] {
    guard case .file(let file) = storage, range.lowerBound >= 0, range.upperBound <= count else {
      return try bytes(range)
    }
    return try file.head(at: start + range.lowerBound, count: range.count, limit: start + count)
  }

  package static var indefiniteLevels: Int { 16 }

  package static func failure(_ fault: SignedDataFault) -> DocumentError {
    switch fault {
    case .malformed(let part): .malformed(part)
    case .otherType(let type): .otherType(type)
    case .tooLarge(let limit): .tooLarge(limit: limit)
    case .signerCount: .tooManySignatures(limit: SignedData.mostSigners)
    }
  }

  /// The hash of parts, one after the other.
  func hash(
    of ranges: [Range<Int>], _ algorithm: HashAlgorithm
  ) throws(DocumentError) -> [UInt8] {
    var hash = try mapError(try RunningHash(algorithm), DocumentError.crypto)
    var blocks = BlockReader(self, ranges)
    while let block = try blocks.next() {
      try mapError(try hash.update(block), DocumentError.crypto)
    }
    do throws(CryptoError) { return try hash.finish() } catch { throw .crypto(error) }
  }

  /// Parts, one after the other, in memory.
  func bytes(of ranges: [Range<Int>]) throws(DocumentError) -> [UInt8] {
    var all: [UInt8] = []
    var blocks = BlockReader(self, ranges)
    while let block = try blocks.next() { all += block }
    return all
  }

  func hash(_ algorithm: HashAlgorithm) throws(DocumentError) -> [UInt8] {
    try hash(of: [0..<count], algorithm)
  }

  /// SHA-256 of parts, one after the other.
  func digest(of ranges: [Range<Int>]) throws(DocumentError) -> Digest {
    let bytes = try hash(of: ranges, .sha256)
    guard let digest = Digest(.sha256, bytes: bytes) else { throw .unusableCertificate }
    return digest
  }

  /// SHA-256 of all bytes, which a signature covers and of which a person is shown the beginning.
  public func digest() throws(DocumentError) -> Digest { try digest(of: [0..<count]) }
}

/// A file that is open as long as a source needs it.
private final class OpenFile: Sendable {
  private let number: CInt
  /// The last part that was read ahead, because heads of objects are a few bytes each.
  private let window = Mutex<(start: Int, bytes: [UInt8])>((0, []))

  private static let windowLength = 64 << 10

  init(number: CInt) { self.number = number }

  func head(at offset: Int, count: Int, limit: Int) throws(DocumentError) -> [UInt8] {
    try window.withLock { (window) throws(DocumentError) in
      if offset < window.start || offset + count > window.start + window.bytes.count {
        let length = min(Self.windowLength, limit - offset)
        window = (offset, try read(at: offset, count: max(count, length)))
      }
      return [UInt8](window.bytes[offset - window.start..<offset - window.start + count])
    }
  }

  func read(at offset: Int, count: Int) throws(DocumentError) -> [UInt8] {
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
