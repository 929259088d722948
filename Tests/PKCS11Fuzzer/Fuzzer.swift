// Built in two ways. As tools/fuzz-pkcs11 does it, libFuzzer brings the main function and hands over inputs; in an ordinary
// build the program plays the inputs in the files that it is given.

internal import Glibc

#if FUZZING
  /// Plays one input of libFuzzer.
  @c(LLVMFuzzerTestOneInput)
  public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    Host.play(Array(UnsafeBufferPointer(start: bytes, count: count)))
    return 0
  }
#else
  @main enum Fuzzer {
    static func main() {
      for path in CommandLine.arguments.dropFirst() {
        guard let file = fopen(path, "rb") else { continue }
        defer { fclose(file) }
        var bytes = [UInt8](repeating: 0, count: 1 << 16)
        let count = fread(&bytes, 1, bytes.count, file)
        Host.play(Array(bytes.prefix(count)))
      }
    }
  }
#endif
