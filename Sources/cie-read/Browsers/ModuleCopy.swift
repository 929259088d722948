import CardWork
import Glibc
import Primitives

/// The copy of the PKCS #11 module in a sandbox, which sees no library of the system. Beside it is a copy of the client
/// of the smart card service, because the sandbox may have none, or one of another protocol than the service's.
struct ModuleCopy {
  let sandbox: BrowserSandbox

  var path: String { sandbox.moduleFolder + "/" + RegistrationSearch.moduleName }

  private var clientPath: String { sandbox.moduleFolder + "/" + Self.clientName }
  private static let clientName = "libpcsclite.so.1"

  /// Copies both, as far as they differ.
  ///
  /// - Returns: true if one did.
  func install(_ originals: Originals) throws(Failure) -> Bool {
    let old = files(originals).filter { !isSame($0.path, $0.original) }
    guard !old.isEmpty else { return false }
    guard sandbox.holds(path), sandbox.holds(clientPath) else {
      throw .file(.unwritable(path: sandbox.moduleFolder, errno: EPERM))
    }
    try OutputFile.makeFolder(sandbox.moduleFolder, mode: 0o700)
    let folder = try sandbox.open(sandbox.moduleFolder)
    defer { close(folder) }
    for (file, original) in old {
      let place = "/proc/self/fd/\(folder)/" + file.pathName
      // In one step, because a browser that runs has mapped the file.
      try mapError(try SharedFile(place, mayBeLink: false).replace(with: original, mode: 0o600)) {
        (error: SystemError) in Failure.file(.unwritable(path: file, errno: error.code))
      }
    }
    return true
  }

  var isThere: Bool { access(path, F_OK) == 0 }

  /// True if the copy is there, and one of these files is another by now.
  func isOutdated(_ originals: Originals) -> Bool {
    isThere && !files(originals).allSatisfy { isSame($0.path, $0.original) }
  }

  func remove() {
    guard sandbox.holds(path), let folder = try? sandbox.open(sandbox.moduleFolder) else { return }
    defer { close(folder) }
    for file in [path, clientPath] { unlink("/proc/self/fd/\(folder)/" + file.pathName) }
    rmdir(sandbox.moduleFolder)
  }

  private func files(_ originals: Originals) -> [(path: String, original: [UInt8])] {
    [(path, originals.module)] + (originals.client.map { [(clientPath, $0)] } ?? [])
  }

  private func isSame(_ path: String, _ bytes: [UInt8]) -> Bool {
    (try? PlainFile.read(path, limit: ModuleFile.limit)) == bytes
  }

  /// The module, and the client of the system, if there is one.
  struct Originals {
    let module: [UInt8]
    let client: [UInt8]?

    init(_ module: String) throws(Failure) {
      self.module = try InputFile.read(module, limit: ModuleFile.limit)
      client = ModuleCopy.client.flatMap { try? PlainFile.read($0, limit: ModuleFile.limit) }
    }
  }

  /// The path of the system's client; nil if it cannot be opened.
  private static var client: String? {
    // Since version 2.1 the library of the usual name only opens the other.
    let names = ["libpcsclite_real.so.1", clientName]
    guard names.contains(where: { dlopen($0, RTLD_NOW | RTLD_LOCAL) != nil }),
      let maps = try? PlainFile.read("/proc/self/maps", limit: 8 << 20)
    else { return nil }
    let paths = String(decoding: maps, as: UTF8.self).split(separator: "\n").compactMap { line in
      line.firstIndex(of: "/").map { String(line[$0...]) }
    }
    return names.lazy.compactMap { name in paths.first { $0.pathName.hasPrefix(name) } }.first
  }
}

/// The modules and copies of one run, which reads and compares each file once, however many profiles use it.
struct ModuleCopies {
  private var read: (path: String, originals: ModuleCopy.Originals)?
  /// By the sandbox's folder.
  private var installed: Set<String> = []
  private var outdated: [String: Bool] = [:]
  /// The checks of files by their paths.
  private var checks: [String: Result<Void, Failure>] = [:]

  /// Copies the module, and the client.
  ///
  /// - Returns: true if one was another, or missing.
  mutating func install(
    _ module: String, in sandbox: BrowserSandbox
  ) throws(Failure) -> Bool {
    guard !installed.contains(sandbox.folder) else { return false }
    let isNew = try ModuleCopy(sandbox: sandbox).install(try originals(module))
    installed.insert(sandbox.folder)
    return isNew
  }

  /// True if the copy is there, and this program's module, or the client of the system, is another by now.
  mutating func isOutdated(in sandbox: BrowserSandbox) -> Bool {
    if let known = outdated[sandbox.folder] { return known }
    var isOutdated = false
    if let own = RegistrationSearch.ownModule, let originals = try? originals(own) {
      let copy = ModuleCopy(sandbox: sandbox)
      isOutdated = copy.isOutdated(originals)
      if !isOutdated, copy.isThere {
        // The copy has the same bytes.
        let problem = ModuleFile(path: copy.path).problem(in: originals.module)
        checks[copy.path] = problem.map { .failure($0) } ?? .success(())
      }
    }
    outdated[sandbox.folder] = isOutdated
    return isOutdated
  }

  /// Checks that a file is a module.
  mutating func check(_ path: String) throws(Failure) {
    let check =
      checks[path] ?? Result { () throws(Failure) in try ModuleFile(path: path).check() }
    checks[path] = check
    try check.get()
  }

  private mutating func originals(_ module: String) throws(Failure) -> ModuleCopy.Originals {
    if let read, read.path == module { return read.originals }
    let originals = try ModuleCopy.Originals(module)
    read = (module, originals)
    return originals
  }
}

/// A file that is to be a PKCS #11 module.
struct ModuleFile {
  let path: String

  static let limit = 1 << 28

  /// Checks that it is one, by its bytes, because loading it would run it: a shared library of 64 bits (ELF) with the name
  /// of the function that every module exports (PKCS #11 3.1 §5.4.4, C_GetFunctionList).
  func check() throws(Failure) {
    if let problem = problem(in: try InputFile.read(path, limit: Self.limit)) { throw problem }
  }

  /// The same of the file's bytes.
  ///
  /// - Returns: nil for a module.
  func problem(in bytes: [UInt8]) -> Failure? {
    let head: [UInt8] = [0x7F] + "ELF".utf8 + [2]
    let isLibrary = bytes.starts(with: head) && bytes.dropFirst(16).starts(with: [3, 0])
    guard isLibrary, bytes.place(of: "C_GetFunctionList\0".utf8) != nil else {
      return .found(Diagnosis(.usage, "not-a-module", ["path": path]))
    }
    return nil
  }
}
