import CIECard
import CardWork
import Dispatch
import DocumentSigning
import Glibc
import Messages
import Primitives
import Synchronization

/// The files that a page works on: sent by it into memory, opened by path from the command line, or made here.
///
/// A file must have been listed, with its digest, before it is signed; then the same bytes are signed or none.
final class UploadStore: Sendable {
  struct File: Sendable {
    /// Its name for people: without folders if it is in memory, else its path.
    let name: String
    /// Its bytes in memory; nil for a file on the disk.
    let memory: MemoryFile?
    /// Number of bytes that it will have.
    let size: Int
    /// True if it was made here, such as a signed file.
    var isMade = false
    /// True if it was opened to be checked, until it is listed.
    fileprivate(set) var isToCheck = false
    /// The password of an encrypted PDF; empty without one.
    fileprivate(set) var password: [UInt8] = []
    /// The digest that was listed.
    fileprivate(set) var shown: Digest?
    /// The row of the list, and the size and time of the file that it is about.
    fileprivate var row: (stamp: [Int], members: [JSON.Member])?

    /// The path of its bytes.
    var place: String { memory?.path ?? name }
    var isWhole: Bool { memory.map { $0.count == size } ?? true }
  }

  private struct State {
    var count = 0
    var files: [(id: String, file: File)] = []

    /// The bytes that still fit when all files are whole.
    var room: Int {
      files.reduce(UploadStore.capacity) { room, entry in
        room - (entry.file.memory.map { max($0.count, entry.file.size) } ?? 0)
      }
    }
  }

  private static let capacity = 512 << 20
  private static let mostFiles = 200
  private let state = Mutex(State())
  /// For reading, because a long file must hinder no other request.
  let queue = DispatchQueue(label: "files")
  /// For drawing pages.
  let pages = DispatchQueue(label: "pages")
  private let newestPage = Mutex(0)

  /// The turn of a page to draw: it ends that of the page before.
  func nextPage() -> Int {
    newestPage.withLock { newest in
      newest += 1
      return newest
    }
  }

  func isNewestPage(_ turn: Int) -> Bool { newestPage.withLock { $0 == turn } }

  /// A new, empty file in memory.
  ///
  /// - Returns: its number.
  func begin(_ name: String, size: Int) throws(Failure) -> String {
    let plain = name.split(separator: "/").last.map { String($0).printable } ?? ""
    guard (1...255).contains(plain.utf8.count), size >= 0 else {
      throw Request.unfit(plain.isEmpty ? "name" : "size")
    }
    let isFree = state.withLock { $0.files.count < Self.mostFiles && size <= $0.room }
    guard isFree else { throw tooLarge(plain) }
    return add(File(name: plain, memory: try MemoryFile(), size: size))
  }

  /// Adds a file that was made here, of one with a password, which it has, too.
  func add(_ name: String, _ memory: MemoryFile, password: [UInt8] = []) -> String {
    add(File(name: name, memory: memory, size: memory.count, isMade: true, password: password))
  }

  /// True if a file with the name was made here.
  func hasMade(_ name: String) -> Bool {
    state.withLock { $0.files.contains { $0.file.isMade && $0.file.name == name } }
  }

  /// Adds a file on the disk; one that is already there keeps its number.
  @discardableResult func open(_ path: String, toCheck isToCheck: Bool = false) -> String {
    let known = state.withLock { state -> String? in
      let place = state.files.firstIndex {
        $0.file.memory == nil && $0.file.name.isSamePath(as: path)
      }
      guard let place else { return nil }
      if isToCheck { state.files[place].file.isToCheck = true }
      return state.files[place].id
    }
    return known ?? add(File(name: path, memory: nil, size: 0, isToCheck: isToCheck))
  }

  private func add(_ file: File) -> String {
    state.withLock { state in
      state.count += 1
      state.files.append(("\(state.count)", file))
      return "\(state.count)"
    }
  }

  /// Adds the next bytes of a file.
  ///
  /// - Returns: the number of bytes so far.
  func append(_ bytes: [UInt8], to id: String) throws(Failure) -> Int {
    let file = try self[id]
    guard let memory = file.memory, memory.count + bytes.count <= file.size else {
      throw tooLarge(file.name)
    }
    try memory.append(bytes)
    return memory.count
  }

  /// Takes the password of an encrypted PDF, with which it is listed, signed and checked.
  func unlock(_ id: String, with password: String) throws(Failure) {
    _ = try self[id]
    state.withLock { state in
      guard let index = state.files.firstIndex(where: { $0.id == id }) else { return }
      state.files[index].file.password = [UInt8](password.utf8)
      state.files[index].file.row = nil
    }
  }

  /// Takes a file off the list, never off the disk.
  func forget(_ id: String) throws(Failure) {
    _ = try self[id]
    state.withLock { $0.files.removeAll { $0.id == id } }
  }

  subscript(id: String) -> File {
    get throws(Failure) {
      guard let found = state.withLock({ $0.files.first { $0.id == id }?.file }) else {
        throw .usage("unknown-file")
      }
      return found
    }
  }

  /// The path of the contents to which a detached signature in memory belongs: the file of its name without the ending.
  func contents(beside file: File) -> String? {
    contents(of: file).first
  }

  /// The same, unless there are several of the name, to one of which it belongs.
  func onlyContents(beside file: File) throws(Failure) -> String? {
    let places = contents(of: file)
    guard places.count < 2 else {
      let name = SignedFile.detachedName(file.name) ?? ""
      throw .found(Diagnosis(.usage, "two-contents", ["name": name, "path": file.name]))
    }
    return places.first
  }

  private func contents(of file: File) -> [String] {
    guard file.memory != nil, let name = SignedFile.detachedName(file.name) else { return [] }
    return state.withLock { state in
      state.files.filter { $0.file.name.isSamePath(as: name) && $0.file.isWhole }.map(\.file.place)
    }
  }

  /// The JSON of all whole files, for a person to look at: reads those that are listed for the first time. A request to
  /// check one is in one list.
  func list(_ language: Language) -> [JSON.Member] {
    let (files, room) = state.withLock { state in
      let files = state.files.filter { $0.file.isWhole }
      for index in state.files.indices where state.files[index].file.isWhole {
        state.files[index].file.isToCheck = false
      }
      return (files, state.room)
    }
    let rows = files.map { id, file -> JSON in
      var status = stat()
      let isThere = stat(file.place, &status) == 0
      let time = status.st_mtim
      let stamp = [Int(status.st_size), time.tv_sec, time.tv_nsec]
      let check = JSON.Member("check", file.isToCheck)
      if let row = file.row, row.stamp == stamp { return .object(row.members + [check]) }
      var particulars = PDFParticulars()
      particulars.password = file.password
      let usual = DocumentFormat.byName(particulars, isDetached: false)
      let order = SigningOrder(file.name, at: file.place, beside: contents(beside: file), usual)
      let digest = order.document?.digest
      let members: [JSON.Member] = [
        .init("file", id), .init("name", file.name),
        .init("size", isThere ? Int(status.st_size) : nil),
        .init("path", file.memory == nil ? file.name : nil),
        .init("pages", order.document?.pages), .init("digest", digest?.bytes.hexadecimal),
        .init("signatures", order.document?.signatures ?? 0),
        .init("error", order.failure.map { Diagnosis($0).json(language, by: "desk") } ?? .null),
      ]
      state.withLock { state in
        guard let index = state.files.firstIndex(where: { $0.id == id }) else { return }
        state.files[index].file.shown = digest
        // An error is in one language.
        if order.failure == nil { state.files[index].file.row = (stamp, members) }
      }
      return .object(members + [check])
    }
    return [.init("files", .array(rows)), .init("room", room)]
  }

  /// More bytes than announced, or more bytes or files than there is room for.
  private func tooLarge(_ name: String) -> Failure {
    let room = state.withLock { $0.room }
    return .found(
      Diagnosis(
        .usage, "upload-too-large",
        ["name": name, "size": room / 1_000_000, "limit": Self.mostFiles]))
  }
}
