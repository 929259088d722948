import Glibc
import Primitives
import Testing
import TestSupport

@Suite struct ChildProcessTests: ~Copyable {
  private let folder: TemporaryDirectory

  init() throws { folder = try TemporaryDirectory() }

  /// Runs a shell script, and returns its standard output.
  private func output(
    of script: String, _ arguments: [String] = [], environment: [String]? = nil,
    streams: [CInt: ChildProcess.Stream] = [:], group: ChildProcess.Group = .own
  ) throws -> String {
    let file = folder.path("output")
    let output = ChildProcess.Stream.file(file, flags: O_WRONLY | O_CREAT | O_TRUNC)
    let process = try ChildProcess(
      "/bin/sh", ["-c", script, "sh"] + arguments, environment: environment,
      streams: streams.merging([STDOUT_FILENO: output]) { $1 }, group: group)
    #expect(process.wait() == 0)
    try #require(chmod(file, 0o600) == 0)
    return String(decoding: try PlainFile.read(file, limit: 1 << 20), as: UTF8.self)
  }

  @Test func argumentsArriveAsTheyAre() throws {
    #expect(try output(of: #"printf '<%s>' "$@""#, ["a b", "", "$c"]) == "<a b><><$c>")
  }

  @Test func theEnvironmentIsTheOneThatIsGiven() throws {
    #expect(try output(of: "echo $ONLY", environment: ["ONLY=this"]) == "this\n")
    // One that is there anyway, because setenv(3) moves the environment under other tests that start programs.
    try #require(getenv("HOME") != nil)
    let count = "/usr/bin/env | /bin/grep -c ^HOME="
    #expect(try output(of: count) == "1\n")
    #expect(try output(of: count + "; true", environment: []) == "0\n")
  }

  @Test func aStreamMayBeAnOpenDescriptor() throws {
    let path = try folder.write("input", "text".utf8)
    let input = open(path, O_RDONLY | O_CLOEXEC)
    defer { close(input) }
    #expect(try output(of: "cat", streams: [STDIN_FILENO: .descriptor(input)]) == "text")
  }

  @Test func otherDescriptorsAreNotForIt() throws {
    let leaked = dup(STDIN_FILENO)
    defer { close(leaked) }
    try #require(fcntl(leaked, F_GETFD) & FD_CLOEXEC == 0)
    // The shell's own descriptors are above 9.
    #expect(
      try output(
        of: "ls /proc/self/fd | head -n 3 | tr '\\n' ' '; test ! -e /proc/self/fd/\(leaked)")
        == "0 1 2 ")
  }

  @Test func noneIsTooHighToBeClosed() throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = min(limit.rlim_max, 4096)
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let leaked = fcntl(STDIN_FILENO, F_DUPFD, 1500)
    try #require(leaked >= 1500)
    defer { close(leaked) }
    let given = fcntl(STDIN_FILENO, F_DUPFD, 1500)
    defer { close(given) }
    #expect(
      try output(
        of: "ls /proc/self/fd | tr '\\n' ' '; test ! -e /proc/self/fd/\(leaked)",
        streams: [7: .descriptor(given)]
      ).hasPrefix("0 1 2 ") == true)
    #expect(
      try output(of: "test -e /proc/self/fd/7 && echo yes", streams: [7: .descriptor(given)])
        == "yes\n")
  }

  @Test func itHasAGroupOfItsOwnOrASession() throws {
    let line = #"set -- $(cat /proc/self/stat); echo "$5 $6 $$""#
    let group = try output(of: line).split { $0 == " " || $0 == "\n" }
    #expect(group[0] == group[2] && group[1] != group[2])
    let session = try output(of: line, group: .session).split { $0 == " " || $0 == "\n" }
    #expect(session[0] == session[2] && session[1] == session[2])
    let inherited = try output(of: line, group: .inherited).split { $0 == " " || $0 == "\n" }
    #expect(inherited[0] == "\(getpgrp())")
  }

  @Test func theStatusTellsHowItEnded() throws {
    let process = try ChildProcess("sh", ["-c", "exit 3"], streams: [:])
    #expect(process.wait() == 3 << 8)
    let sleeping = try ChildProcess("/bin/sleep", ["60"], streams: [:])
    #expect(sleeping.status() == nil)
    kill(sleeping.id, SIGKILL)
    #expect(sleeping.wait() == SIGKILL)
  }

  @Test func aProgramThatIsNotThereIsAnError() {
    #expect(throws: SystemError(ENOENT)) { try ChildProcess("/no/such/program", streams: [:]) }
  }
}
