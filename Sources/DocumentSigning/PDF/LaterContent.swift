internal import CIECard
internal import Primitives

/// The content of a PDF after the revision that a signature covers.
public enum LaterContent: Sendable, Equatable {
  /// The signature covers the whole file.
  case none
  /// Nothing but further signatures, time stamps and evidence: no page looks different, but for the field that the document
  /// had for such a signature.
  case signatures
  /// Something else, or a change that could be something else.
  case other

  /// Compares a revision with the document of today, object by object from the trailer on.
  ///
  /// An object must be the same, or one of the few that a signature changes, and in the way in which it does.
  init(from old: PDFFile, to new: PDFFile) {
    var comparison = RevisionComparison(old, new)
    self = comparison.isSignaturesAlone() ? .signatures : .other
  }
}

private struct RevisionComparison {
  private let old: PDFFile
  private let new: PDFFile
  private var queue: [PDFReference] = []
  private var seen: Set<PDFReference> = []
  /// Indirect arrays of annotations, and widgets of fields that were signed meanwhile.
  private var annotations: Set<PDFReference> = []
  private var signedWidgets: Set<PDFReference> = []
  private var hasChanges = false

  init(_ old: PDFFile, _ new: PDFFile) { (self.old, self.new) = (old, new) }

  mutating func isSignaturesAlone() -> Bool {
    let (before, after) = (old.trailer, new.trailer)
    let (evidence, newEvidence) = (old.root["DSS"], new.root["DSS"])
    guard before["Root"].isIndirect,
      ["Root", "Encrypt"].allSatisfy({ before[$0].syntax == after[$0].syntax }),
      Self.isSame(before["Info"], after["Info"], but: Self.savingKeys), endsWithTrailer,
      isFormExtended()
    else { return false }
    add(before["Root"].syntax + before["Encrypt"].syntax)
    for key in before["Info"].keys where !Self.savingKeys.contains(key) {
      add(before["Info"][key].syntax)
    }
    hasChanges =
      evidence.ownSyntax != newEvidence.ownSyntax
      || evidence["VRI"].ownSyntax != newEvidence["VRI"].ownSyntax
    while let reference = queue.popLast() {
      let (one, other) = (old.object(reference), new.object(reference))
      let text = one.ownSyntax
      if text != other.ownSyntax || one.isStream && one.rawData != other.rawData {
        guard isExtended(reference, one, other) else { return false }
        hasChanges = true
      } else if one.isStream != other.isStream {
        return false
      }
      if one["Type"].name == "Page", let array = one["Annots"].asReference {
        annotations.insert(array)
      }
      // Evidence is no content: what pages and forms share with it is compared from there.
      let isRoot = reference == before["Root"].asReference
      add(isRoot ? one.keys.filter { $0 != "DSS" }.flatMap { one[$0].syntax + [0x20] } : text)
    }
    // Bytes that change nothing are for other programs than readers of PDFs.
    return hasChanges
  }

  /// Entries of the document information that a program writes with each change (ISO 32000-2 §14.3.3).
  private static let savingKeys: Set<String> = ["ModDate", "Producer"]
  private static let formKeys: Set<String> = ["Fields", "SigFlags"]

  /// True if nothing but one line end follows the end-of-file marker.
  private var endsWithTrailer: Bool {
    let marker = [UInt8]("%%EOF".utf8)
    return [[], [0x0A], [0x0D], [0x0D, 0x0A]].contains {
      new.bytes.suffix(5 + $0.count) == marker + $0
    }
  }

  private mutating func add(_ syntax: [UInt8]) {
    for reference in PDFReference.all(in: syntax) where seen.insert(reference).inserted {
      queue.append(reference)
    }
  }

  /// The form: new fields at its end, all of them signatures.
  private mutating func isFormExtended() -> Bool {
    let (before, after) = (old.root["AcroForm"], new.root["AcroForm"])
    if before.isNull, after.isNull { return true }
    guard after.isDictionary, Self.isSame(before, after, but: Self.formKeys) else { return false }
    for field in SignatureField.all(of: old) where field.signature == nil {
      if let widget = field.object["Kids"].items?.first?.asReference {
        signedWidgets.insert(widget)
      }
    }
    return isGrown(before["Fields"], after["Fields"])
  }

  private func isExtended(_ reference: PDFReference, _ before: PDFObject, _ after: PDFObject)
    -> Bool
  {
    // Arrays: the fields of the form, and annotations of a page.
    let form = old.root["AcroForm"]
    if annotations.contains(reference) || reference == form["Fields"].asReference {
      return isGrown(before, after)
    }
    guard before.isDictionary, after.isDictionary else { return false }
    func isSame(but keys: Set<String>) -> Bool { Self.isSame(before, after, but: keys) }
    if reference == old.trailer["Root"].asReference {
      // A form inside of the catalogue is compared already.
      return isSame(but: ["AcroForm", "DSS", "Extensions"])
    }
    if reference == form.asReference { return isSame(but: Self.formKeys) }
    if before["Type"].name == "Page" {
      return isSame(but: ["Annots"]) && isGrown(before["Annots"], after["Annots"])
    }
    if before["FT"].name == "Sig", before["V"].isNull {
      return isSame(but: ["V", "AP", "F"]) && Self.isSignature(after["V"])
    }
    return signedWidgets.contains(reference) && isSame(but: ["AP", "F"])
  }

  /// True if two dictionaries have the same members but for some.
  private static func isSame(
    _ before: PDFObject, _ after: PDFObject, but keys: Set<String>
  ) -> Bool {
    Set(before.keys + after.keys).subtracting(keys).allSatisfy {
      before[$0].syntax == after[$0].syntax
    }
  }

  /// True if an array has the same members as before, and behind them new fields for signatures that show nothing.
  private func isGrown(_ before: PDFObject, _ after: PDFObject) -> Bool {
    guard before.isNull || before.items != nil, let items = after.items else { return false }
    let kept = before.items ?? []
    return items.count >= kept.count
      && zip(kept, items).allSatisfy { $0.syntax == $1.syntax }
      && items.dropFirst(kept.count).allSatisfy { isNewSignature($0) }
  }

  private func isNewSignature(_ field: PDFObject) -> Bool {
    guard let reference = field.asReference, old.object(reference).isNull,
      field["FT"].name == "Sig", field["Subtype"].name == "Widget", field["Kids"].isNull,
      field["AA"].isNull, field["A"].isNull
    else { return false }
    let corners = field["Rect"].items?.compactMap { $0.real } ?? []
    // Hidden or NoView (ISO 32000-2 §12.5.3), or without an area.
    let isHidden = (field["F"].integer ?? 0) & 0x22 != 0
    let isFlat = corners.count == 4 && (corners[0] == corners[2] || corners[1] == corners[3])
    return (isHidden || isFlat) && (field["V"].isNull || Self.isSignature(field["V"]))
  }

  private static func isSignature(_ value: PDFObject) -> Bool {
    value.isDictionary && !value["ByteRange"].isNull && !value["Contents"].isNull
  }
}
