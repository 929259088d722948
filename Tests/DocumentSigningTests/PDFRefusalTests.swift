import CIECard
import DocumentSigning
import TestSupport
import Testing

/// Documents that are not signed, each with its reason.
@Suite struct PDFRefusalTests {
  private func certification(_ permission: String) -> [String] {
    [
      "<</Type /Sig /Reference [<</TransformMethod /DocMDP /TransformParams <<\(permission)>>>>]>>",
      "<</FT /Sig /T (Autore) /V 5 0 R>>",
    ]
  }

  private func form(_ field: String, _ others: [String] = []) -> SamplePDF {
    SamplePDF(catalog: "/AcroForm <</Fields [5 0 R]>>", others: [field] + others)
  }

  private func refusal(of document: [UInt8], field: String? = nil) -> DocumentError? {
    var particulars = PDFParticulars()
    particulars.field = field
    do {
      _ = try Signed.pdf(document, particulars)
      return nil
    } catch {
      return error as? DocumentError
    }
  }

  @Test func certifications() throws {
    for (permission, expected) in [
      ("/P 1", DocumentError.refused(.certified)), ("/P (1)", .refused(.certified)), ("/P 2", nil),
      ("/P 3", nil), ("", nil),
    ] {
      let others = certification(permission)
      let inField = SamplePDF(catalog: "/AcroForm <</Fields [6 0 R]>>", others: others)
      let inCatalog = SamplePDF(catalog: "/Perms <</DocMDP 5 0 R>>", others: others)
      #expect(refusal(of: inField.bytes) == expected, "\(permission)")
      #expect(refusal(of: inCatalog.bytes) == expected, "\(permission)")
    }
    #expect(
      refusal(of: SamplePDF(catalog: "/Perms <</UR3 <<>>>>").bytes) == .refused(.usageRights))
  }

  @Test func locks() {
    func document(_ parameters: String) -> [UInt8] {
      SamplePDF(
        catalog: "/AcroForm <</Fields [6 0 R 7 0 R]>>", page: "/Annots [7 0 R]",
        others: [
          """
          <</Type /Sig /Reference [<</TransformMethod /FieldMDP \
          /TransformParams <<\(parameters)>>>>]>>
          """,
          "<</FT /Sig /T (Prima) /V 5 0 R>>", SamplePDF.field("Mia"),
        ]
      ).bytes
    }
    let locked = DocumentError.refused(.locked(field: "Mia"))
    #expect(refusal(of: document("/Action /All")) == locked)
    #expect(refusal(of: document("/Action /Include /Fields [(Mia)]")) == locked)
    #expect(refusal(of: document("/Action /Exclude /Fields [(Altra)]")) == locked)
    #expect(refusal(of: document("/Action /Exclude /Fields [(Mia)]")) == nil)
    #expect(refusal(of: document("/Action /Include /Fields [(Altra)]")) == nil)
    #expect(
      refusal(of: form(SamplePDF.field("Mia", "/Lock <</Action /All>>")).bytes)
        == .refused(.lockDemanded(field: "Mia")))
  }

  @Test func seedValues() {
    func refused(_ seed: String) -> DocumentError? {
      refusal(of: form(SamplePDF.field("Mia", "/SV <<\(seed)>>")).bytes)
    }
    #expect(refused("/Reasons [(a)]") == nil)
    #expect(refused("/Ff 2 /SubFilter [/ETSI.CAdES.detached]") == nil)
    #expect(refused("/Ff 64 /DigestMethod [(SHA256)]") == nil)
    #expect(
      refused("/Ff 2 /SubFilter [/adbe.pkcs7.detached]") == .refused(.seedValue(key: "SubFilter")))
    #expect(
      refused("/Ff 64 /DigestMethod [(SHA512)]") == .refused(.seedValue(key: "DigestMethod")))
    #expect(refused("/Ff 8 /Reasons [(a)]") == .refused(.seedValue(key: "Reasons")))
    #expect(refused("/MDP <</P 1>>") == .refused(.seedValue(key: "MDP")))
    #expect(refused("/MDP <</P 0>>") == nil)
    #expect(refused("/TimeStamp <</Ff 1>>") == .refused(.seedValue(key: "TimeStamp")))
  }

  @Test func forms() {
    #expect(
      refusal(of: SamplePDF(catalog: "/AcroForm <</Fields [] /XFA []>>").bytes) == .refused(.xfa))
    #expect(
      refusal(of: SamplePDF(catalog: "/AcroForm <</Fields 1>>").bytes)
        == .refused(.structure("AcroForm")))
    #expect(
      refusal(of: form(SamplePDF.field("Mia")).bytes, field: "a.b") == .refused(.noSuchField("a.b"))
    )
  }

  /// A table may be shorter than Size; one that is longer hides objects, which an update would bring back.
  @Test func sizes() throws {
    let bytes = SamplePDF().bytes
    for (size, isRefused) in [("/Size 9", false), ("/Size 3", true)] {
      var document = bytes
      let place = try #require(bytes.indices.first { bytes[$0...].starts(with: "/Size 5".utf8) })
      document.replaceSubrange(place..<place + 7, with: size.utf8)
      if isRefused {
        guard case .damaged? = refusal(of: document) else {
          Issue.record("\(size) is signed")
          continue
        }
      } else {
        let signed = try Signed.pdf(document)
        #expect(Signed.isProved(signed))
        try PDFJudges.expectSound(signed)
      }
    }
  }

  @Test func filesThatCannotBeReadWithoutGuessing() throws {
    let sound = SamplePDF().bytes
    #expect(refusal(of: [0x0A] + sound) != nil)
    let cut = [UInt8](sound.dropLast(20))
    for broken in [cut, [UInt8](sound.prefix(300)), [UInt8]("%PDF-1.7\n".utf8)] {
      guard case .damaged? = refusal(of: broken) else {
        Issue.record("a damaged file is signed")
        continue
      }
    }
  }
}
