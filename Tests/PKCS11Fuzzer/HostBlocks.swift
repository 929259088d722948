internal import Glibc

/// Memory of the host: each block has exactly its length, so that the address sanitizer sees one byte too many.
final class HostBlocks {
  private var blocks: [UnsafeMutableRawPointer] = []

  deinit { for block in blocks { free(block) } }

  /// A block of equal bytes.
  func bytes(_ count: Int, _ value: UInt8 = 0x31) -> UnsafeMutablePointer<UInt8>? {
    guard let block = malloc(count) else { return nil }
    blocks.append(block)
    memset(block, Int32(value), count)
    return block.bindMemory(to: UInt8.self, capacity: count)
  }

  /// A block with a copy of some values.
  func copy(of values: [UInt8]) -> UnsafeMutablePointer<UInt8>? {
    let block = bytes(values.count)
    for (index, value) in values.enumerated() { block?[index] = value }
    return block
  }

  /// Room for some values, filled with one byte.
  func room<Value>(
    for type: Value.Type, _ count: Int = 1, _ value: UInt8 = 0x31
  ) -> UnsafeMutablePointer<Value>? {
    let block = bytes(MemoryLayout<Value>.stride * count, value)
    return block.map { UnsafeMutableRawPointer($0).assumingMemoryBound(to: type) }
  }
}
