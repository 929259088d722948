import CardWork
import Glibc
import Primitives

/// The places of the police's portal, by the tables that it offers for download (`comuni.csv`, `stati.csv`): a first line
/// `Codice,Descrizione,Provincia,DataFineVal`, then a place a line. An end like `31/12/1983 00:00:00` is the last day of a
/// place that is no more. The operator may add lines with a name that cards write otherwise, such as a state's `FRA`.
struct PlaceTable {
  struct Place {
    /// Nine digits.
    let code: String
    let name: String
    /// Two letters; `ES` for a state.
    let province: String
    /// Year, month and day; `nil` for a place that still is.
    let end: [Int]?

    /// The codes of states begin with these digits, those of municipalities with others.
    var isState: Bool { code.hasPrefix("100000") }
  }

  /// The most bytes of a table, ten times those of the largest one.
  private static let mostBytes = 4 << 20

  private var places: [Substring: [Place]] = [:]

  init(_ paths: [String]) throws(Failure) {
    for path in paths { try read(path) }
  }

  private mutating func read(_ path: String) throws(Failure) {
    let bytes = try InputFile.read(path, limit: Self.mostBytes)
    guard let text = String(validating: bytes, as: UTF8.self) else {
      let lines = bytes.split(separator: 0x0A, omittingEmptySubsequences: false)
      let index = lines.firstIndex { String(validating: $0, as: UTF8.self) == nil } ?? 0
      throw .usage("places-encoding", ["path": path.pathName, "line": index + 1])
    }
    var hasHead = false
    for (index, line) in text.split(omittingEmptySubsequences: false, whereSeparator: \.isNewline)
      .enumerated() where !line.isEmpty
    {
      let fields = line.split(omittingEmptySubsequences: false) { ",;".contains($0) }
      if !hasHead, line.hasSuffix("Codice,Descrizione,Provincia,DataFineVal") {
        hasHead = true
        continue
      }
      guard hasHead, let place = Place(fields) else {
        throw .usage("bad-places", ["path": path.pathName, "line": index + 1])
      }
      places[Self.letters(of: place.name), default: []].append(place)
    }
    guard hasHead else { throw .usage("bad-places", ["path": path.pathName, "line": 1]) }
  }

  /// A place of birth or issue: a municipality, or a state.
  ///
  /// - Parameters:
  ///   - detail: the province, or the state; `nil` if the card has neither.
  ///   - day: a day on which it was there.
  func place(_ name: String, _ detail: String?, on day: [Int]) throws(Failure) -> Place {
    let named = places[Self.letters(of: name)] ?? []
    let found = named.filter { place in detail.map { $0.uppercased() == place.province } ?? true }
    let title = name + (detail.map { " (\($0))" } ?? "")
    if found.isEmpty, let detail { return try state(detail, on: day, title) }
    return try only(found, on: day, title)
  }

  /// A state, by the name of the table.
  func state(_ name: String, on day: [Int], _ title: String? = nil) throws(Failure) -> Place {
    try only(
      places[Self.letters(of: name)]?.filter(\.isState) ?? [], on: day, title ?? name)
  }

  /// The one place of these that was there on the day. Several of one province followed each other: the first to end
  /// afterwards was the one.
  private func only(
    _ found: [Place], on day: [Int], _ title: String
  ) throws(Failure) -> Place {
    let there = found.filter { $0.end.map { !$0.lexicographicallyPrecedes(day) } ?? true }
      .sorted { ($0.end ?? [.max]).lexicographicallyPrecedes($1.end ?? [.max]) }
    guard let first = there.first else { throw .usage("unknown-place", ["place": title]) }
    let isAmbiguous = there.dropFirst().contains {
      $0.code != first.code && ($0.province != first.province || $0.end == first.end)
    }
    guard !isAmbiguous else { throw .usage("ambiguous-place", ["place": title]) }
    return first
  }

  /// The letters alone, without accents, because the tables write them as apostrophes or leave them out.
  private static func letters(of name: String) -> Substring {
    Substring(
      name.uppercased().compactMap { letter in
        plain[letter] ?? (letter.isLetter ? letter : nil)
      })
  }

  private static let plain: [Character: Character] = [
    "À": "A", "Á": "A", "Â": "A", "Ä": "A", "Ç": "C", "È": "E", "É": "E", "Ê": "E", "Ë": "E",
    "Ì": "I", "Í": "I", "Î": "I", "Ï": "I", "Ñ": "N", "Ò": "O", "Ó": "O", "Ô": "O", "Ö": "O",
    "Ù": "U", "Ú": "U", "Û": "U", "Ü": "U",
  ]
}

extension PlaceTable.Place {
  fileprivate init?(_ fields: [Substring]) {
    guard fields.count >= 3, fields[0].utf8.count == 9,
      fields[0].utf8.allSatisfy({ (0x30...0x39).contains($0) }), fields[2].utf8.count == 2,
      fields[2].utf8.allSatisfy({ isalpha(CInt($0)) != 0 })
    else { return nil }
    let end = fields.count > 3 ? String(fields[3].prefix(10)) : ""
    let day = end.split(separator: "/").reversed().compactMap { Int($0) }
    guard end.isEmpty || day.count == 3 else { return nil }
    self.init(
      code: String(fields[0]), name: String(fields[1]), province: fields[2].uppercased(),
      end: end.isEmpty ? nil : day)
  }
}
