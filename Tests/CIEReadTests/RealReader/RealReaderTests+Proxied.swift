import Testing

extension RealReaderTests {
  /// A service of another protocol version, one that hangs, half answers: `proxied.py` with `proxy.py`.
  @Test func `a service behind a proxy`() throws {
    _ = try PythonScript.run("Tests/CIEReadTests/RealReader/proxied.py", within: .seconds(1200))
  }
}
