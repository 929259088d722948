/// The document security store (ISO 32000-2 §12.8.4.3), which is no content of a page.
extension RevisionRules {
  private static let storeKeys: Set<String> = ["Type", "VRI", "Certs", "CRLs", "OCSPs"]
  private static let signatureKeys: Set<String> = ["Type", "Cert", "CRL", "OCSP", "TU", "TS"]

  /// True if a store is one still, and has lost nothing.
  static func isStore(_ before: PDFValue, _ after: PDFValue) -> Bool {
    isMore(before, after, of: storeKeys)
  }

  /// True for a dictionary with these keys that has those of another one as well.
  private static func isMore(_ before: PDFValue, _ after: PDFValue, of keys: Set<String>) -> Bool {
    guard let members = after.members else { return false }
    return Set(members.keys).isSubset(of: keys)
      && Set((before.members ?? [:]).keys).isSubset(of: members.keys)
  }

  /// True if an object is a part of the old store, named from nowhere else, still has the form of that part, and has lost
  /// nothing.
  func isEvidence(_ number: Int, _ root: PDFValue, _ before: PDFValue, _ after: PDFValue)
    throws(DocumentError) -> Bool
  {
    guard let parts = try parts(root), let part = parts[number] else { return false }
    let catalog = old.trailer["Root"].reference?.number
    let referrers = scan.referrers(of: number, before: old.end).subtracting([-1])
    guard referrers.isSubset(of: Set(parts.keys).union([catalog].compactMap { $0 })) else {
      return false
    }
    switch part {
    case .store: return Self.isStore(before, after)
    case .signature: return Self.isMore(before, after, of: Self.signatureKeys)
    case .map:
      return Self.isMore(before, after, of: Set((after.members ?? [:]).keys))
        && (after.members ?? [:]).values.allSatisfy { $0.members != nil || $0.reference != nil }
    case .list:
      let (kept, items) = (before.items ?? [], after.items ?? [])
      guard items.count >= max(1, kept.count) else { return false }
      for item in items {
        guard let number = item.reference?.number, try new.object(number)?.stream != nil else {
          return false
        }
      }
      return true
    }
  }

  private enum Part { case store, map, signature, list }

  /// The objects of the store but for its streams, by number.
  private func parts(_ root: PDFValue) throws(DocumentError) -> [Int: Part]? {
    guard root["DSS"] != .null else { return nil }
    var parts: [Int: Part] = [:]
    func note(_ value: PDFValue, _ part: Part) { value.reference.map { parts[$0.number] = part } }
    note(root["DSS"], .store)
    let store = try old.resolve(root["DSS"])
    for key in ["Certs", "CRLs", "OCSPs"] { note(store[key], .list) }
    note(store["VRI"], .map)
    for (key, value) in try old.resolve(store["VRI"]).members ?? [:] where key != "Type" {
      note(value, .signature)
      let own = try old.resolve(value)
      for key in ["Cert", "CRL", "OCSP"] { note(own[key], .list) }
    }
    return parts
  }
}
