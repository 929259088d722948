import CIECard
import Glibc

/// The files of a travel document under the names that they are saved with.
enum DocumentFile: Sendable, Hashable, CaseIterable {
  case cardAccess
  case cardSecurity
  case common
  case securityObject
  case group(DataGroup)

  static let allCases: [DocumentFile] =
    [.cardAccess, .cardSecurity, .common, .securityObject] + DataGroup.allCases.map(Self.group)

  /// `EF.SOD`, `DG1`: as Doc 9303-10 calls them.
  var name: String {
    switch self {
    case .cardAccess: "EF.CardAccess"
    case .cardSecurity: "EF.CardSecurity"
    case .common: "EF.COM"
    case .securityObject: "EF.SOD"
    case .group(let group): group.name.uppercased()
    }
  }

  /// The name of the saved file.
  var fileName: String { name + ".bin" }
}

/// A folder that appears whole or not at all, and takes no other one's place.
///
/// It is filled under another name beside its place, which nobody else may enter, and gets its own name at the end:
/// the system allows that only where there is nothing, or an empty folder.
final class DocumentFolder {
  private let path: String
  private let temporary: String
  private var names: [String] = []
  private var isDone = false

  /// Makes sure, before the card is asked, that the folder can be made.
  init(_ path: String) throws(Failure) {
    self.path = path
    let place = path.last == "/" ? String(path.dropLast()) : path
    temporary = place + ".\(getpid()).tmp"
    guard Self.isFree(path) else { throw .usage(.document(.folderNotEmpty)) }
    guard mkdir(temporary, 0o700) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
  }

  /// Whether nothing of this name is there, or an empty folder. Asked again, by the system, when the folder gets its
  /// name.
  private static func isFree(_ path: String) -> Bool {
    guard let folder = opendir(path) else { return errno == ENOENT }
    defer { closedir(folder) }
    // The entries `.` and `..` are in every folder.
    return (0..<3).allSatisfy { $0 < 2 || readdir(folder) == nil }
  }

  /// Adds a file that its owner alone may read.
  func add(_ name: String, _ bytes: [UInt8]) throws(Failure) {
    names.append(name)
    try OutputFile(temporary + "/" + name, mode: 0o600).commit(bytes)
  }

  /// Gives the folder its name.
  func commit() throws(Failure) {
    guard rename(temporary, path) == 0 else {
      if errno == ENOTEMPTY || errno == EEXIST { throw .usage(.document(.folderNotEmpty)) }
      throw .file(.unwritable(path: path, errno: errno))
    }
    isDone = true
  }

  deinit {
    guard !isDone else { return }
    for name in names { unlink(temporary + "/" + name) }
    rmdir(temporary)
  }
}
