/// The changes of an object that a further signature, a time stamp or stored evidence makes (ISO 32000-2 §12.7.5.5, §12.8;
/// EN 319 142-1 §5.4). All else is another change.
struct RevisionRules {
  let old: RevisionChain
  let new: RevisionChain
  let update: RevisionUpdate
  let scan: ReferenceScan
  /// The signature dictionaries on which the outcome rests: each must be right.
  private(set) var signatures: Set<Int> = []
  /// True if a new signature shows something on a page.
  private(set) var isShown = false
  /// True if an object differs, or is new and of use.
  private(set) var hasChanges = false

  init(
    _ update: RevisionUpdate, from old: RevisionChain, to new: RevisionChain, _ scan: ReferenceScan
  ) {
    (self.update, self.old, self.new, self.scan) = (update, old, new, scan)
  }

  /// Checks every listed object.
  mutating func check() throws(DocumentError) {
    let (before, after) = (try old.root(), try new.root())
    hasChanges = before["DSS"] != after["DSS"]
    try checkInformation()
    for number in update.numbers {
      guard old.isInUse(number) else {
        // A page that names a number which did not exist shows whatever gets it.
        guard old.entries[number] == nil, scan.referrers(of: number, before: old.end).isEmpty else {
          throw .outsideGrammar
        }
        continue
      }
      if try isEqual(number) { continue }
      // The document information is checked above, and its dates are no change of the document.
      if number == old.trailer["Info"].reference?.number { continue }
      hasChanges = true
      guard try isAllowed(number, before) else { throw .outsideGrammar }
    }
    try checkGenerations()
  }

  /// References in the update to its new numbers name their generation.
  private func checkGenerations() throws(DocumentError) {
    let values = update.objects.values.map(\.value) + update.compressed.values
    for reference in values.flatMap(\.references)
    where update.section.entries[reference.number] != nil {
      guard new.generation(of: reference.number) ?? reference.generation == reference.generation
      else {
        throw .outsideGrammar
      }
    }
  }

  /// The document information may move, and changes with each program (ISO 32000-2 §14.3.3).
  private func checkInformation() throws(DocumentError) {
    let (before, after) = (
      try old.resolve(old.trailer["Info"]), try new.resolve(new.trailer["Info"])
    )
    guard after == .null || isSame(before, after, but: ["ModDate", "Producer"]) else {
      throw .outsideGrammar
    }
  }

  /// True for an object that was written again as it was; one that cannot be read is not.
  private func isEqual(_ number: Int) throws(DocumentError) -> Bool {
    let (one, other) = (try old.object(number), try new.object(number))
    guard one?.stream == other?.stream else { return false }
    return try old.value(number) == new.value(number)
  }

  private mutating func isAllowed(_ number: Int, _ root: PDFValue) throws(DocumentError) -> Bool {
    let (before, after) = (try old.value(number), try new.value(number))
    let isStream = try new.object(number)?.stream != nil
    if number == root["Metadata"].reference?.number {
      // XMP, whose text is no content of a page (ISO 32000-2 §14.3.2).
      let length = try new.object(number)?.stream?.count ?? 0
      return isStream && length <= 1 << 20
        && isNamed(number, only: [old.trailer["Root"].reference?.number])
        && before.members.map { Set($0.keys) } == after.members.map { Set($0.keys) }
        && before["Type"].name == "Metadata"
    }
    guard !isStream, try old.object(number)?.stream == nil else { return false }
    if number == old.trailer["Root"].reference?.number { return try isCatalog(before, after) }
    if number == root["AcroForm"].reference?.number { return try isForm(before, after) }
    if try isEvidence(number, root, before, after) { return true }
    if before.items != nil { return try isList(number, before, after, root) }
    if before["Type"].name == "Page" {
      guard isSame(before, after, but: ["Annots"]) else { return false }
      return try isGrown(before["Annots"], after["Annots"])
    }
    return try isSigned(number, before, after)
  }

  /// True if nothing but these objects named a number.
  private func isNamed(_ number: Int, only allowed: [Int?]) -> Bool {
    scan.referrers(of: number, before: old.end).subtracting([-1]).isSubset(
      of: allowed.compactMap { $0 })
  }

  /// True if two dictionaries have the same members but for some.
  func isSame(_ before: PDFValue, _ after: PDFValue, but keys: Set<String>) -> Bool {
    guard let before = before.members, let after = after.members else { return before == after }
    return before.filter { !keys.contains($0.key) } == after.filter { !keys.contains($0.key) }
  }

  private mutating func isCatalog(_ before: PDFValue, _ after: PDFValue) throws(DocumentError)
    -> Bool
  {
    guard isSame(before, after, but: ["AcroForm", "DSS", "Extensions", "Version", "Metadata"]),
      before["Version"] == after["Version"] || after["Version"].name != nil
    else { return false }
    if before["Metadata"] != after["Metadata"] {
      guard before["Metadata"] == .null, let number = after["Metadata"].reference?.number,
        !old.isInUse(number), try new.value(number)["Type"].name == "Metadata"
      else { return false }
    }
    if before["DSS"] != after["DSS"] {
      let store = try old.resolve(before["DSS"])
      guard Self.isStore(store, try new.resolve(after["DSS"])) else { return false }
    }
    guard before["AcroForm"] != after["AcroForm"] else { return true }
    return try isForm(old.resolve(before["AcroForm"]), new.resolve(after["AcroForm"]))
  }

  /// The form (ISO 32000-2 §12.7.3): more fields at its end; default appearances, if no field but signatures can use them.
  private mutating func isForm(_ before: PDFValue, _ after: PDFValue) throws(DocumentError) -> Bool
  {
    guard after.members != nil else { return false }
    var keys: Set<String> = ["Fields", "SigFlags"]
    var isSignaturesAlone = true
    for field in try old.resolve(before["Fields"]).items ?? [] {
      if try old.resolve(field)["FT"].name != "Sig" { isSignaturesAlone = false }
    }
    if isSignaturesAlone { keys.formUnion(["DA", "DR"]) }
    guard isSame(before == .null ? .dictionary([:]) : before, after, but: keys) else {
      return false
    }
    return try isGrown(before["Fields"], after["Fields"])
  }

  /// An array by itself: the fields of the form, or the annotations of pages, named from nowhere else.
  private mutating func isList(
    _ number: Int, _ before: PDFValue, _ after: PDFValue, _ root: PDFValue
  ) throws(DocumentError) -> Bool {
    let catalog = old.trailer["Root"].reference?.number
    let form = root["AcroForm"].reference?.number ?? catalog
    if try old.resolve(root["AcroForm"])["Fields"].reference?.number == number {
      guard isNamed(number, only: [form]) else { return false }
      return try isGrown(before, after)
    }
    let pages = scan.referrers(of: number, before: old.end)
    guard !pages.isEmpty else { return false }
    for page in pages {
      let value = try old.value(page)
      guard value["Type"].name == "Page", value["Annots"].reference?.number == number,
        value.references.count(where: { $0.number == number }) == 1
      else { return false }
    }
    return try isGrown(before, after)
  }

  /// True if an array has the same members as before, and behind them new signature fields.
  private mutating func isGrown(_ before: PDFValue, _ after: PDFValue) throws(DocumentError) -> Bool
  {
    guard before != after else { return true }
    let (kept, items) = (try old.resolve(before), try new.resolve(after))
    guard kept == .null || kept.items != nil, let all = items.items,
      let first = Optional(kept.items ?? []),
      all.starts(with: first)
    else { return false }
    for item in all.dropFirst(first.count) {
      guard try isNewField(item) else { return false }
    }
    return true
  }

  /// Members of a new signature field and its annotation, in one dictionary.
  private static let fieldKeys: Set<String> = [
    "FT", "T", "V", "F", "P", "Rect", "Subtype", "Type", "AP", "H", "DR", "TU", "M", "DA", "Border",
    "AS", "Lock",
    "SV", "Ff",
  ]

  private mutating func isNewField(_ item: PDFValue) throws(DocumentError) -> Bool {
    guard let number = item.reference?.number, !old.isInUse(number),
      let members = try new.resolve(item).members,
      members["FT"]?.name == "Sig", members["Subtype"]?.name == "Widget", members["T"] != nil,
      Set(members.keys).isSubset(of: Self.fieldKeys), try isNewSignature(members["V"] ?? .null)
    else { return false }
    let corners = members["Rect"]?.items?.compactMap(\.number) ?? []
    guard corners.count == 4, members["Rect"]?.items?.count == 4,
      members["F"] == nil || members["F"]?.integer != nil
    else { return false }
    // Bit 2 of F is Hidden (ISO 32000-2 §12.5.3), with which no reader paints anything.
    let isHidden = (members["F"]?.integer ?? 0) & 2 != 0
    let hasNoAppearance = try hasNoAppearance(members["AP"] ?? .null)
    if !isHidden, !hasNoAppearance || corners.contains(where: { $0 != 0 }) { isShown = true }
    return true
  }

  /// True without an appearance, and with one whose form has no area: Ghostscript paints others also into a flat field.
  private func hasNoAppearance(_ appearance: PDFValue) throws(DocumentError) -> Bool {
    let states = try new.resolve(appearance)
    guard states != .null else { return true }
    guard let members = states.members, Set(members.keys) == ["N"] else { return false }
    let form = try new.resolve(states["N"])
    let box = form["BBox"].items ?? []
    return form["Subtype"].name == "Form" && box.count == 4 && box.allSatisfy { $0.number == 0 }
  }

  /// A signature dictionary that the update brings.
  private mutating func isNewSignature(_ value: PDFValue) throws(DocumentError) -> Bool {
    guard let number = value.reference?.number, !old.isInUse(number) else { return false }
    let signature = try new.value(number)
    guard signature["ByteRange"].items?.count == 4, signature["Contents"] != .null else {
      return false
    }
    signatures.insert(number)
    return true
  }

  /// An empty signature field that was signed, or its one widget.
  private mutating func isSigned(
    _ number: Int, _ before: PDFValue, _ after: PDFValue
  ) throws(DocumentError) -> Bool {
    let parent = before["Parent"].reference?.number
    if let parent, before["FT"] == .null, before["T"] == .null {
      let field = try old.value(parent)
      guard isSame(before, after, but: ["AP", "F"]), try isEmptyField(parent, field),
        field["Kids"].items?.count == 1, field["Kids"].items?.first?.reference?.number == number
      else { return false }
      return try isNewSignature(new.value(parent)["V"])
    }
    guard isSame(before, after, but: ["V", "AP", "F"]), try isEmptyField(number, before) else {
      return false
    }
    return try isNewSignature(after["V"])
  }

  /// True for a signature field of the form without a signature, however deep in it.
  private func isEmptyField(_ number: Int, _ field: PDFValue) throws(DocumentError) -> Bool {
    guard field["FT"].name == "Sig", field["V"] == .null else { return false }
    var (child, value, depth) = (number, field, 0)
    while let parent = value["Parent"].reference?.number {
      value = try old.value(parent)
      guard depth < 32, value["FT"] == .null || value["FT"].name == "Sig", value["V"] == .null,
        try old.resolve(value["Kids"]).items?.contains(where: { $0.reference?.number == child })
          == true
      else { return false }
      (child, depth) = (parent, depth + 1)
    }
    let fields = try old.resolve(old.resolve(old.root()["AcroForm"])["Fields"]).items ?? []
    return fields.contains { $0.reference?.number == child }
  }
}
