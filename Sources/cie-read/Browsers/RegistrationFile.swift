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
    let new: String
    if let contents = contents(for: module, isIsolated: isIsolated) {
      guard state != .foreign else { return RegistrationChange(registration: self, state: state) }
      new = contents
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
      registration: self, state: .registered(module), isChanged: new != old)
  }

  /// Takes the module out again: of a shared list its own lines, else the file.
  func remove() throws(Failure) -> RegistrationChange {
    guard let old = try text(), case .registered = state(of: old) else { return try read() }
    let isShared = contents(for: "", isIsolated: false) == nil
    let rest = isShared ? NSSModuleList(old).removing() : nil
    // A list that only `install` can have made, because NSS has made no database beside it.
    let isEmpty = rest == .empty(in: folder) && access(folder + "/cert9.db", F_OK) != 0
    if let rest, !isEmpty {
      try write(rest.text)
    } else {
      guard unlink(path) == 0 else { throw .file(.unwritable(path: path, errno: errno)) }
      removeFolder()
    }
    return RegistrationChange(registration: self, state: .absent, isChanged: true)
  }

  /// Removes a folder that only `install` makes. It stays where there is anything else in it.
  private func removeFolder() {
    switch registrant {
    case .chromium, .openSSH, .openSSL: rmdir(folder)
    case .firefox, .firefoxPolicy, .p11Kit: break
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
    let mode = isOld ? status.st_mode & 0o777 : registrant == .firefoxPolicy ? 0o644 : 0o600
    try OutputFile(path, mode: mode, overwriting: true).commit([UInt8](text.utf8))
  }
}
