import Testing

extension RealReaderTests {
  /// The program against the IAS card of `Tests/Peers`, which shares no code with `VirtualCIE`: `ias_journeys.py`.
  @Test func `every journey with an independent IAS card`() throws {
    let errors = try PythonScript.run("Tests/Peers/ias_journeys.py", within: .seconds(300))
    #expect(errors.contains("\nRan 21 tests"))
  }
}
