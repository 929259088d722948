import Primitives

/// The desktop entry by which links for the identity provider's app open this program, in a terminal (Desktop Entry
/// Specification).
struct DesktopEntry: Equatable {
  /// The name of its file, which is its name for the desktop as well.
  static let fileName = "cie-read.desktop"
  /// The type of `CIEID://` links (Shared MIME-info Database Specification, URI scheme handlers).
  static let linkType = "x-scheme-handler/cieid"

  let program: String

  init(program: String) { self.program = program }

  /// Reads an entry; `nil` for one that is not ours, character for character.
  init?(_ text: String) {
    // By bytes, because a path may begin with a letter that joins the one before it.
    let key = "TryExec=".utf8
    let line = text.utf8.split(separator: UInt8(ascii: "\n")).first { $0.starts(with: key) }
    guard let value = line?.dropFirst(key.count) else { return nil }
    program = String(decoding: value, as: UTF8.self).exchanging("\\\\", for: "\\")
    guard self.text.utf8.elementsEqual(text.utf8) else { return nil }
  }

  /// The file. The link is one word of the command line, after the end of the options, whatever it contains; no shell
  /// reads it.
  var text: String {
    """
    [Desktop Entry]
    Type=Application
    Name=cie-read
    Comment=Log in with the electronic identity card (CIE)
    Comment[it]=Accesso con la carta d'identità elettronica (CIE)
    TryExec=\(Self.escaped(program))
    Exec=\(Self.escaped(Self.quoted(program))) login --open --stay -- %u
    Terminal=true
    NoDisplay=true
    MimeType=\(Self.linkType);

    """
  }

  /// A word of a command line (Desktop Entry Specification, "The Exec key").
  private static func quoted(_ word: String) -> String {
    var quoted = String.UnicodeScalarView("\"".unicodeScalars)
    for letter in word.unicodeScalars {
      if "\"`$\\".unicodeScalars.contains(letter) { quoted.append("\\") }
      quoted.append(letter)
      if letter == "%" { quoted.append(letter) }
    }
    quoted.append("\"")
    return String(quoted)
  }

  /// A value (Desktop Entry Specification, "Possible value types").
  private static func escaped(_ value: String) -> String {
    value.exchanging("\\", for: "\\\\")
  }
}

/// `mimeapps.list`, the desktop's list of programs for kinds of links (Association between MIME types and applications
/// 1.0). Other programs' lines stay as they are, byte for byte.
struct LinkHandlerList: Equatable {
  static let fileName = "mimeapps.list"
  private static let group = ArraySlice("[Default Applications]".utf8)
  private static let key = ArraySlice((DesktopEntry.linkType + "=").utf8)
  private static let line = key + DesktopEntry.fileName.utf8
  /// The mark before a group that was added.
  private static let mark = ArraySlice("# Made by: cie-read browser install".utf8)
  private static let bracket = UInt8(ascii: "[")

  private var lines: [ArraySlice<UInt8>]

  init(_ bytes: [UInt8]) {
    lines = bytes.split(separator: UInt8(ascii: "\n"), omittingEmptySubsequences: false)
  }

  var bytes: [UInt8] { [UInt8](lines.joined(separator: [UInt8(ascii: "\n")])) }

  /// The entry that opens the links by default; `nil` without one.
  var handler: String? {
    groupLines.first { lines[$0].starts(with: Self.key) }.map { index in
      let names = lines[index].dropFirst(Self.key.count)
      return String(decoding: names.prefix { $0 != UInt8(ascii: ";") }, as: UTF8.self)
    }
  }

  /// The list with this program for the links, unless another program has them.
  func adding() -> LinkHandlerList {
    var list = self
    guard handler == nil else { return list }
    if let start = lines.firstIndex(of: Self.group) {
      list.lines.insert(Self.line, at: start + 1)
    } else {
      list.lines.insert(contentsOf: [Self.mark, Self.group, Self.line], at: 0)
    }
    return list
  }

  func removing() -> LinkHandlerList {
    var list = self
    if lines.starts(with: [Self.mark, Self.group, Self.line]) {
      // Other programs may have added to the group since.
      let next = lines.dropFirst(3).first { !$0.isEmpty && $0.first != UInt8(ascii: "#") }
      let isEmpty = next.map { $0.first == Self.bracket } ?? true
      list.lines.removeFirst(isEmpty ? 3 : 1)
      if !isEmpty { list.lines.remove(at: 1) }
    } else if let index = groupLines.first(where: { lines[$0] == Self.line }) {
      list.lines.remove(at: index)
    }
    return list
  }

  private var groupLines: Range<Int> {
    guard let start = lines.firstIndex(of: Self.group) else { return 0..<0 }
    let end = lines[(start + 1)...].firstIndex { $0.first == Self.bracket } ?? lines.endIndex
    return (start + 1)..<end
  }
}
