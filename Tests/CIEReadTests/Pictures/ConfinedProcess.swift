import Foundation
import Testing

/// The program as a process behind limits and filters, which waits for its input: the kernel shows its restrictions.
enum ConfinedProcess {
  /// Starts it, and looks at its folder in /proc once it is ready.
  ///
  /// - Parameter isReady: asked every hundredth of a second, for five seconds.
  static func run(
    _ program: String, _ arguments: [String], whenReady isReady: (_ folder: String) throws -> Bool,
    _ look: (_ folder: String) throws -> Void
  ) throws {
    let process = Process()
    let input = Foundation.Pipe()
    process.executableURL = URL(fileURLWithPath: program)
    process.arguments = arguments
    process.standardInput = input
    process.standardOutput = FileHandle.nullDevice
    try process.run()
    defer {
      try? input.fileHandleForWriting.close()
      process.waitUntilExit()
    }
    let folder = "/proc/\(process.processIdentifier)/"
    var isThere = false
    for _ in 0..<500 where !isThere {
      usleep(10_000)
      isThere = try isReady(folder)
    }
    #expect(isThere)
    try look(folder)
  }

  static func text(_ file: String) throws -> String {
    try String(contentsOfFile: file, encoding: .utf8)
  }

  /// The filter, no new privileges, and the limits that are the same for all.
  static func expectConfined(_ folder: String, files: Int, seconds: Int) throws {
    let status = try text(folder + "status")
    #expect(status.contains("Seccomp:\t2") && status.contains("NoNewPrivs:\t1"))
    let limits = try text(folder + "limits")
    for (name, limit) in [
      ("Max open files", files), ("Max core file size", 0), ("Max file size", 0),
      ("Max cpu time", seconds), ("Max address space", 1_073_741_824),
    ] {
      let column = name.padding(toLength: 26, withPad: " ", startingAt: 0)
      #expect(limits.contains("\(column)\(limit) "))
    }
  }
}
