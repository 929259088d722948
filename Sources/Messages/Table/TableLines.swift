internal import CMessages
internal import Glibc

/// The lines of the table from a place on, empty ones left out. They are views: nothing is copied, because most are never
/// shown.
struct TableLines: Sequence, IteratorProtocol, @unchecked Sendable {
  /// Constant bytes of the program.
  private var rest: UnsafeRawBufferPointer

  init(_ bytes: UnsafeRawBufferPointer) { rest = bytes }

  init(_ embedded: messages) {
    self.init(UnsafeRawBufferPointer(start: embedded.bytes, count: embedded.length))
  }

  mutating func next() -> Line? {
    while let start = rest.baseAddress, !rest.isEmpty {
      let end = memchr(start, CInt(UInt8(ascii: "\n")), rest.count)
      let count = end.map { UnsafeRawPointer($0) - start } ?? rest.count
      let line = UnsafeRawBufferPointer(rebasing: rest.prefix(count))
      rest = UnsafeRawBufferPointer(rebasing: rest.dropFirst(count + 1))
      if count > 0 { return Line(line) }
    }
    return nil
  }

  /// One line; as a key, its bytes.
  struct Line: Hashable, @unchecked Sendable {
    private let bytes: UnsafeRawBufferPointer

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    /// A line of the row above it.
    var isIndented: Bool { bytes.first == UInt8(ascii: " ") }

    /// The text behind `head`; `nil` for a line that begins otherwise.
    func text(after head: String) -> String? {
      guard bytes.starts(with: head.utf8) else { return nil }
      return String(decoding: bytes.dropFirst(head.utf8.count), as: UTF8.self)
    }

    static func == (left: Line, right: Line) -> Bool {
      left.bytes.count == right.bytes.count && left.bytes.elementsEqual(right.bytes)
    }

    func hash(into hasher: inout Hasher) { hasher.combine(bytes: bytes) }
  }
}
