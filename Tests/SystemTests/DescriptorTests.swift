import Foundation
import Glibc
@testable import Primitives
import Testing
import TestSupport

@Suite struct FileDescriptorTests {
  /// The two ends of a pipe; closed at the end of the test.
  private final class Pipe {
    let reading: FileDescriptor
    private(set) var writing: FileDescriptor?

    init() throws {
      var ends: [CInt] = [-1, -1]
      try #require(pipe(&ends) == 0)
      for end in ends { _ = fcntl(end, F_SETFD, FD_CLOEXEC) }
      reading = FileDescriptor(ends[0])
      writing = FileDescriptor(ends[1])
    }

    func write(_ bytes: [UInt8]) throws { try writing?.writeAll(bytes) }

    func finish() {
      if let writing { close(writing.rawValue) }
      writing = nil
    }

    deinit {
      finish()
      close(reading.rawValue)
    }
  }

  @Test func readsToTheEndWhatIsWritten() throws {
    let pipe = try Pipe()
    try pipe.write([1, 2, 3])
    #expect(try pipe.reading.read(atMost: 2) == [1, 2])
    pipe.finish()
    #expect(try pipe.reading.readAll(limit: 1) == [3])
    #expect(try pipe.reading.read(atMost: 2) == [])
  }

  @Test func moreThanTheLimitIsAnError() throws {
    let pipe = try Pipe()
    try pipe.write([1, 2, 3])
    pipe.finish()
    #expect(throws: SystemError(EFBIG)) { try pipe.reading.readAll(limit: 2) }
  }

  @Test func aCallThatFailsTellsItsErrorNumber() {
    #expect(throws: SystemError(EBADF)) { try FileDescriptor(-1).read(atMost: 1) }
    #expect(throws: SystemError(EBADF)) { try FileDescriptor(-1).writeAll([0]) }
    #expect(SystemError(ENOENT).message == "No such file or directory")
  }

  @Test func aSignalInBetweenDoesNotEndACall() throws {
    var left = 3
    let result = try uninterrupted { () -> CInt in
      left -= 1
      guard left == 0 else {
        errno = EINTR
        return -1
      }
      return 7
    }
    #expect(result == 7)
  }

  @Test func writesInPiecesWhatDoesNotGoAtOnce() throws {
    var pieces: [[UInt8]] = []
    try FileDescriptor(0).writeAll([1, 2, 3, 4, 5]) { _, bytes, count in
      let count = min(count, 2)
      pieces.append([UInt8](UnsafeRawBufferPointer(start: bytes, count: count)))
      return count
    }
    #expect(pieces == [[1, 2], [3, 4], [5]])
    #expect(throws: SystemError(EIO)) { try FileDescriptor(0).writeAll([1]) { _, _, _ in 0 } }
  }
}

@Suite struct PlainFileTests: ~Copyable {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  @Test func aFileIsReadWholeUpToTheLimit() throws {
    let path = try folder.write("file", [1, 2, 3])
    #expect(try PlainFile.read(path, limit: 3) == [1, 2, 3])
    #expect(throws: PlainFile.Failure.tooLarge) { try PlainFile.read(path, limit: 2) }
  }

  @Test func aNameIsLookedUpInTheOpenFolder() throws {
    _ = try folder.write("file", [7])
    let opened = open(folder.url.path, O_RDONLY | O_CLOEXEC)
    defer { close(opened) }
    #expect(try PlainFile.read("file", in: FileDescriptor(opened), limit: 1) == [7])
  }

  @Test func whatIsNoPlainFileIsRefusedAndNotWaitedFor() throws {
    let pipe = folder.path("pipe")
    try #require(mkfifo(pipe, 0o600) == 0)
    #expect(throws: PlainFile.Failure.notPlain(isFolder: false)) {
      try PlainFile.read(pipe, limit: 1)
    }
    #expect(throws: PlainFile.Failure.notPlain(isFolder: true)) {
      try PlainFile.read(folder.url.path, limit: 1)
    }
    #expect(throws: PlainFile.Failure.unreadable(SystemError(ENOENT))) {
      try PlainFile.read(folder.path("none"), limit: 1)
    }
  }
}
