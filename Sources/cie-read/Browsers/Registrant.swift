import Arguments
import CardWork
import Glibc
import Primitives

/// A program, or a list of programs, in which the PKCS #11 module can be registered; or, for the desktop, this program.
enum Registrant: String, CaseIterable, ArgumentValue {
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

  /// The default: the browsers, and the links in their pages.
  static let usual: [Registrant] = [.firefox, .chromium, .desktop]

  /// True if the module is registered in it, false for this program.
  var needsModule: Bool { self != .desktop }

  /// The name for people, of a browser.
  var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}

/// One file in which the module, or this program, is registered, or can be.
struct Registration: Sendable, Equatable {
  let registrant: Registrant
  let path: String
  /// The folder above it that exists without it.
  let base: String
  /// The sandbox of the browser; nil without one.
  var sandbox: BrowserSandbox?

  enum State: Equatable {
    case absent
    /// This module or program; its path.
    case registered(String)
    /// Another program's file, which is not touched.
    case foreign
  }

  /// True for the desktop's list of programs for links.
  var isHandlerList: Bool { path.hasSuffix("/" + LinkHandlerList.fileName) }

  /// True if all users' programs read it.
  var isOfSystem: Bool { base == RegistrationSearch.systemFolder }

  var folder: String { String(path[..<(path.lastIndex(of: "/") ?? path.startIndex)]) }

  /// The whole file for a module, or for this program, if it is ours alone.
  ///
  /// - Parameter isIsolated: `true` if the module runs in a separate process.
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
        + Self.disabling
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

  /// The programs of GNOME and Cinnamon that ask for a card instead of a password, as soon as one is on the reader: at
  /// the login screen, where a CIE cannot log in (pkcs11.conf(5)).
  private static let disabling = "disable-in: gsd-smartcard, csd-smartcard\n"

  func state(of bytes: [UInt8]?) -> State {
    guard let bytes else { return .absent }
    switch registrant {
    case .firefox, .chromium:
      return NSSModuleList(bytes).library.map(State.registered) ?? .absent
    case .desktop where isHandlerList:
      switch LinkHandlerList(bytes).handler {
      case nil: return .absent
      case DesktopEntry.fileName: return .registered(DesktopEntry.fileName)
      default: return .foreign
      }
    case .desktop:
      return DesktopEntry(String(system: bytes)).map { .registered($0.program) } ?? .foreign
    case .firefoxPolicy, .p11Kit, .openSSH, .openSSL:
      let text = String(system: bytes)
      guard
        let module = text.split(whereSeparator: { " \n\"|:=".contains($0) })
          .last(where: { $0.hasPrefix("/") }).map(String.init)
      else { return .foreign }
      let isOurs = [true, false].compactMap { contents(for: module, isIsolated: $0) }.contains {
        // Version 0.1 named no programs.
        $0 == text || $0.exchanging(Self.disabling, for: "") == text
      }
      return isOurs ? .registered(module) : .foreign
    }
  }
}
