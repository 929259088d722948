import Testing

extension RealReaderTests {
  /// Other programs at the reader, which hold the card: `held.py`.
  @Test func `a card that another program holds`() throws {
    _ = try PythonScript.run("Tests/CIEReadTests/RealReader/held.py", within: .seconds(600))
  }
}
