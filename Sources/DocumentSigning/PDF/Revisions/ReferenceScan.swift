internal import Primitives

/// The references to some objects in a file, in objects that are listed and in dead ones, with any white space and comments
/// inside of `12 0 R`.
struct ReferenceScan {
  /// A reference: its place in the file, or that of the object stream it is in, and the object that has it.
  struct Found {
    let place: Int
    let by: Int
  }

  private(set) var found: [Int: [Found]] = [:]
  private let wanted: Set<Int>

  /// All object streams of a file together, inflated.
  private static let mostInflated = 64 << 20

  /// - Parameters:
  ///   - chain: that of the newest revision.
  ///   - wanted: the numbers that are looked for.
  init(_ chain: RevisionChain, for wanted: Set<Int>) throws(DocumentError) {
    self.wanted = wanted
    var index = 0
    scan(chain.bytes[..<chain.end]) { place in
      while index + 1 < chain.places.count, chain.places[index + 1].place <= place { index += 1 }
      return Found(
        place: place, by: chain.places.indices.contains(index) ? chain.places[index].number : -1)
    }
    var containers: Set<Int> = []
    for case .member(let container, _) in chain.entries.values { containers.insert(container) }
    var inflated = 0
    for container in containers {
      guard case .place(let place, let generation) = chain.entries[container] else {
        throw .outsideGrammar
      }
      if let clear = chain.clear {
        let stream = clear.object(PDFReference(number: container, generation: generation))
        guard let data = stream.data(atMost: StreamData.largest) else { throw .outsideGrammar }
        inflated += data.count
        // One referrer for all of its members, which no rule takes for another.
        scan(data[...]) { _ in Found(place: place, by: container) }
      } else {
        for member in try chain.members(of: container) {
          for reference in member.value.references where wanted.contains(reference.number) {
            found[reference.number, default: []].append(Found(place: place, by: member.number))
          }
        }
        inflated += try chain.object(container)?.stream?.count ?? 0
      }
      guard inflated <= Self.mostInflated else { throw .outsideGrammar }
    }
  }

  /// Looks for two numbers and R, with white space and comments between them.
  private mutating func scan(_ bytes: ArraySlice<UInt8>, _ at: (Int) -> Found) {
    var (numbers, digits): ((Int, Int)?, Int?) = (nil, nil)
    var (last, isComment): (Int?, Bool) = (nil, false)
    for place in bytes.indices {
      let byte = bytes[place]
      if isComment {
        isComment = byte != 0x0A && byte != 0x0D
        continue
      }
      if (0x30...0x39).contains(byte) {
        digits = min((digits ?? 0) * 10 + Int(byte) - 0x30, 1 << 32)
        continue
      }
      if let number = digits {
        numbers = last.map { ($0, number) }
        (last, digits) = (number, nil)
      }
      if byte == UInt8(ascii: "R"), let pair = numbers {
        if wanted.contains(pair.0) { found[pair.0, default: []].append(at(place)) }
        (numbers, last) = (nil, nil)
      } else if byte == UInt8(ascii: "%"), last != nil {
        isComment = true
      } else if !PDFValueReader.isSpace(byte) {
        (numbers, last) = (nil, nil)
      }
    }
  }

  /// The objects that name a number in the bytes before an end; -1 for a trailer.
  func referrers(of number: Int, before end: Int) -> Set<Int> {
    Set((found[number] ?? []).filter { $0.place < end }.map(\.by))
  }
}
