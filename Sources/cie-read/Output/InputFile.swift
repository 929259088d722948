import CIECard
import Glibc

/// Files that commands read; `-` is standard input.
enum InputFile {
  /// The contents of a file.
  ///
  /// - Parameter interruption: ends the waiting for a pipe; without it there is none, and only a plain file will do.
  static func read(
    _ path: String, limit: Int, _ interruption: Interruption? = nil
  ) throws(Failure) -> [UInt8] {
    let file = try open(path)
    defer { close(file) }
    if interruption == nil { try requirePlain(file, path) }
    return try contents(of: file, path, limit: limit, interruption)
  }

  /// Opens a file at once: nobody waits here for the writer of a named pipe, which `Interruption.wait` does.
  private static func open(_ path: String) throws(Failure) -> Int32 {
    let file = Glibc.open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC)
    guard file >= 0 else { throw .file(.unreadable(path: path, errno: errno)) }
    return file
  }

  private static func requirePlain(_ file: Int32, _ path: String) throws(Failure) {
    var status = stat()
    guard fstat(file, &status) == 0 else { throw .file(.unreadable(path: path, errno: errno)) }
    guard status.st_mode & S_IFMT == S_IFREG else { throw .file(.notPlain(path: path)) }
  }

  /// The contents of a plain file in an open folder; `nil` when there is none of this name. Anything else (a pipe, a
  /// device) is refused, not waited for.
  ///
  /// - Parameter path: of the folder, for messages.
  static func read(
    _ name: String, in folder: Int32, _ path: String, limit: Int
  ) throws(Failure) -> [UInt8]? {
    let path = path + "/" + name
    let file = openat(folder, name, O_RDONLY | O_NONBLOCK | O_CLOEXEC)
    guard file >= 0 else {
      if errno == ENOENT { return nil }
      throw .file(.unreadable(path: path, errno: errno))
    }
    defer { close(file) }
    try requirePlain(file, path)
    return try contents(of: file, path, limit: limit)
  }

  private static func contents(
    of file: Int32, _ path: String, limit: Int, _ interruption: Interruption? = nil
  ) throws(Failure) -> [UInt8] {
    var contents: [UInt8] = []
    while true {
      try interruption?.wait(until: file, .readable)
      guard let block = try block(of: file, path) else { break }
      contents += block
      guard contents.count <= limit else {
        throw .file(.unreadable(path: path, errno: EFBIG))
      }
    }
    return contents
  }

  /// The digest of a file of any size.
  static func digest(
    of path: String, _ algorithm: Digest.Algorithm, _ interruption: Interruption
  ) throws(Failure) -> Digest {
    let isStandardInput = path == "-"
    let file = isStandardInput ? STDIN_FILENO : try open(path)
    defer { if !isStandardInput { close(file) } }
    var hash = try Failure.inCryptography { () throws(CryptoError) in
      try RunningHash(algorithm.hash)
    }
    while true {
      try interruption.wait(until: file, .readable)
      guard let next = try block(of: file, path) else { break }
      try Failure.inCryptography { () throws(CryptoError) in try hash.update(next) }
    }
    let value: [UInt8]
    do throws(CryptoError) { value = try hash.finish() } catch { throw .crypto(error) }
    guard let digest = Digest(algorithm, bytes: value) else {
      throw .crypto(CryptoError("hash length"))
    }
    return digest
  }

  private static func block(of file: Int32, _ path: String) throws(Failure) -> [UInt8]? {
    var block = [UInt8](repeating: 0, count: 64 << 10)
    while true {
      let count = Glibc.read(file, &block, block.count)
      if count < 0, errno == EINTR || errno == EAGAIN { continue }
      guard count >= 0 else { throw .file(.unreadable(path: path, errno: errno)) }
      return count == 0 ? nil : [UInt8](block.prefix(count))
    }
  }
}
