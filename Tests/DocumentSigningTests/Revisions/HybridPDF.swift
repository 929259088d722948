@testable import DocumentSigning

/// A hybrid-reference file (ISO 32000-2 §7.5.8.4), as Word writes it: the table has an entry for a stream with the entries
/// that older readers are not to see.
enum HybridPDF {
  static let bytes: [UInt8] = {
    let plain = SamplePDF(others: ["<</Hidden true>>"]).bytes
    let text = String(decoding: plain, as: Unicode.ASCII.self)
    let start = text.utf8.count - (text.split(separator: "\nxref\n").last?.utf8.count ?? 0) - 5
    var bytes = [UInt8](plain[..<start])
    let places = bytes.indices.filter { bytes[$0...].starts(with: " 0 obj".utf8) }.map { $0 - 1 }
    let hidden = HandUpdate.Row(number: 5, second: places[4])
    let stream = bytes.count
    bytes += HandUpdate.crossReferenceStream(6, [hidden], "/Size 7 /Root 1 0 R")
    let table = bytes.count
    var rows = "xref\n0 7\n0000000000 65535 f\r\n"
    for place in places.prefix(4) { rows += "\(PDFSyntax.padded(place, 10)) 00000 n\r\n" }
    rows += "0000000000 00000 f\r\n\(PDFSyntax.padded(stream, 10)) 00000 n\r\n"
    let trailer = "<</Size 7 /Root 1 0 R /XRefStm \(stream) /ID [<01> <02>]>>"
    return bytes + [UInt8]("\(rows)trailer\n\(trailer)\nstartxref\n\(table)\n%%EOF\n".utf8)
  }()
}
