import Foundation
import TestSupport
import Testing

/// The profile of the browser of a login, in which its cookies are.
@Suite struct BrowserProfileTests {
  /// A browser that keeps a cookie in its profile until its commands end.
  private static let browser = """
    #!/bin/sh
    for word; do case $word in --user-data-dir=*) profile=${word#*=} ;; esac; done
    [ -n "$profile" ] || exec sleep 600
    echo cookie > "$profile/Cookies"
    cat <&3 > /dev/null
    """

  /// Kills the program as soon as the browser runs, and waits until no file is left.
  private static let script = """
    "$@" < /dev/null > /dev/null 2>&1 &
    program=$!
    until ls "$TMPDIR"/cie-read-*/Cookies > /dev/null 2>&1; do sleep 0.1; done
    kill -KILL $program
    while ls -d "$TMPDIR"/cie-read-* > /dev/null 2>&1; do sleep 0.1; done
    """

  @Test func `the profile goes when the program is killed`() throws {
    let folder = try TemporaryDirectory()
    try folder.write("chromium", Self.browser.utf8, permissions: 0o755)
    let result = try BuiltBinary(path: "/bin/bash").run(
      ["-c", Self.script, "bash", BuiltBinary("cie-read").path]
        + ["login", "--sp-url", "https://service.invalid/", "--browser=chromium", "--virtual"],
      environment: [
        "TMPDIR": folder.url.path, "PATH": folder.url.path + ":/usr/bin:/bin", "DISPLAY": ":9",
      ])
    #expect(result.end == .exited(0))
    #expect(try folder.fileNames() == ["chromium"])
  }
}
