/// An element of an XML document, its name resolved by namespace: prefixes mean nothing.
struct XMLElement: Sendable {
  /// The namespace's URI; empty for none.
  let namespace: String
  /// The local name.
  let name: String
  /// The attributes without a namespace, by name.
  let attributes: [String: String]
  /// The elements in it, in order.
  let children: [XMLElement]
  /// The character data of this element alone.
  let text: String

  /// The children of this name in a namespace.
  func children(_ name: String, in namespace: String) -> [XMLElement] {
    children.filter { $0.name == name && $0.namespace == namespace }
  }

  /// The text without white space around it.
  var trimmedText: String {
    let isSpace = { (scalar: Unicode.Scalar) in scalar.properties.isWhitespace }
    let kept = text.unicodeScalars.drop(while: isSpace).reversed().drop(while: isSpace).reversed()
    return String(String.UnicodeScalarView(kept))
  }
}

extension XMLElement: Redacted {
  /// The name.
  var description: String { "<\(name)>" }
}
