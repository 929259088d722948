internal import Primitives

extension PDFFile {
  /// The part of PDF/A that the document claims in its metadata (ISO 19005-1 §6.7.11); nil without a
  /// claim, and 1, the strictest, if the metadata cannot be read.
  var archivePart: Int? {
    let metadata = root["Metadata"]
    guard !metadata.isNull else { return nil }
    guard let data = metadata.streamData else { return 1 }
    // UTF-16 without its zeros is UTF-8, as far as this name goes.
    let text = data.filter { $0 != 0 }
    guard let place = text.place(of: "pdfaid:part".utf8) else { return nil }
    let digit = text[place...].dropFirst(11).prefix(8).first { (0x30...0x39).contains($0) }
    return digit.map { Int($0) - 0x30 } ?? 1
  }
}
