internal import Primitives

extension DocumentError {
  /// Bytes behind a signed revision that are not as the grammar of `PDFRevisions` has them; it shows this to no caller.
  static let outsideGrammar = DocumentError.damaged(reason: "not in the grammar of revisions")
}

/// A value of a PDF as its bytes say it (ISO 32000-2 §7.3), read without qpdf and without repair.
indirect enum PDFValue: Equatable {
  case null
  case boolean(Bool)
  case integer(Int)
  /// A number with a point, as it is written.
  case real([UInt8])
  case name(String)
  case string([UInt8])
  case array([PDFValue])
  case dictionary([String: PDFValue])
  case reference(PDFReference)

  var members: [String: PDFValue]? {
    if case .dictionary(let members) = self { members } else { nil }
  }

  var items: [PDFValue]? {
    if case .array(let items) = self { items } else { nil }
  }

  var integer: Int? {
    if case .integer(let integer) = self { integer } else { nil }
  }

  var name: String? {
    if case .name(let name) = self { name } else { nil }
  }

  var reference: PDFReference? {
    if case .reference(let reference) = self { reference } else { nil }
  }

  /// A number, whole or not.
  var number: Double? {
    switch self {
    case .integer(let integer): Double(integer)
    case .real(let digits): Double(String(decoding: digits, as: UTF8.self))
    case .null, .boolean, .name, .string, .array, .dictionary, .reference: nil
    }
  }

  /// The member of a dictionary; null if there is none.
  subscript(key: String) -> PDFValue { members?[key] ?? .null }

  /// All references inside, in any order.
  var references: [PDFReference] {
    switch self {
    case .reference(let reference): [reference]
    case .array(let items): items.flatMap(\.references)
    case .dictionary(let members): members.values.flatMap(\.references)
    case .null, .boolean, .integer, .real, .name, .string: []
    }
  }
}
