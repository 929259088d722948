import CardWork
import Glibc
import Primitives

/// A sandbox of snap or Flatpak with a browser, by its folder in the home of this user.
///
/// The browser sees that folder under the same path, and no library of the system (snapd,
/// interfaces/apparmor/template.go; flatpak-run(1)).
struct BrowserSandbox: Sendable, Equatable {
  enum Kind: Sendable {
    case snap
    case flatpak
  }

  let kind: Kind
  /// The name of the snap, or the application's identifier.
  let name: String
  let registrant: Registrant
  let folder: String

  private static let known: [(kind: Kind, name: String, registrant: Registrant)] = [
    (.snap, "firefox", .firefox), (.snap, "chromium", .chromium),
    (.flatpak, "org.mozilla.firefox", .firefox), (.flatpak, "org.chromium.Chromium", .chromium),
    (.flatpak, "com.google.Chrome", .chromium),
  ]

  /// Those in the home of a user.
  static func all(in home: String) -> [BrowserSandbox] {
    known.map { kind, name, registrant in
      BrowserSandbox(
        kind: kind, name: name, registrant: registrant,
        folder: home + (kind == .snap ? "/snap/" : "/.var/app/") + name)
    }.filter { access($0.folder, F_OK) == 0 }
  }

  /// The home folder that the browser is given (firefox-snap, snapcraft.yaml; flatpak-run(1), `--persist`).
  var home: String {
    switch kind {
    case .snap: folder + (registrant == .firefox ? "/common" : "/current")
    case .flatpak: folder
    }
  }

  var configuration: String { home + (kind == .snap ? "/.config" : "/config") }

  var data: String { home + (kind == .snap ? "/.local/share" : "/data") }

  /// The folder for the copy of the module; of a snap the one that all its revisions share.
  var moduleFolder: String { folder + (kind == .snap ? "/common" : "/data") + "/cie-read" }

  /// The name of the browser for people, with its sandbox.
  var title: String {
    switch kind {
    case .snap: "\(registrant.title) (snap)"
    case .flatpak: "\(registrant.title) (Flatpak)"
    }
  }

  /// True if a path, as far as it exists, leads to a place in the folder. The browser could lay a link, or name a
  /// profile, outside of it, so that a program without a sandbox would load a module that the browser may change.
  func holds(_ path: String) -> Bool {
    guard let root = realPath(folder) else { return false }
    var place = path
    while !place.isEmpty {
      if let real = realPath(place) { return (real + "/").utf8.starts(with: (root + "/").utf8) }
      // A link to nothing, yet.
      var status = stat()
      guard lstat(place, &status) != 0 else { return false }
      place = String(place[..<place.namePlace].utf8.dropLast()) ?? ""
    }
    return false
  }

  /// Opens a folder that `holds` has found inside. No part of its path below the sandbox's folder may have become a
  /// link since, because the browser could exchange it after that look.
  func open(_ place: String) throws(Failure) -> CInt {
    guard let root = realPath(folder), let real = realPath(place) else {
      throw .file(.unreadable(path: place, errno: errno))
    }
    guard (real + "/").utf8.starts(with: (root + "/").utf8) else {
      throw .file(.unreadable(path: place, errno: ELOOP))
    }
    let below = String(real.utf8.dropFirst(root.utf8.count)) ?? ""
    return try mapError(try FolderPath.open(below, below: root)) { (error: SystemError) in
      Failure.file(.unreadable(path: place, errno: error.code))
    }
  }
}

extension BrowserSandbox {
  /// The command line that lets the browser use the reader.
  var opening: String {
    switch kind {
    case .snap: "sudo snap connect \(name):pcscd"
    case .flatpak: "flatpak override --user --socket=pcsc \(name)"
    }
  }

  /// True if the sandbox is known to keep the browser from the smart card service.
  ///
  /// - Parameters:
  ///   - system: the folder of the system's programs for their state, `/var/lib`.
  ///   - data: the folder for this user's data, in which Flatpak keeps the user's applications and settings.
  func isClosed(system: String, data: String) -> Bool {
    switch kind {
    case .snap:
      // The line for a connected interface (snapd, interfaces/builtin/pcscd.go). Without AppArmor there is no file,
      // and nothing is closed.
      let profile = Self.text(system + "/snapd/apparmor/profiles/snap.\(name).\(name)")
      return profile.map { !$0.includes("/pcscd.comm rw") } ?? false
    case .flatpak:
      let installations = [data + "/flatpak", system + "/flatpak"]
      let metadata = installations.lazy.compactMap {
        Self.text($0 + "/app/\(name)/current/active/metadata")
      }.first
      guard let metadata else { return false }
      // The user's settings overrule the system's, and those of one application those of all (flatpak-override(1)).
      let overrides = installations.reversed().flatMap { folder in
        ["global", name].compactMap { Self.text(folder + "/overrides/" + $0) }
      }
      return !([metadata] + overrides).compactMap(Self.grant).reduce(false) { $1 }
    }
  }

  /// True if a file of Flatpak gives the socket of the service, false if it takes it away; nil if it does neither
  /// (flatpak-metadata(5), Context).
  private static func grant(_ text: String) -> Bool? {
    let key = "sockets="
    let sockets = text.split(separator: "\n").filter { $0.hasPrefix(key) }
      .flatMap { $0.dropFirst(key.count).split(separator: ";") }
    return sockets.contains("!pcsc") ? false : sockets.contains("pcsc") ? true : nil
  }

  private static func text(_ path: String) -> String? {
    (try? PlainFile.read(path, limit: 1 << 20)).map { String(decoding: $0, as: UTF8.self) }
  }
}
