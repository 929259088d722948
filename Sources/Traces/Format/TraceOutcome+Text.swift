internal import CIECard

extension Trace.Expectation.Outcome {
  /// Parses an outcome: `ok`, an error's name, or `NAME at STEP`.
  init?(text: String) {
    let words = text.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard let name = words.first, TraceWord.isWord(name) else { return nil }
    switch words.count {
    case 1:
      self = name == "ok" ? .ok : .error(name: name, step: nil)
    case 3:
      guard name != "ok", words[1] == "at", let step = CardError.Step(rawValue: words[2]) else {
        return nil
      }
      self = .error(name: name, step: step)
    default:
      return nil
    }
  }

  /// The text form.
  package var text: String {
    switch self {
    case .ok: "ok"
    case .error(let name, nil): name
    case .error(let name, let step?): "\(name) at \(step.rawValue)"
    }
  }
}

/// The words of the format: names of personas and errors.
enum TraceWord {
  /// A letter, then letters, digits and hyphens.
  static func isWord(_ text: String) -> Bool {
    guard let first = text.utf8.first, isLetter(first) else { return false }
    return text.utf8.allSatisfy {
      isLetter($0) || isCapitalOrDigit($0) || $0 == UInt8(ascii: "-")
    }
  }

  /// A capital letter or a digit.
  static func isCapitalOrDigit(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte)
      || (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(byte)
  }

  private static func isLetter(_ byte: UInt8) -> Bool {
    (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20)
  }
}
