import Arguments
import CIECard
import CardWork
import Glibc
import Messages
import Primitives

/// `browser install`: registers the PKCS #11 module, and this program for links.
struct BrowserInstall: FunctionWithoutCard {
  static let name = "browser install"

  let to: [Registrant]
  var module: String?
  var isIsolated = false

  func run(in context: RunContext) throws(Failure) -> Result {
    let module: String? = to.contains(where: \.needsModule) ? try path() : nil
    guard let program = RegistrationSearch.program else {
      throw .file(.unreadable(path: "/proc/self/exe", errno: errno))
    }
    // It becomes a line of the desktop entry.
    guard program.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else {
      throw .file(.unreadable(path: program, errno: EINVAL))
    }
    var copies = ModuleCopies()
    let list = try RegistrationList(to, ifStarted: to == Registrant.usual) {
      registration throws(Failure) in
      try registration.install(
        (registration.registrant.needsModule ? module : nil) ?? program, isIsolated: isIsolated,
        &copies)
    }
    return Result(module: module, list: list)
  }

  /// The absolute path of the module, because programs that load it have other working folders. Links stay, because
  /// they outlive an update.
  private func path() throws(Failure) -> String {
    let given = module ?? RegistrationSearch.ownModule
    guard let given else { throw .usage("no-module") }
    guard access(given, R_OK) == 0 else {
      throw .file(.unreadable(path: given, errno: errno))
    }
    let path = Self.absolute(given)
    // Some programs that read the path cannot quote it.
    guard path.utf8.allSatisfy({ $0 > 0x20 && !"\"\\|".utf8.contains($0) }) else {
      throw .file(.unreadable(path: path, errno: EINVAL))
    }
    try Self.requireUnshared(path)
    if module != nil { try ModuleFile(path: path).check() }
    return path
  }

  /// Requires that only the owner, this user or root, may change the file or replace it, because a module runs in every
  /// program that loads it.
  private static func requireUnshared(_ path: String) throws(Failure) {
    guard let target = realPath(path) else {
      throw .file(.unreadable(path: path, errno: errno))
    }
    let folders = [path, target].map { file in
      String(file[...(file.lastIndex(of: "/") ?? file.startIndex)])
    }
    for place in [path] + folders {
      var status = stat()
      guard stat(place, &status) == 0 else {
        throw .file(.unreadable(path: place, errno: errno))
      }
      let isOurs = status.st_uid == geteuid() || status.st_uid == 0
      // In a folder with the sticky bit only its owner replaces a file (inode(7)).
      let isGuarded = place != path && status.st_mode & 0o1000 != 0
      guard isOurs, isGuarded || !FileRights.isWritableByOthers(status) else {
        throw .file(.writableByOthers(path: place))
      }
    }
  }

  private static func absolute(_ path: String) -> String {
    guard !path.hasPrefix("/"), let folder = getcwd(nil, 0) else { return path }
    defer { free(folder) }
    return (String(system: folder) ?? ".") + "/" + path
  }
}

extension BrowserInstall {
  init(from inputs: inout Inputs) throws(Failure) {
    to = try inputs.arguments(
      "to", default: Registrant.usual, help: "option.browser.to", value: "program")
    module = try inputs.text(
      "module", help: "option.browser.module", value: "file", completion: .file(ending: "so"))
    isIsolated = try inputs.flag("isolated", help: "option.browser.isolated")
  }

  struct Result: FunctionResult {
    let module: String?
    let list: RegistrationList

    static let members: [Member<Result>] = [Member("module", \.module)] + Member.all(of: \.list)

    var failure: Failure? { list.failure }

    func lines(_ language: Language) -> [String] { list.lines(language) }
  }
}
