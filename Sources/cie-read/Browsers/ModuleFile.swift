import CardWork
import Primitives

/// A file that is to be a PKCS #11 module.
struct ModuleFile {
  let path: String

  static let limit = 1 << 28

  /// Checks that it is one, by its bytes, because loading it would run it: a shared library of 64 bits (ELF) with the name
  /// of the function that every module exports (PKCS #11 3.1 §5.4.4, C_GetFunctionList).
  func check() throws(Failure) {
    if let problem = problem(in: try InputFile.read(path, limit: Self.limit)) { throw problem }
  }

  /// The same of the file's bytes.
  ///
  /// - Returns: nil for a module.
  func problem(in bytes: [UInt8]) -> Failure? {
    let head: [UInt8] = [0x7F] + "ELF".utf8 + [2]
    let isLibrary = bytes.starts(with: head) && bytes.dropFirst(16).starts(with: [3, 0])
    guard isLibrary, bytes.place(of: "C_GetFunctionList\0".utf8) != nil else {
      return .found(Diagnosis(.usage, "not-a-module", ["path": path]))
    }
    return nil
  }
}
