/// `pkcs11.txt`, where NSS (Firefox, Chromium) lists its PKCS #11 modules: groups of `key=value` lines, a blank line
/// after each (NSS, lib/softoken/sdb.c and lib/sysinit; as `modutil` writes it).
///
/// What others have written stays as it is, byte for byte.
struct NSSModuleList: Equatable {
  /// The name under which our module is registered.
  static let name = "cie-read"

  private var groups: [[Substring]]

  init(_ text: String) {
    groups = text.split(separator: "\n", omittingEmptySubsequences: false)
      .split(separator: "", omittingEmptySubsequences: true).map(Array.init)
  }

  /// The list that NSS makes for an empty database: its own module alone.
  ///
  /// - Parameter folder: of the database.
  static func empty(in folder: String) -> NSSModuleList {
    let parameters =
      ["configdir='sql:\(folder)'", "certPrefix=''", "keyPrefix=''", "secmod='secmod.db'"]
      + ["flags=", "updatedir=''", "updateCertPrefix=''", "updateKeyPrefix=''", "updateid=''"]
      + ["updateTokenDescription=''"]
    return NSSModuleList(
      """
      library=
      name=NSS Internal PKCS #11 Module
      parameters=\(parameters.joined(separator: " "))\u{20}
      NSS=Flags=internal,critical trustOrder=75 cipherOrder=100 slotParams=(1={askpw=any timeout=30})

      """)
  }

  /// The list as NSS reads it.
  var text: String { groups.map { $0.joined(separator: "\n") + "\n\n" }.joined() }

  /// The library of our module; `nil` when it is not in the list.
  var library: String? {
    groups.first(where: Self.isOurs).flatMap { group in
      group.first { $0.hasPrefix("library=") }.map { String($0.dropFirst("library=".count)) }
    }
  }

  /// The list with our module, from this library, at the end.
  func adding(_ library: String) -> NSSModuleList {
    var list = removing()
    list.groups.append(["library=\(library)", "name=\(Self.name)"])
    return list
  }

  /// The list without our module.
  func removing() -> NSSModuleList {
    var list = self
    list.groups.removeAll(where: Self.isOurs)
    return list
  }

  private static func isOurs(_ group: [Substring]) -> Bool { group.contains("name=\(name)") }
}
