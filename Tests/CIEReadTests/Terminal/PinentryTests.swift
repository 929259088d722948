import Foundation
import Glibc
import TestSupport
import Testing

/// `--pinentry`: the code is asked for in a window. The program that shows it is ours, with a given answer.
@Suite struct PinentryTests {
  private func verify(_ answer: String) throws -> (result: ProcessResult, requests: String) {
    try run(["pin", "verify", "--virtual"], answer)
  }

  /// Runs a command with a `pinentry` that does this at GETPIN.
  ///
  /// - Returns: its result, and the requests to the window.
  private func run(
    _ command: [String], _ answer: String
  ) throws -> (result: ProcessResult, requests: String) {
    let folder = try TemporaryDirectory()
    let log = folder.path("requests")
    try folder.write(
      "pinentry",
      Array(
        """
        #!/bin/sh
        echo "OK Pleased to meet you"
        log=\(log)
        while read -r line; do
          echo "$line" >> "$log"
          case $line in GETPIN) \(answer) ;; *) echo OK ;; esac
        done
        """.utf8), permissions: 0o700)
    let result = try Program.run(
      command + ["--pinentry", "--json"],
      environment: ["PATH": folder.url.path + ":/usr/bin:/bin"])
    let requests = String(decoding: try folder.read("requests"), as: UTF8.self)
    return (result, requests)
  }

  @Test func `the window asks whether to sign, and names the files alone`() throws {
    let folder = try TemporaryDirectory()
    for name in ["one.txt", "two.txt"] { try folder.write(name, Array(name.utf8)) }
    let (result, requests) = try run(
      ["sign", folder.path("one.txt"), folder.path("two.txt"), "--format", "cades", "--virtual"],
      #"echo "D 27182818"; echo OK"#)
    #expect(result.exitStatus == 0, "\(result.output)")
    #expect(
      requests.contains("SETDESC Sign these 2 documents?%0Aone.txt%0Atwo.txt%0A%0APIN (8 digits"))
  }

  @Test func `the PIN comes from the window, which names its card`() throws {
    let (result, requests) = try verify(#"echo "S QUALITY"; echo "D 27182818"; echo OK"#)
    #expect(result.exitStatus == 0, "\(result.output)")
    #expect(
      requests.contains(
        "SETDESC Check the PIN? A wrong one costs a try.%0A%0APIN (8 digits, 3 tries left)%0A%0AReader: virtual gemalto\n"
      ))
    #expect(requests.contains("SETOK Continue\nSETCANCEL Cancel\n"))
    #expect(requests.contains("SETPROMPT PIN:\n"))
    #expect(!result.output.contains("27182818") && !requests.contains("27182818"))
  }

  @Test(
    arguments: zip(
      [["cert"], ["pin", "change"], ["pin", "unblock"]],
      [
        "Read your certificate? Nothing is signed.", "Change the PIN?",
        "Unblock the PIN with the PUK?",
      ]))
  func `the window says for which purpose it asks`(_ command: [String], _ purpose: String) throws {
    let (_, requests) = try run(command + ["--virtual"], "echo ERR 83886179 cancelled")
    #expect(requests.contains("SETDESC \(purpose)%0A%0A"), "\(requests)")
  }

  /// A program that stays after its conversation has ended.
  @Test func `the window is closed when the PIN has been typed`() throws {
    let (result, requests) = try verify(
      #"echo "pid $$" >> "$log"; echo "D 27182818"; echo OK; exec sleep 60"#)
    #expect(result.exitStatus == 0, "\(result.output)")
    let line = try #require(requests.split(separator: "\n").first { $0.hasPrefix("pid ") })
    let process = try #require(pid_t(line.dropFirst(4)))
    #expect(kill(process, 0) != 0)
  }

  @Test func `the window says what was wrong with an entry, and asks again`() throws {
    let (result, requests) = try verify(
      #"if [ -e "$log.1" ]; then echo "D 27182818"; else : > "$log.1"; echo "D 1234"; fi; echo OK"#)
    #expect(result.exitStatus == 0, "\(result.output)")
    #expect(requests.contains("SETERROR The PIN must have 8 digits. Enter 8 digits;"))
    #expect(requests.split(separator: "\n").filter { $0 == "GETPIN" }.count == 2)
  }

  @Test func `a wrong PIN is sent to the card once`() throws {
    let (result, requests) = try verify(#"echo "D 11223344"; echo OK"#)
    #expect(result.exitStatus == 7)
    #expect(result.output.contains(#""triesLeft":2"#))
    #expect(requests.split(separator: "\n").filter { $0 == "GETPIN" }.count == 1)
  }

  @Test func `a closed window ends it before the card is asked`() throws {
    let (result, _) = try verify(#"echo "ERR 83886179 Operation cancelled <Pinentry>""#)
    #expect(result.exitStatus == 130)
    #expect(result.output.contains(#""name":"entry-declined""#))
  }

  /// pinentry-gnome3 without a session bus asks at a terminal, of which there is none.
  @Test func `a window that cannot open was not closed by the person`() throws {
    let (result, _) = try verify(#"echo "ERR 83918950 Inappropriate ioctl for device <Pinentry>""#)
    #expect(result.exitStatus == 64)
    #expect(result.output.contains(#""name":"no-pinentry""#))
  }

  @Test func `a window that ends by itself is reported as such`() throws {
    let (result, _) = try verify("exit 1")
    #expect(result.exitStatus == 64)
    #expect(result.output.contains(#""name":"no-pinentry""#))
  }

  @Test func `a program in the working folder is not started`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("pinentry", Array("#!/bin/sh\n> started\n".utf8), permissions: 0o700)
    let program = URL(fileURLWithPath: try BuiltBinary("cie-read").path).path
    let script = #"cd "$1" && exec "$2" pin verify --virtual --pinentry --json"#
    let result = try BuiltBinary(path: "/bin/sh").run(
      ["-c", script, "sh", folder.url.path, program], environment: ["PATH": ".:bin"])
    #expect(result.exitStatus == 64 && result.output.contains(#""name":"no-pinentry""#))
    #expect(try folder.fileNames() == ["pinentry"])
  }

  @Test(arguments: ["D 1234567", "D 1234567x", "D "])
  func `an invalid PIN is not sent to the card`(_ line: String) throws {
    let (result, _) = try verify("echo \"\(line)\"; echo OK")
    #expect(result.exitStatus == 64)
  }
}
