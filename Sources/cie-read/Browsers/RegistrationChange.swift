import CardWork
import Glibc
import Primitives

/// A registration after a look or a change.
struct RegistrationChange: Sendable {
  let registration: Registration
  let state: Registration.State
  var isChanged = false
  /// True if the copy in the browser's sandbox is another than this program's module.
  var isOutdated = false
  /// The reason why it could not be looked at or changed; the state is `absent` then.
  var failure: Failure?
}

extension Registration {
  /// The outcome of an action, or the reason why there is none: the other registrations do not wait for it.
  func attempt(
    _ action: (Registration) throws(Failure) -> RegistrationChange
  ) -> RegistrationChange {
    do throws(Failure) {
      guard sandbox?.holds(path) ?? true else {
        throw .found(Diagnosis(.usage, "outside-sandbox", ["path": path]))
      }
      return try action(self)
    } catch { return RegistrationChange(registration: self, state: .absent, failure: error) }
  }

  func read(_ copies: inout ModuleCopies) throws(Failure) -> RegistrationChange {
    let state = state(of: try bytes())
    let isOutdated = state != .absent && sandbox.map { copies.isOutdated(in: $0) } ?? false
    return RegistrationChange(registration: self, state: state, isOutdated: isOutdated)
  }

  /// Registers the module, in a sandbox a copy of it; a file that has it already, or that belongs to another program,
  /// is left alone.
  func install(
    _ module: String, isIsolated: Bool, _ copies: inout ModuleCopies
  ) throws(Failure) -> RegistrationChange {
    guard let sandbox else { return try register(module, isIsolated: isIsolated) }
    // A module that leads to others, such as p11-kit's proxy, finds none of them there.
    let isOwn = module.pathName == RegistrationSearch.moduleName
    let isCopied = try copies.install(
      isOwn ? module : RegistrationSearch.ownModule ?? module, in: sandbox)
    var change = try register(ModuleCopy(sandbox: sandbox).path, isIsolated: isIsolated)
    change.isChanged = change.isChanged || isCopied
    return change
  }

  private func register(_ module: String, isIsolated: Bool) throws(Failure) -> RegistrationChange {
    let old = try bytes()
    let state = state(of: old)
    guard state != .foreign else { return RegistrationChange(registration: self, state: state) }
    let new: [UInt8]
    if let contents = contents(for: module, isIsolated: isIsolated) {
      new = contents.systemBytes
    } else if isHandlerList {
      new = LinkHandlerList(old ?? []).adding().bytes
    } else {
      guard state != .registered(module) else {
        return RegistrationChange(registration: self, state: state)
      }
      new = (old.map { NSSModuleList($0) } ?? .empty(in: folder)).adding(module).bytes
    }
    if new != old {
      try OutputFile.makeFolder(folder, mode: isOfSystem ? 0o755 : 0o700)
      // A user who may write to the folder could put another list there.
      var status = stat()
      if stat(folder, &status) == 0, FileRights.isWritableByOthers(status) {
        throw .file(.writableByOthers(path: folder))
      }
      try write(new)
    }
    return RegistrationChange(
      registration: self, state: self.state(of: new), isChanged: new != old)
  }

  /// Removes the module: from a shared list its own lines, else the file.
  func remove() throws(Failure) -> RegistrationChange {
    if let sandbox { ModuleCopy(sandbox: sandbox).remove() }
    let old = try bytes()
    let state = state(of: old)
    guard let old, case .registered = state else {
      return RegistrationChange(registration: self, state: state)
    }
    if let rest = rest(of: old) {
      try write(rest)
    } else {
      try atPlace { (place) throws(Failure) in
        guard unlink(place) == 0 else { throw .file(.unwritable(path: path, errno: errno)) }
      }
      removeFolders()
    }
    return RegistrationChange(registration: self, state: .absent, isChanged: true)
  }

  /// The rest of a shared list; `nil` for a file that only `install` can have made.
  private func rest(of bytes: [UInt8]) -> [UInt8]? {
    if isHandlerList {
      let rest = LinkHandlerList(bytes).removing().bytes
      return rest.isEmpty ? nil : rest
    }
    guard contents(for: "", isIsolated: false) == nil else { return nil }
    let rest = NSSModuleList(bytes).removing()
    // NSS has made no database beside it.
    let isEmpty = rest == .empty(in: folder) && access(folder + "/cert9.db", F_OK) != 0
    return isEmpty ? nil : rest.bytes
  }

  /// Removes the folder of the file and those above it, as far as they are empty; never the user's, or that of all
  /// settings, or a profile of Firefox.
  private func removeFolders() {
    guard registrant != .firefox else { return }
    var folder = folder
    while folder.hasPrefix(base + "/"), rmdir(folder) == 0 {
      folder = String(folder[..<(folder.lastIndex(of: "/") ?? folder.startIndex)])
    }
  }

  private func bytes() throws(Failure) -> [UInt8]? {
    // A sandbox has no folder to open before its browser was started.
    guard sandbox == nil || access(folder, F_OK) == 0 || errno != ENOENT else { return nil }
    return try atPlace { (place) throws(Failure) in
      try mapError(try sharedFile(place).read(limit: 1 << 20)) { (error: PlainFile.Failure) in
        Failure.file(FileProblem(error, path: path))
      }
    }
  }

  /// Writes the file completely or not at all.
  private func write(_ bytes: [UInt8]) throws(Failure) {
    let isForAll = isOfSystem || registrant == .desktop
    try atPlace { (place) throws(Failure) in
      try mapError(try sharedFile(place).replace(with: bytes, mode: isForAll ? 0o644 : 0o600)) {
        (error: SystemError) in Failure.file(.unwritable(path: path, errno: error.code))
      }
    }
  }

  private func sharedFile(_ place: String) -> SharedFile {
    SharedFile(place, mayBeLink: sandbox == nil)
  }

  /// Works with the path of the file; in a sandbox with one that the browser cannot exchange meanwhile.
  private func atPlace<Result>(
    _ work: (String) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    guard let sandbox else { return try work(path) }
    let folder = try sandbox.open(folder)
    defer { close(folder) }
    return try work("/proc/self/fd/\(folder)/" + path.pathName)
  }
}
