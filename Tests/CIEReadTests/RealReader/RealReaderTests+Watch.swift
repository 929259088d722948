import Testing

extension RealReaderTests {
  /// The promises of `watch` to a service manager, to its program and to readers of its events: `watch.py`.
  @Test func `watch as a service`() throws {
    let errors = try PythonScript.run(
      "Tests/CIEReadTests/RealReader/watch.py", within: .seconds(300))
    #expect(errors.contains("\nRan 10 tests"))
  }
}
