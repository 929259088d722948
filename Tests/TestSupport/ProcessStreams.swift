import Glibc

/// The input that is still to be written to a child.
final class ProcessInput {
  let pipe: ProcessPipe
  private var rest: ArraySlice<UInt8>

  init(_ bytes: [UInt8]) throws(ProcessFailure) {
    pipe = try ProcessPipe(.toChild)
    rest = bytes[...]
  }

  /// Writes as much as the pipe takes now; closes it at the end, or when the child no longer reads.
  func pump() {
    while !rest.isEmpty {
      let count = rest.withUnsafeBytes { write(pipe.ours, $0.baseAddress, $0.count) }
      if count > 0 {
        rest = rest.dropFirst(count)
      } else if count < 0, errno == EINTR {
        continue
      } else if count < 0, errno == EAGAIN {
        return
      } else {
        break
      }
    }
    pipe.finish()
  }
}

/// A child's output so far.
final class ProcessOutput {
  let pipe: ProcessPipe
  private(set) var bytes: [UInt8] = []

  init() throws(ProcessFailure) { pipe = try ProcessPipe(.fromChild) }

  /// Checks whether the bytes so far contain a text.
  func contains(_ text: String) -> Bool { String(decoding: bytes, as: UTF8.self).contains(text) }

  /// Reads the available bytes; closes the pipe when every writer has closed it.
  func pump() {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while pipe.ours >= 0 {
      let count = read(pipe.ours, &buffer, buffer.count)
      if count > 0 {
        bytes += buffer.prefix(count)
      } else if count < 0, errno == EINTR {
        continue
      } else if count < 0, errno == EAGAIN {
        return
      } else {
        pipe.finish()
      }
    }
  }
}
