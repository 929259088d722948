import CIECard
import DocumentSigning
import Foundation
import Primitives
import Testing

/// Signed files as they arrive: in text, inside each other, and of kinds that are not supported.
@Suite struct InputFormTests {
  private func lines(_ bytes: [UInt8], _ end: String) -> String {
    let digits = Base64.encode(bytes)
    return stride(from: 0, to: digits.count, by: 64).map { start in
      String(decoding: digits[start..<min(start + 64, digits.count)], as: UTF8.self)
    }.joined(separator: end)
  }

  @Test func textForms() throws {
    let file = try Signed.cms(isAttached: true)
    let header =
      "MIME-Version: 1.0\r\nContent-Type: application/x-pkcs7-mime; smime-type=signed-data\r\n"
    let forms: [[UInt8]] = [
      [UInt8](lines(file, "").utf8), [UInt8](lines(file, "\r\n").utf8),
      [0xEF, 0xBB, 0xBF] + [UInt8](lines(file, "\n").utf8), [0xEF, 0xBB, 0xBF] + file,
      [UInt8]("-----BEGIN PKCS7-----\n\(lines(file, "\n"))\n-----END PKCS7-----\n".utf8),
      [UInt8]((header + "Content-Transfer-Encoding: base64\r\n\r\n" + lines(file, "\r\n")).utf8),
    ]
    for form in forms { #expect(try Signed.judge(form).outcome == .proved) }
    // The lines as Windows saves them, and as they come out of other programs.
    let text = lines(file, "\r\n")
    let labels = ["PKCS7", "PKCS #7 SIGNED DATA", "CMS", "CERTIFICATE"]
    let certificate = "-----BEGIN CERTIFICATE-----\nMAA=\n-----END CERTIFICATE-----\n"
    for label in labels {
      let block = "-----BEGIN \(label)-----\r\n\(text)\r\n-----END \(label)-----\r\n"
      for (form, outcome) in [
        (block, DocumentReport.Outcome.proved),
        ("\r\nSubject: (x)\r\n\r\n" + block, .provedInPart), (certificate + block, .provedInPart),
        (block + "Pay 5000.\n", .provedInPart),
        ("Pay.\nContent-Type: text/plain\n\n" + block, .provedInPart),
      ] {
        #expect(try Signed.judge([UInt8](form.utf8)).outcome == outcome, "\(form.prefix(80))")
        for isBig in [true, false] {
          for mark in [[], [0xFEFF]] as [[UInt16]] {
            let wide = (mark + form.utf16).flatMap { unit in
              let bytes = [UInt8(unit >> 8), UInt8(unit & 0xFF)]
              return isBig ? bytes : bytes.reversed()
            }
            #expect(try Signed.judge(wide).outcome == outcome)
          }
        }
      }
      #expect(throws: DocumentError.unsupported(.blocks)) {
        try Signed.judge([UInt8]((block + block).utf8))
      }
    }
  }

  /// Messages as mail programs save them, and base64 as some of them send it.
  @Test func messages() throws {
    let file = try Signed.cms(isAttached: true)
    let text = lines(file, "\r\n")
    let quoted = lines(file, "=\r\n").replacingOccurrences(of: "==", with: "=3D=3D")
    let type = "Content-Type: application/octet-stream; name=\"Contratto.pdf.p7m\"\r\n"
    let note = "--b 1\r\nContent-Type: text/plain\r\n\r\nEcco.\r\n"
    func mail(_ parts: String...) -> [UInt8] {
      let header = "From: a@example\r\nContent-Type: multipart/mixed;\r\n boundary=\"b 1\"\r\n\r\n"
      return [UInt8]((header + note + parts.joined() + "--b 1--\r\n").utf8)
    }
    let part =
      "--b 1\r\n\(type)Content-Transfer-Encoding: base64\r\n\r\n\(text)\r\n"
    let bytes = "--b 1\r\n\(type)Content-Transfer-Encoding: quoted-printable\r\n\r\n"
    let octets = file.map { "=" + [$0].hexadecimal }
    let rows = stride(from: 0, to: octets.count, by: 20).map {
      octets[$0..<min($0 + 20, octets.count)].joined()
    }.joined(separator: "=\r\n")
    #expect(try Signed.judge([UInt8](quoted.utf8)).outcome == .proved)
    for form in [mail(part), mail(bytes + rows + "\r\n")] {
      let report = try Signed.judge(form)
      #expect(report.outcome == .provedInPart && report.outside == [.message])
    }
    // Two files, or a file and its time stamp (.m7m): none of them is the whole.
    let stamp = "--b 1\r\nContent-Type: application/timestamp-reply\r\n\r\nMAA=\r\n"
    for form in [mail(part, part), mail(part, stamp), mail(stamp), mail()] {
      #expect(throws: DocumentError.unsupported(.multipart)) { try Signed.judge(form) }
    }
  }

  /// Texts and parts beside the attachment of a message are in the report; an empty part is not.
  @Test(arguments: [
    ("", "", "", true), ("", "--b\n\n", "", true),
    ("", "--b\nContent-Type: text/plain\n\n \n", "\n", true),
    ("See here.\n", "", "", false), ("", "", "Pay 5000.\n", false),
    ("", "--b\n\nPay 5000.\n", "", false), ("", "--b\nPay 5000.\n", "", false),
    ("", "--b\nContent-Type: text/html\n\n<b>Pay</b>\n", "", false),
    ("", "--b\nContent-Type: application/pdf; name=a.p7m\n\nJVBERi0=\n", "", false),
  ])
  func besideTheAttachment(preamble: String, part: String, epilogue: String, isAll: Bool) throws {
    let text = lines(try Signed.cms(isAttached: true), "\n")
    let mail =
      "From: a@example\nContent-Type: multipart/mixed; boundary=b\n\n\(preamble)\(part)--b\n"
      + "Content-Type: application/pkcs7-mime\n\n\(text)\n--b--\n\(epilogue)"
    #expect(try Signed.judge([UInt8](mail.utf8)).outcome == (isAll ? .proved : .provedInPart))
  }

  @Test func textAmongTheFields() throws {
    let text = lines(try Signed.cms(isAttached: true), "\n")
    let mail = "Content-Type: application/pkcs7-mime\n\n\(text)\n"
    #expect(try Signed.judge([UInt8](("Subject: x\n y\n" + mail).utf8)).outcome == .proved)
    let report = try Signed.judge([UInt8](("I owe you 5 euros\n" + mail).utf8))
    #expect(report.outcome == .provedInPart)
  }

  @Test func nested() throws {
    let inner = try Signed.cms(isAttached: true, by: .anna)
    let outer = try Signed.cms(inner, isAttached: true)
    let report = try Signed.judge(outer)
    #expect(report.outcome == .proved && report.inner.first?.signatures.count == 1)
    #expect(try Signed.contents(outer) == Signed.text)
    var forged = inner
    let place = try #require(forged.indices.first { forged[$0...].starts(with: Signed.text) })
    forged[place] ^= 1
    #expect(try Signed.judge(Signed.cms(forged, isAttached: true)).outcome == .false)
  }

  /// Signed files in text form, and signed PDFs, inside of a signature.
  @Test func otherFormsInside() throws {
    let text = Base64.encode(try Signed.cms(isAttached: true))
    let nested = try Signed.cms(text, isAttached: true, by: .anna)
    let report = try Signed.judge(nested)
    #expect(report.outcome == .proved && report.inner.map { $0.form } == [.attached])
    #expect(try Signed.contents(nested) == Signed.text)
    var pdf = try Signed.pdf(SamplePDF().bytes)
    let whole = try Signed.judge(try Signed.cms(pdf, isAttached: true, by: .anna))
    #expect(whole.outcome == .proved && whole.inner.map { $0.form } == [.pdf])
    pdf[20] ^= 1
    #expect(try Signed.judge(try Signed.cms(pdf, isAttached: true)).outcome == .false)
    // A page without a signature, and a text that begins so, are contents like others.
    for other in [SamplePDF().bytes, [UInt8]("MIttente: Anna\n".utf8)] {
      #expect(try Signed.judge(Signed.cms(other, isAttached: true)).inner.isEmpty)
    }
  }

  @Test func unsupportedKinds() throws {
    let type = [UInt8]("application/vnd.etsi.asic-e+zip".utf8)
    var zip = [UInt8]("PK\u{3}\u{4}".utf8) + [UInt8](repeating: 0, count: 26)
    zip[18] = UInt8(type.count)
    zip += [UInt8]("mimetype".utf8) + type + [0x50, 0x4B]
    let stamped: [UInt8] = [
      0x30, 0x0F, 0x06, 0x0B, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x09, 0x10, 0x01, 0x1F,
      0xA0,
      0x00,
    ]
    let kinds: [([UInt8], DocumentError.Container)] = [
      (zip, .zip(mediaType: "application/vnd.etsi.asic-e+zip")), (stamped, .timeStampedData),
      ([0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x00], .timeStamp),
      ([UInt8]("Content-Type: multipart/signed\n\n".utf8), .multipart),
      ([UInt8](" <?xml version='1.0'?>".utf8), .xml),
      ([UInt8]("<!DOCTYPE html>\n<title>Not found</title>".utf8), .page),
      ([UInt8]("\n<HTML lang=it>".utf8), .page),
      ([UInt8]("<?xml version='1.0'?><html xmlns='http://www.w3.org/1999/xhtml'/>".utf8), .page),
    ]
    for (file, kind) in kinds {
      #expect(throws: DocumentError.unsupported(kind)) { try Signed.judge(file) }
    }
  }

  /// An object of indefinite length that goes on behind the end of the one around it.
  @Test func overrun() throws {
    let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07]
    let file: [UInt8] =
      [0x30, 0x80] + type + [
        0x02, 0xA0, 0x80, 0x30, 0x07, 0x02, 0x01, 0x01, 0x31, 0x00, 0x30, 0x80,
      ]
      + type + [0x01, 0x00, 0x00, 0x31, 0x00, 0x00, 0x00, 0x00, 0x00]
    #expect(throws: DocumentError.malformed(.encoding)) { try Signed.judge(file) }
  }

  @Test func otherFilesAreNoSignatures() throws {
    for file in [
      [], [0x30], [0x30, 0x80], [UInt8]("Ciao".utf8), [UInt8](repeating: 0x24, count: 99),
    ] {
      #expect(throws: DocumentError.self) { try Signed.judge(file) }
    }
    #expect(try Signed.judge(SamplePDF().bytes).outcome == .noSignature)
  }
}
