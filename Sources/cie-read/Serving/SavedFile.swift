import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives

/// The folder of a person's downloads.
struct DownloadFolder: Sendable {
  let path: String

  /// `XDG_DOWNLOAD_DIR` of user-dirs.dirs (xdg-user-dirs), otherwise `~/Downloads`, otherwise the home folder: the first that
  /// is there.
  ///
  /// - Parameter variable: returns a variable of the environment.
  /// - Returns: `nil` if the environment names no home folder.
  init?(_ variable: (String) -> String?) {
    guard let home = PersonalFolder.home(variable),
      let configuration = PersonalFolder.configuration.path(variable)
    else { return nil }
    let named = Self.named(in: configuration + "/user-dirs.dirs", home)
    path = [named, home + "/Downloads"].compactMap(\.self).first(where: \.isFolder) ?? home
  }

  private static let longestFile = 1 << 16

  /// The folder in a file of lines such as `XDG_DOWNLOAD_DIR="$HOME/Downloads"`, of which the last one counts.
  private static func named(in file: String, _ home: String) -> String? {
    guard let source = try? ByteSource(path: file), source.count <= longestFile,
      let text = try? source.bytes(0..<source.count)
    else { return nil }
    let key = [UInt8]("XDG_DOWNLOAD_DIR=\"".utf8)
    let line = text.split(separator: UInt8(ascii: "\n")).last { $0.starts(with: key) }
    guard var rest = line?.dropFirst(key.count) else { return nil }
    var value: [UInt8] = []
    while let byte = rest.popFirst(), byte != UInt8(ascii: "\"") {
      value.append(byte == UInt8(ascii: "\\") ? rest.popFirst() ?? byte : byte)
    }
    let variable = [UInt8]("$HOME/".utf8)
    guard value.starts(with: variable) else {
      return value.first == UInt8(ascii: "/") ? String(system: value) : nil
    }
    return home + "/" + String(system: [UInt8](value.dropFirst(variable.count)))
  }
}

extension UploadStore {
  /// Saves a file that was made here, for a person who sees where it is.
  func outcome(ofSaving id: String) -> CommandOutcome {
    do throws(Failure) {
      guard let folder = DownloadFolder(Environment.value(of:)) else { throw .usage("no-home") }
      return CommandOutcome(members: [.init("path", try save(id, in: folder))])
    } catch { return CommandOutcome(failure: error) }
  }

  /// - Returns: its path, which was free.
  private func save(_ id: String, in folder: DownloadFolder) throws(Failure) -> String {
    let file = try self[id]
    guard file.isMade else { throw .usage("unknown-file") }
    // In a home folder a hidden file may be a program's settings.
    let name = file.name.pathName
    let path = SignFiles.free(folder.path + "/" + (name.hasPrefix(".") ? "_" : "") + name) {
      Primitives.access($0, F_OK) == 0
    }
    let source = try SignedFile.open(file.place, as: file.name)
    let output = try OutputFile(path)
    let piece = 1 << 20
    for start in stride(from: 0, to: source.count, by: piece) {
      let range = start..<min(start + piece, source.count)
      try output.write(
        try mapError(try source.bytes(range)) { Failure.signedFile($0, path: file.name) })
    }
    try output.commit([])
    return path
  }
}
