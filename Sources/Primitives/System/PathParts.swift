// Paths are bytes: a letter that joins the slash or the point before it, and two spellings of one letter (NFC, NFD), are
// different bytes for the system, but not for the characters of a String.

extension String {
  /// The place of the first byte behind the last slash.
  package var namePlace: Index {
    utf8.lastIndex(of: UInt8(ascii: "/")).map { utf8.index(after: $0) } ?? startIndex
  }

  /// The part of a path behind the last slash; the path itself if that is empty.
  package var pathName: String {
    let name = self[namePlace...]
    return name.isEmpty ? self : String(name)
  }

  /// True if a path ends so, in ASCII letters of either case.
  ///
  /// - Parameter ending: in lower case.
  package func hasEnding(_ ending: String) -> Bool {
    let letters = utf8.suffix(ending.utf8.count).map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    return letters.elementsEqual(ending.utf8)
  }

  /// True for the same bytes.
  package func isSamePath(as other: String) -> Bool { utf8.elementsEqual(other.utf8) }
}
