// Text of a card or a server may hold what drives a terminal, or makes it show something else than is there.

extension Unicode.Scalar {
  /// Whether it is none that a person sees: control characters (C0, DEL, C1), line ends, what turns the direction of
  /// writing, what has no width (Unicode, categories Cc, Cf, Zl, Zp; default ignorable code points).
  package var isUnseen: Bool {
    switch properties.generalCategory {
    case .control, .format, .lineSeparator, .paragraphSeparator, .surrogate: true
    default: properties.isDefaultIgnorableCodePoint
    }
  }
}

extension String {
  /// The text on one line, as it can be shown on a terminal: what is unseen comes out as `\u{…}`.
  package var printable: String {
    var result = String.UnicodeScalarView()
    for scalar in unicodeScalars {
      if scalar.isUnseen {
        result.append(contentsOf: "\\u{\(String(scalar.value, radix: 16))}".unicodeScalars)
      } else {
        result.append(scalar)
      }
    }
    return String(result)
  }
}
