internal import CIECard

/// The revisions of a PDF behind its first signed one, each judged by its difference to the one before it.
///
/// A later revision is accepted by a grammar, not by comparison: every byte belongs to a listed object, to the one
/// cross-reference section, or to its trailer, and readers that repair files find the same objects as those that do not.
struct PDFRevisions {
  /// The content of one update.
  private struct Step {
    let end: Int
    let content: LaterContent
    let signatures: Set<Int>
    let hasChanges: Bool

    private init(end: Int, content: LaterContent, signatures: Set<Int>, hasChanges: Bool) {
      (self.end, self.content, self.signatures, self.hasChanges) = (
        end, content, signatures, hasChanges
      )
    }

    /// A change that the rules do not know.
    init(other end: Int) { self.init(end: end, content: .other, signatures: [], hasChanges: true) }

    init(
      _ update: RevisionUpdate, from old: RevisionChain, to new: RevisionChain,
      _ scan: ReferenceScan
    ) {
      var rules = RevisionRules(update, from: old, to: new, scan)
      guard (try? rules.check()) != nil else {
        self.init(other: update.end)
        return
      }
      self.init(
        end: update.end, content: rules.isShown ? .signaturesShown : .signatures,
        signatures: rules.signatures, hasChanges: rules.hasChanges || !rules.signatures.isEmpty)

    }
  }

  private let steps: [Step]
  /// The end of the first signed revision.
  private let first: Int?
  private let count: Int
  /// The last bytes of the file.
  private let ending: ArraySlice<UInt8>

  private static let most = 256
  private static let mostBytes = 64 << 20
  /// Entries times updates: each update is compared with all before it.
  private static let mostWork = 20_000_000

  /// - Parameter end: the end of the shortest signed revision.
  init(of file: PDFFile, behind end: Int) {
    count = file.bytes.count
    ending = file.bytes.suffix(3)
    first = end
    var steps: [Step] = []
    do throws(DocumentError) {
      guard count - end <= Self.mostBytes else { throw .outsideGrammar }
      var chain = try RevisionChain(file.bytes, end: end)
      if chain.trailer["Encrypt"] != .null { chain.clear = try Self.clear(file, end) }
      let begin = chain
      var updates: [RevisionUpdate] = []
      var rest = PDFValueReader.mostValues
      while !Self.isLineEnd(file.bytes[chain.end...]) {
        guard updates.count < Self.most, updates.count * chain.entries.count < Self.mostWork else {
          throw .outsideGrammar
        }
        let update = try RevisionUpdate(behind: chain, &rest)
        chain.append(update)
        updates.append(update)
      }
      let wanted = updates.reduce(into: Set<Int>()) { $0.formUnion($1.numbers) }
      if chain.clear != nil { chain.clear = try Self.clear(file, chain.end) }
      let scan = try ReferenceScan(chain, for: wanted)
      var old = begin
      for update in updates {
        var new = old
        new.append(update)
        if new.clear != nil { new.clear = try Self.clear(file, update.end) }
        steps.append(Step(update, from: old, to: new, scan))
        old = new
      }
    } catch {
      steps = [Step(other: count)]
    }
    self.steps = steps
  }

  private static func clear(_ file: PDFFile, _ end: Int) throws(DocumentError) -> PDFFile {
    try PDFFile.open([UInt8](file.bytes.prefix(end)), password: file.password, isStrict: false)
  }

  /// True for at most one line end.
  private static func isLineEnd(_ bytes: ArraySlice<UInt8>) -> Bool {
    [[], [0x0A], [0x0D], [0x0D, 0x0A]].contains([UInt8](bytes.prefix(3)))
  }

  /// The content behind a signed revision, and the signature dictionaries that must be right for it.
  func content(behind end: Int) -> (content: LaterContent, signatures: Set<Int>) {
    // A line end may belong to the revision or not.
    let begins = [first ?? end] + steps.map(\.end)
    guard let index = begins.lastIndex(where: { abs($0 - end) <= 2 }) else { return (.other, []) }
    let later = steps.dropFirst(index)
    guard !later.isEmpty else {
      return (Self.isLineEnd(ending.suffix(max(0, count - end))) ? .none : .other, [])
    }
    let signatures = later.reduce(into: Set<Int>()) { $0.formUnion($1.signatures) }
    guard later.contains(where: \.hasChanges), !later.contains(where: { $0.content == .other })
    else {
      return (.other, [])
    }
    return (
      later.contains { $0.content == .signaturesShown } ? .signaturesShown : .signatures, signatures
    )
  }
}
