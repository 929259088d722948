package import CIECard
import Glibc
package import Primitives

/// Files that commands read; `-` is standard input.
package enum InputFile {
  /// The contents of a file, which may be a pipe still being written.
  ///
  /// - Parameter interruption: ends the waiting.
  package static func read(
    _ path: String, limit: Int, _ interruption: Interruption
  ) throws(Failure) -> [UInt8] {
    let blocks = try Blocks(path, interruption)
    var contents: [UInt8] = []
    while let block = try blocks.next() {
      contents += block
      guard contents.count <= limit else { throw .file(.unreadable(path: path, errno: EFBIG)) }
    }
    return contents
  }

  /// The contents of a plain file.
  package static func read(_ path: String, limit: Int) throws(Failure) -> [UInt8] {
    return try mapError(try PlainFile.read(path, limit: limit)) { (error: PlainFile.Failure) in
      Failure.file(FileProblem(error, path: path))
    }
  }

  /// The contents of a plain file in an open folder; `nil` when no file has this name.
  ///
  /// - Parameter path: of the folder, for messages.
  static func read(
    _ name: String, in folder: Int32, _ path: String, limit: Int
  ) throws(Failure) -> [UInt8]? {
    do throws(PlainFile.Failure) {
      return try PlainFile.read(name, in: FileDescriptor(folder), limit: limit)
    } catch {
      if error == .unreadable(SystemError(ENOENT)) { return nil }
      throw .file(FileProblem(error, path: path + "/" + name))
    }
  }

  package static func digest(
    of path: String, _ algorithm: Digest.Algorithm, _ interruption: Interruption
  ) throws(Failure) -> Digest {
    let file = try open(path)
    defer { close(file) }
    var hash = try mapError(try RunningHash(algorithm.hash)) { Failure.crypto($0) }
    while let next = try block(of: file, path, interruption) {
      try mapError(try hash.update(next)) { Failure.crypto($0) }
    }
    let value: [UInt8]
    do throws(CryptoError) { value = try hash.finish() } catch { throw .crypto(error) }
    guard let digest = Digest(algorithm, bytes: value) else {
      throw .crypto(CryptoError("hash length"))
    }
    return digest
  }

  /// A file of any size that is read block by block.
  package struct Blocks: ~Copyable {
    private let file: Int32
    private let path: String
    private let interruption: Interruption

    package init(_ path: String, _ interruption: Interruption) throws(Failure) {
      file = try InputFile.open(path)
      self.path = path
      self.interruption = interruption
    }

    package borrowing func next() throws(Failure) -> [UInt8]? {
      try InputFile.block(of: file, path, interruption)
    }

    deinit { close(file) }
  }

  /// Opens a file without waiting for the writer of a named pipe, because `Interruption.wait` does that.
  private static func open(_ path: String) throws(Failure) -> Int32 {
    let file =
      path == "-"
      ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 0)
      : Primitives.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { throw .file(.unreadable(path: path, errno: errno)) }
    return file
  }

  private static func block(
    of file: Int32, _ path: String, _ interruption: Interruption
  ) throws(Failure) -> [UInt8]? {
    let block = try interruption.once(
      file, .readable, { .file(.unreadable(path: path, errno: $0)) }
    ) { (file) throws(SystemError) in try file.read(atMost: 64 << 10) }
    return block.isEmpty ? nil : block
  }
}

extension FileProblem {
  package init(_ failure: PlainFile.Failure, path: String) {
    switch failure {
    case .unreadable(let error): self = .unreadable(path: path, errno: error.code)
    case .notPlain: self = .notPlain(path: path)
    case .exposed: self = .writableByOthers(path: path)
    case .tooLarge: self = .unreadable(path: path, errno: EFBIG)
    }
  }
}
