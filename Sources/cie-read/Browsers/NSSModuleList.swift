import Primitives

/// `pkcs11.txt`, the list of PKCS #11 modules of NSS (Firefox, Chromium): groups of `key=value` lines, a blank line
/// after each (NSS, lib/softoken/sdb.c and lib/sysinit; as `modutil` writes it).
///
/// Other programs' lines stay as they are, byte for byte.
struct NSSModuleList: Equatable {
  static let name = "cie-read"

  let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// The list that NSS makes for an empty database: its own module alone.
  ///
  /// - Parameter folder: of the database.
  static func empty(in folder: String) -> NSSModuleList {
    let parameters =
      ["configdir='sql:\(folder)'", "certPrefix=''", "keyPrefix=''", "secmod='secmod.db'"]
      + ["flags=", "updatedir=''", "updateCertPrefix=''", "updateKeyPrefix=''", "updateid=''"]
      + ["updateTokenDescription=''"]
    let text =
      """
      library=
      name=NSS Internal PKCS #11 Module
      parameters=\(parameters.joined(separator: " "))\u{20}
      NSS=Flags=internal,critical trustOrder=75 cipherOrder=100 slotParams=(1={askpw=any timeout=30})


      """
    return NSSModuleList([UInt8](text.utf8))
  }

  /// The library of our module; `nil` when it is not in the list.
  var library: String? {
    let key = [UInt8]("library=".utf8)
    return groups.first(where: \.isOurs).flatMap { group in
      group.lines.first { $0.starts(with: key) }.map {
        String(system: $0.dropFirst(key.count))
      }
    }
  }

  /// The list with our module, from this library: at the end, or at the beginning where no blank line ends the list, so
  /// that no line has to be changed.
  func adding(_ library: String) -> NSSModuleList {
    let others = removing().bytes
    let own = "library=\(library)\nname=\(Self.name)\n\n".systemBytes
    let isEnded = others.isEmpty || others.suffix(2) == [Self.lineEnd, Self.lineEnd]
    return NSSModuleList(isEnded ? others + own : own + others)
  }

  func removing() -> NSSModuleList {
    var rest = bytes
    for group in groups.reversed() where group.isOurs { rest.removeSubrange(group.extent) }
    return NSSModuleList(rest)
  }

  private static let lineEnd = UInt8(ascii: "\n")

  private struct Group {
    var lines: [ArraySlice<UInt8>] = []
    /// The range of its lines, with the blank line that ends them.
    var extent: Range<Int>

    var isOurs: Bool { lines.contains { $0.elementsEqual("name=\(NSSModuleList.name)".utf8) } }
  }

  private var groups: [Group] {
    var groups: [Group] = []
    var group: Group?
    var rest = bytes[...]
    while !rest.isEmpty {
      let line = rest.prefix { $0 != Self.lineEnd }
      rest = rest.dropFirst(line.count + 1)
      var current = group ?? Group(extent: line.startIndex..<line.startIndex)
      current.extent = current.extent.lowerBound..<rest.startIndex
      if line.isEmpty {
        if group != nil { groups.append(current) }
        group = nil
      } else {
        current.lines.append(line)
        group = current
      }
    }
    return groups + [group].compactMap { $0 }
  }
}
