import ArgumentParser

/// What the PKCS #11 module can be made known to; or, the desktop, this program.
enum Registrant: String, CaseIterable, ExpressibleByArgument {
  /// Each profile of Firefox.
  case firefox
  /// The NSS database that Chromium and its relatives share.
  case chromium
  /// All users' Firefox, by policy.
  case firefoxPolicy = "firefox-policy"
  /// p11-kit, and with it GnuTLS, and browsers that load its proxy.
  case p11Kit = "p11-kit"
  /// A file to include in the settings of OpenSSH.
  case openSSH = "openssh"
  /// A file for OPENSSL_CONF.
  case openSSL = "openssl"
  /// The desktop of the user, which opens links for the app with this program.
  case desktop

  /// What is meant where nobody says: the browsers, and the links in their pages.
  static let usual: [Registrant] = [.firefox, .chromium, .desktop]

  /// Whether it is to know the module, else this program.
  var needsModule: Bool { self != .desktop }
}

/// One file in which the module, or this program, is registered, or can be.
struct Registration: Sendable, Equatable {
  /// Who reads the file.
  let registrant: Registrant
  /// Where it lies.
  let path: String

  /// What the file says of the module, or of this program.
  enum State: Equatable {
    /// Nothing.
    case absent
    /// That it is this one; its path.
    case registered(String)
    /// It is somebody else's file, which is not touched.
    case foreign
  }

  /// Whether it is the desktop's list of what opens which links.
  var isHandlerList: Bool { path.hasSuffix("/" + LinkHandlerList.fileName) }

  /// The folder of the file.
  var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

  /// The whole file for a module, or for this program, where it is ours alone.
  ///
  /// - Parameter isIsolated: whether the module runs in a process of its own.
  /// - Returns: `nil` for the lists of NSS and of the desktop, which are shared.
  func contents(for module: String, isIsolated: Bool) -> String? {
    switch registrant {
    case .firefox, .chromium: nil
    case .desktop: isHandlerList ? nil : DesktopEntry(program: module).text
    case .firefoxPolicy:
      """
      {
        "policies": {
          "SecurityDevices": {
            "Add": {
              "\(NSSModuleList.name)": "\(module)"
            }
          }
        }
      }

      """
    case .p11Kit:
      "\(Self.mark)\n"
        + (isIsolated ? "remote: |p11-kit remote \(module)\n" : "module: \(module)\n")
    case .openSSH: "\(Self.mark)\nPKCS11Provider \(module)\n"
    case .openSSL:
      """
      \(Self.mark)
      openssl_conf = cie_read

      [cie_read]
      engines = engines
      ssl_conf = protocols

      [engines]
      pkcs11 = pkcs11

      [pkcs11]
      MODULE_PATH = \(module)

      [protocols]
      system_default = chip

      # The chip signs with PKCS #1 v1.5 only, which TLS 1.3 has not.
      [chip]
      MaxProtocol = TLSv1.2
      ClientSignatureAlgorithms = RSA+SHA256:RSA+SHA384:RSA+SHA512

      """
    }
  }

  /// The first line of files that are ours.
  private static let mark = "# Made by: cie-read browser install"

  /// What the text of the file says.
  func state(of text: String?) -> State {
    guard let text else { return .absent }
    switch registrant {
    case .firefox, .chromium:
      return NSSModuleList(text).library.map(State.registered) ?? .absent
    case .desktop where isHandlerList:
      switch LinkHandlerList(text).handler {
      case nil: return .absent
      case DesktopEntry.fileName: return .registered(DesktopEntry.fileName)
      default: return .foreign
      }
    case .desktop: return DesktopEntry(text).map { .registered($0.program) } ?? .foreign
    case .firefoxPolicy, .p11Kit, .openSSH, .openSSL:
      let words = text.split { " \n\"|:=".contains($0) }
      guard let module = words.last(where: { $0.hasPrefix("/") }).map(String.init),
        [true, false].contains(where: { contents(for: module, isIsolated: $0) == text })
      else { return .foreign }
      return .registered(module)
    }
  }
}
