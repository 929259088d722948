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
  private static let limit = 1 << 28

  /// Copies both, as far as they differ.
  ///
  /// - Returns: true if one did.
  func install(_ module: String) throws(Failure) -> Bool {
    let (module, client) = try Self.originals(module)
    let files = [(path, module)] + (client.map { [(clientPath, $0)] } ?? [])
    let old = files.filter { file, original in !isSame(file, original) }
    guard !old.isEmpty else { return false }
    guard sandbox.holds(path), sandbox.holds(clientPath) else {
      throw .file(.unwritable(path: sandbox.moduleFolder, errno: EPERM))
    }
    try OutputFile.makeFolder(sandbox.moduleFolder, mode: 0o700)
    for (file, original) in old {
      // In one step, because a browser that runs has mapped the file.
      try mapError(try SharedFile(file).replace(with: original, mode: 0o600)) {
        (error: SystemError) in Failure.file(.unwritable(path: file, errno: error.code))
      }
    }
    return true
  }

  /// True if the copy is there, and this program's module, or the client of the system, is another by now.
  var isOutdated: Bool {
    guard access(path, F_OK) == 0, let own = RegistrationSearch.ownModule,
      let originals = try? Self.originals(own)
    else { return false }
    return !isSame(path, originals.module)
      || originals.client.map { !isSame(clientPath, $0) } ?? false
  }

  func remove() {
    guard sandbox.holds(path) else { return }
    for file in [path, clientPath] { unlink(file) }
    rmdir(sandbox.moduleFolder)
  }

  private func isSame(_ path: String, _ bytes: [UInt8]) -> Bool {
    (try? PlainFile.read(path, limit: Self.limit)) == bytes
  }

  private static func originals(
    _ module: String
  ) throws(Failure) -> (module: [UInt8], client: [UInt8]?) {
    let bytes = try mapError(try PlainFile.read(module, limit: limit)) {
      (error: PlainFile.Failure) in Failure.file(FileProblem(error, path: module))
    }
    return (bytes, client.flatMap { try? PlainFile.read($0, limit: limit) })
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
