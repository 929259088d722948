import Glibc
import Primitives
import Testing

@Suite struct PipeTests {
  @Test func whatIsWrittenAtOneEndIsReadAtTheOther() throws {
    let pipe = try Primitives.Pipe()
    defer { pipe.close() }
    try FileDescriptor(pipe.writing).writeAll([1, 2, 3])
    #expect(try FileDescriptor(pipe.reading).read(atMost: 9) == [1, 2, 3])
  }

  @Test func neitherEndSurvivesTheStartOfAProgramOrHasALowNumber() throws {
    let pipe = try Primitives.Pipe()
    defer { pipe.close() }
    for end in [pipe.reading, pipe.writing] {
      #expect(fcntl(end, F_GETFD) == FD_CLOEXEC)
      #expect(end >= 10)
    }
  }

  @Test func closingClosesBothEnds() throws {
    let pipe = try Primitives.Pipe()
    // Another test may reuse the numbers at once, so the other end is checked.
    let kept = dup(pipe.reading)
    defer { close(kept) }
    pipe.close()
    #expect(try FileDescriptor(kept).read(atMost: 1) == [])
  }
}
