/// The desktop entry by which links for the identity provider's app open this program, in a terminal (Desktop Entry
/// Specification).
struct DesktopEntry: Equatable {
  /// The name of its file, which is its name for the desktop as well.
  static let fileName = "cie-read.desktop"
  /// The type of `CIEID://` links (Shared MIME-info Database Specification, URI scheme handlers).
  static let linkType = "x-scheme-handler/cieid"

  /// The absolute path of this program.
  let program: String

  init(program: String) { self.program = program }

  /// Reads an entry; `nil` for one that is not ours, to the letter.
  init?(_ text: String) {
    let key = "TryExec="
    guard let line = text.split(separator: "\n").first(where: { $0.hasPrefix(key) }) else {
      return nil
    }
    program = String(line.dropFirst(key.count)).replacing("\\\\", with: "\\")
    guard self.text == text else { return nil }
  }

  /// The file. The link is one word of the command line, behind the end of the options, whatever it holds; no shell reads
  /// it.
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
    var quoted = "\""
    for letter in word {
      if "\"`$\\".contains(letter) { quoted.append("\\") }
      quoted += letter == "%" ? "%%" : String(letter)
    }
    return quoted + "\""
  }

  /// A value (Desktop Entry Specification, "Possible value types").
  private static func escaped(_ value: String) -> String {
    value.replacing("\\", with: "\\\\")
  }
}

/// `mimeapps.list`, where the desktop looks for what opens a kind of link (Association between MIME types and
/// applications 1.0). What others have written stays as it is, byte for byte.
struct LinkHandlerList: Equatable {
  static let fileName = "mimeapps.list"
  private static let group = "[Default Applications]"
  private static let key = DesktopEntry.linkType + "="
  private static let line = key + DesktopEntry.fileName
  /// Before a group that was not there.
  private static let mark = "# Made by: cie-read browser install"

  private var lines: [Substring]

  init(_ text: String) {
    lines = text.split(separator: "\n", omittingEmptySubsequences: false)
  }

  var text: String { lines.joined(separator: "\n") }

  /// The entry that opens the links by default; `nil` where there is none.
  var handler: String? {
    groupLines.first { lines[$0].hasPrefix(Self.key) }.map { index in
      let names = lines[index].dropFirst(Self.key.count)
      return String(names.prefix { $0 != ";" })
    }
  }

  /// The list with this program for the links, where there is no other one.
  func adding() -> LinkHandlerList {
    var list = self
    guard handler == nil else { return list }
    if let start = lines.firstIndex(of: Self.group[...]) {
      list.lines.insert(Self.line[...], at: start + 1)
    } else {
      list.lines.insert(contentsOf: [Self.mark[...], Self.group[...], Self.line[...]], at: 0)
    }
    return list
  }

  /// The list without it.
  func removing() -> LinkHandlerList {
    var list = self
    let own = [Self.mark, Self.group, Self.line].map { $0[...] }
    if lines.starts(with: own) {
      // Others may have added to the group since.
      let isEmpty = lines.dropFirst(3).first { !$0.isEmpty }.map { $0.hasPrefix("[") } ?? true
      list.lines.removeFirst(isEmpty ? 3 : 1)
      if !isEmpty { list.lines.remove(at: 1) }
    } else if let index = groupLines.first(where: { lines[$0] == Self.line }) {
      list.lines.remove(at: index)
    }
    return list
  }

  /// The lines of the group.
  private var groupLines: Range<Int> {
    guard let start = lines.firstIndex(of: Self.group[...]) else { return 0..<0 }
    let end = lines[(start + 1)...].firstIndex { $0.hasPrefix("[") } ?? lines.endIndex
    return (start + 1)..<end
  }
}
