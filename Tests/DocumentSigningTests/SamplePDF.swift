/// Small PDFs by hand, with a cross-reference table or stream (ISO 32000-2 §7.5.4, §7.5.8).
struct SamplePDF {
  var catalog = ""
  var page = ""
  /// Objects from number 5 on.
  var others: [String] = []
  var isStream = false
  var trailer = ""
  var ending = "\n"
  /// Further members of the page tree's root, and pages behind the first one.
  var pages = ""
  var kids = ""
  var media = "/MediaBox [0 0 200 200]"
  var content = "0 0 m 10 10 l S"

  var bytes: [UInt8] {
    let objects =
      [
        "<</Type /Catalog /Pages 2 0 R \(catalog)>>",
        "<</Type /Pages /Kids [3 0 R \(kids)] /Count \(kids.isEmpty ? 1 : 2) \(pages)>>",
        "<</Type /Page /Parent 2 0 R \(media) /Contents 4 0 R \(page)>>",
        "<</Length \(content.utf8.count)>>\nstream\n\(content)\nendstream",
      ] + others
    var file = [UInt8]("%PDF-1.7\n%".utf8) + [0xE2, 0xE3, 0xCF, 0xD3, 0x0A]
    var offsets: [Int] = []
    for (index, object) in objects.enumerated() {
      offsets.append(file.count)
      file += [UInt8]("\(index + 1) 0 obj\n\(object)\nendobj\n".utf8)
    }
    let start = file.count
    let members = "/Root 1 0 R /ID [<0102> <0304>] \(trailer)"
    if isStream {
      offsets.append(start)
      let rows = offsets.reduce(into: [UInt8](repeating: 0, count: 4)) { rows, offset in
        rows += [1, UInt8(offset >> 8), UInt8(offset & 0xFF), 0]
      }
      file += [UInt8](
        """
        \(offsets.count) 0 obj
        <</Type /XRef /W [1 2 1] /Size \(offsets.count + 1) /Length \(rows.count) \(members)>>
        stream

        """.utf8)
      file += rows + [UInt8]("\nendstream\nendobj".utf8)
    } else {
      file += [UInt8]("xref\n0 \(offsets.count + 1)\n0000000000 65535 f\r\n".utf8)
      for offset in offsets {
        let digits = String(offset)
        let zeros = String(repeating: "0", count: 10 - digits.count)
        file += [UInt8]("\(zeros)\(digits) 00000 n\r\n".utf8)
      }
      file += [UInt8]("trailer\n<</Size \(offsets.count + 1) \(members)>>".utf8)
    }
    return file + [UInt8]("\nstartxref\n\(start)\n%%EOF\(ending)".utf8)
  }

  /// An empty signature field.
  static func field(_ name: String, _ more: String = "") -> String {
    "<</Type /Annot /Subtype /Widget /FT /Sig /T (\(name)) /Rect [0 0 0 0] /F 4 \(more)>>"
  }
}
