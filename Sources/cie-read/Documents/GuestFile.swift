import CardWork
import Glibc
import Primitives

/// The file for the portal: lines of 168 characters with CR LF between them and none at the end, at most 1000
/// (MANUALEALBERGHI.pdf, chapter 12). It is replaced as a whole; a new one is readable only by its owner.
struct GuestFile {
  private static let mostLines = 1000
  private static let separator: [UInt8] = [0x0D, 0x0A]

  let path: String

  /// The place of a guest's line.
  enum Entry {
    case added
    /// In the place of another line of the guest with the same arrival, which it corrects.
    case replaced
    /// The same line is there, and nothing was written.
    case there
  }

  /// Adds the line of a guest, or corrects it.
  ///
  /// - Throws: a member without the head before, and what `lines` throws.
  func add(_ guest: [UInt8]) throws(Failure) -> Entry {
    // The folder is locked, because the file is replaced, and another counter may write to it.
    let folder = open(
      path.namePlace == path.startIndex ? "." : String(path[..<path.namePlace]),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .file(.unwritable(path: path, errno: errno)) }
    defer { close(folder) }
    guard flock(folder, LOCK_EX) == 0 else { throw Self.lockFailure(errno, path) }
    var lines = try lines()
    let place = lines.firstIndex { Self.identity($0) == Self.identity(guest) } ?? lines.count
    let isNew = place == lines.count
    guard isNew || lines[place] != guest else { return .there }
    lines[place..<min(place + 1, lines.count)] = [guest]
    for index in [place, place + 1] where index < lines.count {
      try requireHead(lines[index], after: index == 0 ? nil : lines[index - 1])
    }
    guard lines.count <= Self.mostLines else {
      throw .usage("guest-file-full", ["path": path.pathName])
    }
    try OutputFile(path, mode: 0o600, overwriting: true, keepsRights: true)
      .commit([UInt8](lines.joined(separator: Self.separator)))
    return isNew ? .added : .replaced
  }

  /// The failure of a lock: NFS gives none for a folder (EBADF), and some servers none at all.
  static func lockFailure(_ code: CInt, _ path: String) -> Failure {
    [EBADF, ENOLCK, EOPNOTSUPP, EINVAL].contains(code)
      ? .usage("guest-file-unlocked", ["path": path])
      : .file(.unwritable(path: path, errno: code))
  }

  /// The lines so far; none without a file. The last one may have an end.
  ///
  /// - Throws: also for a file of another form, which stays as it is.
  func lines() throws(Failure) -> [[UInt8]] {
    var (bytes, status) = ([UInt8](), stat())
    // It is replaced, and the file to which a link leads would stay as it is.
    guard path != "-", lstat(path, &status) != 0 || status.st_mode & S_IFMT != S_IFLNK else {
      throw .usage("guest-file-indirect", ["path": path])
    }
    do throws(Failure) {
      bytes = try InputFile.read(path, limit: Self.mostLines * (GuestRecord.length + 2) + 2)
    } catch {
      if case .file(.unreadable(_, ENOENT)) = error { return [] }
      throw error
    }
    guard !bytes.isEmpty else { return [] }
    // Editors end the last line, too.
    if bytes.last == 0x0A { bytes.removeLast(bytes.suffix(2) == Self.separator[...] ? 2 : 1) }
    let step = GuestRecord.length + Self.separator.count
    let lines = stride(from: 0, to: bytes.count, by: step).map { start in
      [UInt8](bytes[start..<min(start + step, bytes.count)])
    }
    for (index, line) in lines.enumerated() {
      let end = index + 1 < lines.count ? Self.separator : []
      guard line.count == GuestRecord.length + end.count, line.suffix(end.count) == end[...],
        !line.dropLast(end.count).contains(where: { $0 < 0x20 })
      else { throw .usage("bad-guest-file", ["path": path.pathName, "line": index + 1]) }
    }
    return lines.map { [UInt8]($0.prefix(GuestRecord.length)) }
  }

  /// The day of arrival, and the person: name, sex, birth.
  private static func identity(_ line: [UInt8]) -> [UInt8] {
    [UInt8](line[2..<12]) + line[14..<125]
  }

  /// Checks that a member follows the head of the same arrival, or another member.
  private func requireHead(_ line: [UInt8], after last: [UInt8]?) throws(Failure) {
    let role = GuestRecord.Role.allCases.first { line.starts(with: $0.code.utf8) }
    guard let role, let head = role.head else { return }
    let codes = [head.code, role.code].map { [UInt8]($0.utf8) }
    guard let last, codes.contains([UInt8](last.prefix(2))), last[2..<12] == line[2..<12] else {
      throw .usage("no-head", ["head": head.rawValue])
    }
  }
}
