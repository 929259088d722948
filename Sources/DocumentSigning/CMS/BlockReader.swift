internal import CIECard
internal import Primitives

/// Parts of a source, one after the other, in blocks that fit into memory. Short parts share a read and a block.
struct BlockReader: Sendable {
  private let source: ByteSource
  private let ranges: [Range<Int>]
  /// The part that is being read, and the place of its next byte.
  private var index = 0
  private var position: Int?
  /// The last bytes that were read, and their place.
  private var window: [UInt8] = []
  private var start = 0

  private static let blockLength = 1 << 20

  init(_ source: ByteSource, _ ranges: [Range<Int>]) {
    (self.source, self.ranges) = (source, ranges)
  }

  /// The next block; nil at the end.
  mutating func next() throws(DocumentError) -> [UInt8]? {
    let end = min(source.count, ranges.last?.upperBound ?? 0)
    var block: [UInt8] = []
    while index < ranges.count {
      let range = ranges[index]
      guard range.lowerBound >= 0, range.upperBound <= source.count else {
        throw .malformed(.encoding)
      }
      let position = position ?? range.lowerBound
      guard position < range.upperBound else {
        (index, self.position) = (index + 1, nil)
        continue
      }
      if !(start..<start + window.count).contains(position) {
        let next = min(max(end, range.upperBound), position + Self.blockLength)
        (window, start) = (try source.bytes(position..<next), position)
      }
      let part = window[position - start..<min(range.upperBound - start, window.count)]
      block += part
      self.position = position + part.count
      if block.count >= Self.blockLength { break }
    }
    return block.isEmpty ? nil : block
  }
}

/// Contents of a signed file, block by block.
public struct ContentBlocks: ~Copyable {
  private var blocks: BlockReader
  private var hash: RunningHash?
  /// The hash that the contents must have; nil for any.
  private let expected: [UInt8]?

  init(
    _ source: ByteSource, _ ranges: [Range<Int>], expecting hash: ContentHash? = nil
  ) throws(DocumentError) {
    blocks = BlockReader(source, ranges)
    expected = hash?.value
    guard let hash else {
      self.hash = nil
      return
    }
    self.hash = try mapError(try RunningHash(hash.algorithm), DocumentError.crypto)
  }

  /// The next block; nil at the end.
  ///
  /// - Throws: `contentsChanged` at the end if the contents are not those that were judged or prepared; what was
  ///   written is to be thrown away then.
  public mutating func next() throws(DocumentError) -> [UInt8]? {
    if let block = try blocks.next() {
      try mapError(try hash?.update(block), DocumentError.crypto)
      return block
    }
    guard let hash = hash.take() else { return nil }
    let value: [UInt8]
    do throws(CryptoError) { value = try hash.finish() } catch { throw .crypto(error) }
    guard value == expected else { throw .contentsChanged }
    return nil
  }
}

extension [Range<Int>] {
  /// Number of bytes of all parts.
  var length: Int { reduce(0) { $0 + $1.count } }
}
