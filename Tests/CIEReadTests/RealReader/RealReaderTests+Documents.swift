import Foundation
import TestSupport
import Testing
import VirtualCIE

/// Twenty documents over a real pcscd, and a card that is pulled before the last.
extension RealReaderTests {
  @Test func `of twenty documents nineteen are whole, one is named, none is half`() throws {
    let directory = try TemporaryDirectory()
    let programs = URL(fileURLWithPath: try BuiltBinary("cie-read").path)
      .deletingLastPathComponent().path
    try directory.makeFolder("in")
    for number in 1...20 { try directory.write("in/\(number + 10).pdf", SignDocumentTests.pdf) }
    try directory.write("pin", [UInt8](Persona.gemalto.pin.utf8))
    // The first INTERNAL AUTHENTICATE proves the chip.
    let script = """
      "$1/cie-lab" virtual-reader --persona gemalto --fault card-removed@88:21 --diary "$2/diary" > "$2/card" &
      until grep -qs inserted "$2/card"; do sleep 0.05; done
      "$1/cie-read" sign --format pades "$2/in" --out-dir "$2/out" --skip-genuine-check --json --pin-file "$2/pin"
      """
    let result = try BuiltBinary(path: Repository.url("tools/with-pcscd").path).run(
      ["bash", "-c", script, "bash", programs, directory.url.path], timeLimit: .seconds(300))
    #expect(result.exitStatus == 9, "\(result.errors)")
    let object = try JSONSerialization.jsonObject(with: Data(result.output.utf8)) as? [String: Any]
    let documents = try #require(object?["documents"] as? [[String: Any]])
    let lost = documents.filter { !($0["error"] is NSNull) }
    #expect(documents.count == 20 && lost.count == 1)
    #expect((lost.first?["in"] as? String)?.hasSuffix("/30.pdf") == true)
    let names = try FileManager.default.contentsOfDirectory(atPath: directory.path("out")).sorted()
    #expect(names == (1...19).map { "\($0 + 10).pdf" })
    for name in names {
      #expect(try SignDocumentTests().signatures(in: directory.path("out/\(name)")) == 1)
    }
    let last = try String(decoding: directory.read("diary"), as: UTF8.self).split(separator: "\n")
      .last
    #expect(last?.contains("verifications=1 signatures=19") == true, "\(last ?? "")")
  }
}
