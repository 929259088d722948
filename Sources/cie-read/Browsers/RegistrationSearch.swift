import CardWork
import Glibc
import Primitives

/// A search for the places where browsers and other programs of this user look for PKCS #11 modules.
struct RegistrationSearch {
  let home: String
  /// The folder of all settings of the system.
  static let systemFolder = "/etc"
  /// The folder for programs' settings (XDG Base Directory Specification).
  let configuration: String
  /// The folder for programs' data (XDG Base Directory Specification).
  let data: String
  /// The folder of the system's programs for their state (Filesystem Hierarchy Standard, /var/lib).
  let state: String
  /// The sandbox in which the folders are; nil outside.
  private let sandbox: BrowserSandbox?

  /// - Returns: `nil` when the environment names no home folder.
  init?(state: String = "/var/lib", _ variable: (String) -> String?) {
    guard let home = PersonalFolder.home(variable),
      let configuration = PersonalFolder.configuration.path(variable),
      let data = PersonalFolder.data.path(variable)
    else { return nil }
    (self.home, self.configuration, self.data, self.state) = (home, configuration, data, state)
    sandbox = nil
  }

  private init(_ sandbox: BrowserSandbox, state: String) {
    (home, configuration, data) = (sandbox.home, sandbox.configuration, sandbox.data)
    self.state = state
    self.sandbox = sandbox
  }

  /// The browsers in a sandbox.
  var sandboxes: [BrowserSandbox] { BrowserSandbox.all(in: home) }

  /// Those that cannot use the reader.
  var closedSandboxes: [BrowserSandbox] {
    sandboxes.filter { $0.isClosed(system: state, data: data) }
  }

  /// The files of a registrant, outside of sandboxes and in them; empty for a browser that was never started.
  ///
  /// - Parameter ifStarted: true to leave out Chromium where it has left no trace.
  func registrations(of registrant: Registrant, ifStarted: Bool = false) -> [Registration] {
    let inside = sandboxes.filter { $0.registrant == registrant }
      .flatMap { RegistrationSearch($0, state: state).ownRegistrations(of: registrant, true) }
    return ownRegistrations(of: registrant, ifStarted) + inside
  }

  private func ownRegistrations(of registrant: Registrant, _ ifStarted: Bool) -> [Registration] {
    guard !ifStarted || isStarted(registrant) else { return [] }
    let paths =
      switch registrant {
      case .firefox: profiles.map { $0 + "/pkcs11.txt" }
      case .chromium: [database + "/pkcs11.txt"]
      case .firefoxPolicy: ["/etc/firefox/policies/policies.json"]
      // For root p11-kit reads the system's files only.
      case .p11Kit:
        [
          geteuid() == 0
            ? "/etc/pkcs11/modules/cie-read.module"
            : configuration + "/pkcs11/modules/cie-read.module"
        ]
      case .openSSH: [configuration + "/cie-read/ssh_config"]
      case .openSSL: [configuration + "/cie-read/openssl.cnf"]
      case .desktop:
        [
          data + "/applications/" + DesktopEntry.fileName,
          configuration + "/" + LinkHandlerList.fileName,
        ]
      }
    return paths.map { path in
      let base = [home, Self.systemFolder, configuration, data].first { path.hasPrefix($0 + "/") }
      return Registration(
        registrant: registrant, path: path, base: base ?? path, sandbox: sandbox)
    }
  }

  /// False for Chromium where neither it nor a relative has left a trace in this home.
  private func isStarted(_ registrant: Registrant) -> Bool {
    guard registrant == .chromium else { return true }
    let settings = ["chromium", "google-chrome", "microsoft-edge", "BraveSoftware", "vivaldi"]
    let traces = sandbox == nil ? settings.map { configuration + "/" + $0 } : [home]
    return ([database] + traces).contains { access($0, F_OK) == 0 }
  }

  /// The database of Chromium. Since version 146 it is in the XDG folder, unless the older one exists.
  private var database: String {
    let (old, new) = (home + "/.pki/nssdb", data + "/pki/nssdb")
    return access(old, F_OK) != 0 && access(new, F_OK) == 0 ? new : old
  }

  /// The folders of Firefox's profiles, in the order of its list. Since version 147 it may lie in the XDG folder.
  private var profiles: [String] {
    [home + "/.mozilla/firefox", configuration + "/mozilla/firefox"].flatMap { root in
      guard let text = Self.text(root + "/profiles.ini") else { return [String]() }
      return Self.paths(inProfiles: text).map { $0.hasPrefix("/") ? $0 : root + "/" + $0 }
        .filter { access($0, F_OK) == 0 || errno != ENOENT }
    }
  }

  /// The values of `Path` in the sections of profiles.
  static func paths(inProfiles text: String) -> [String] {
    var isProfile = false
    return text.split(whereSeparator: \.isNewline).compactMap { line in
      if line.hasPrefix("[") { isProfile = line.hasPrefix("[Profile") }
      guard isProfile, line.hasPrefix("Path=") else { return nil }
      return String(line.dropFirst("Path=".count))
    }
  }

  static let moduleName = "libcie-pkcs11.so"

  /// The path of the running program.
  static var program: String? {
    var buffer = [UInt8](repeating: 0, count: Int(PATH_MAX))
    let count = readlink("/proc/self/exe", &buffer, buffer.count)
    return count > 0 ? String(system: buffer.prefix(count)) : nil
  }

  /// The module of the running program.
  static var ownModule: String? { program.flatMap { module(of: $0) } }

  /// The path of this program's module: beside it, as a build or a package installs it.
  ///
  /// - Parameter program: the path of the running program.
  static func module(of program: String) -> String? {
    let folder = program.split(separator: "/").dropLast()
    let above = folder.dropLast()
    let candidates =
      [Array(folder), above + ["lib"]]
      + ["lib/x86_64-linux-gnu", "lib/aarch64-linux-gnu", "lib64"].map { above + [$0, "pkcs11"] }
    return candidates.map { "/" + $0.joined(separator: "/") + "/" + moduleName }
      .first { access($0, R_OK) == 0 }
  }

  private static func text(_ path: String) -> String? {
    (try? InputFile.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }
}
