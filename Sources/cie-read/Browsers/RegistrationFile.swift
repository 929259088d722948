import Glibc

/// What was done to a file.
struct RegistrationChange: Sendable {
  let registration: Registration
  let state: Registration.State
  /// Whether the file is another one now.
  var isChanged = false
}

extension Registration {
  /// What the file says now.
  func read() throws(Failure) -> RegistrationChange {
    RegistrationChange(registration: self, state: state(of: try text()))
  }

  /// Registers the module; a file that says so already, or that is somebody else's, is left alone.
  func install(_ module: String, isIsolated: Bool) throws(Failure) -> RegistrationChange {
    let old = try text()
    let state = state(of: old)
    guard state != .foreign else { return RegistrationChange(registration: self, state: state) }
    let new: String
    if let contents = contents(for: module, isIsolated: isIsolated) {
      new = contents
    } else if isHandlerList {
      new = LinkHandlerList(old ?? "").adding().text
    } else {
      guard state != .registered(module) else {
        return RegistrationChange(registration: self, state: state)
      }
      new = (old.map { NSSModuleList($0) } ?? .empty(in: folder)).adding(module).text
    }
    if new != old {
      try OutputFile.makeFolder(folder)
      try write(new)
    }
    return RegistrationChange(
      registration: self, state: self.state(of: new), isChanged: new != old)
  }

  /// Takes the module out again: of a shared list its own lines, else the file.
  func remove() throws(Failure) -> RegistrationChange {
    guard let old = try text(), case .registered = state(of: old) else { return try read() }
    if let rest = rest(of: old) {
      try write(rest)
    } else {
      guard unlink(path) == 0 else { throw .file(.unwritable(path: path, errno: errno)) }
      removeFolder()
    }
    return RegistrationChange(registration: self, state: .absent, isChanged: true)
  }

  /// What is left of a shared list; `nil` where it is a file that only `install` can have made.
  private func rest(of text: String) -> String? {
    if isHandlerList {
      let rest = LinkHandlerList(text).removing().text
      return rest.isEmpty ? nil : rest
    }
    guard contents(for: "", isIsolated: false) == nil else { return nil }
    let rest = NSSModuleList(text).removing()
    // NSS has made no database beside it.
    let isEmpty = rest == .empty(in: folder) && access(folder + "/cert9.db", F_OK) != 0
    return isEmpty ? nil : rest.text
  }

  /// Removes a folder that only `install` makes. It stays where there is anything else in it.
  private func removeFolder() {
    switch registrant {
    case .chromium, .openSSH, .openSSL: rmdir(folder)
    case .desktop where !isHandlerList: rmdir(folder)
    case .firefox, .firefoxPolicy, .p11Kit, .desktop: break
    }
  }

  private func text() throws(Failure) -> String? {
    do throws(Failure) {
      return String(decoding: try InputFile.read(path, limit: 1 << 20), as: UTF8.self)
    } catch {
      if case .file(.unreadable(_, ENOENT)) = error { return nil }
      throw error
    }
  }

  /// Whole or not at all; who may read it stays as it was.
  private func write(_ text: String) throws(Failure) {
    var status = stat()
    let isOld = stat(path, &status) == 0
    let isForAll = registrant == .firefoxPolicy || registrant == .desktop
    let mode = isOld ? status.st_mode & 0o777 : isForAll ? 0o644 : 0o600
    try OutputFile(path, mode: mode, overwriting: true).commit([UInt8](text.utf8))
  }
}
