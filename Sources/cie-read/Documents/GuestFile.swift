import CardWork
import Glibc
import Primitives

/// The file for the portal: lines of 168 characters with CR LF between them and none at the end, at most 1000
/// (MANUALEALBERGHI.pdf, chapter 12). It is replaced as a whole, readable only by its owner.
struct GuestFile {
  private static let mostLines = 1000
  private static let separator: [UInt8] = [0x0D, 0x0A]

  let path: String

  /// Adds the line of a guest.
  ///
  /// - Returns: false if the guest is there with the same arrival, and nothing was written.
  /// - Throws: a member without the head before, and what `lines` throws.
  func add(_ guest: GuestRecord, _ role: GuestRecord.Role) throws(Failure) -> Bool {
    // The folder is locked, because the file is replaced, and another counter may write to it.
    let folder = open(
      path.namePlace == path.startIndex ? "." : String(path[..<path.namePlace]),
      O_RDONLY | O_DIRECTORY | O_CLOEXEC)
    guard folder >= 0 else { throw .file(.unwritable(path: path, errno: errno)) }
    defer { close(folder) }
    guard flock(folder, LOCK_EX) == 0 else {
      throw .file(.unwritable(path: path, errno: errno))
    }
    let lines = try lines()
    guard !lines.contains(where: { Self.identity($0) == Self.identity(guest.line) }) else {
      return false
    }
    try requireHead(of: role, guest.line, after: lines.last)
    guard lines.count < Self.mostLines else {
      throw .usage("guest-file-full", ["path": path.pathName])
    }
    let contents = (lines + [guest.line]).joined(separator: Self.separator)
    try OutputFile(path, mode: 0o600, overwriting: true).commit([UInt8](contents))
    return true
  }

  /// The lines so far; none without a file. The last one may have an end.
  ///
  /// - Throws: also for a file of another form, which stays as it is.
  func lines() throws(Failure) -> [[UInt8]] {
    var bytes: [UInt8]
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
  private func requireHead(
    of role: GuestRecord.Role, _ line: [UInt8], after last: [UInt8]?
  ) throws(Failure) {
    guard let head = role.head else { return }
    let codes = [head.code, role.code].map { [UInt8]($0.utf8) }
    guard let last, codes.contains([UInt8](last.prefix(2))), last[2..<12] == line[2..<12] else {
      throw .usage("no-head", ["head": head.rawValue])
    }
  }
}
