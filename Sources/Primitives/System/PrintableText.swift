// Text from a card or a server may contain characters that control a terminal or make it display
// something else.

extension Unicode.Scalar {
  /// True for characters without a visible form: control characters (C0, DEL, C1), line ends,
  /// bidirectional controls, zero-width characters (Unicode, categories Cc, Cf, Zl, Zp; default
  /// ignorable code points).
  var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: properties.isDefaultIgnorableCodePoint
    }
  }
}

extension String {
  /// The text on one line, safe for a terminal: invisible characters are escaped as `\u{…}`, bytes of
  /// names outside of UTF-8 as `\xHH`.
  package var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if let escape = String.escapedByte(of: scalar) {
        result.append(contentsOf: escape.unicodeScalars)
      } else if scalar.isUnseen {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
