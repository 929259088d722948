@testable import CIECard
import TestSupport
import Testing

/// The name in a holder's certificate against the card's numbers.
@Suite struct CertificateHolderTests {
  private func holder(number: String?, name: String?) -> CertificateHolder {
    let fields = [("2.5.4.5", "serialNumber", number), ("2.5.4.3", "CN", name)]
    return CertificateHolder(
      Certificate.DistinguishedName(
        attributes: fields.compactMap { oid, name, value in
          value.map { Certificate.DistinguishedName.Attribute(oid: oid, name: name, value: $0) }
        }))
  }

  @Test func splitsAndStrips() throws {
    let documents = try IASDocuments.load()
    let certificate = try Certificate(der: try #require(documents.files["A3"]).bytes)
    let holder = CertificateHolder(certificate.subject)
    #expect(holder.documentNumber == "CA00000AA" && holder.servicesNumber == "000000000123")
    #expect(holder.fiscalCode == "TSTFNT90A01Z999X")
    // The citizenship: no rule requires Italy.
    #expect(certificate.subject.country == "FR")
  }

  @Test func otherFormsAreTakenAsTheyAre() {
    let bare = holder(number: "CA00000AA", name: "TSTFNT90A01Z999X")
    #expect(bare.documentNumber == "CA00000AA" && bare.fiscalCode == "TSTFNT90A01Z999X")
    #expect(bare.servicesNumber == nil)
    let twice = holder(number: "IDCIT-", name: "A/B/C")
    #expect(twice.documentNumber == "" && twice.servicesNumber == "B/C")
    let none = holder(number: nil, name: nil)
    #expect(none.documentNumber == nil && none.fiscalCode == nil && none.servicesNumber == nil)
  }

  @Test func comparesWhatIsThere() {
    let number = ServicesNumber([UInt8]("000000000123".utf8))
    let document = DocumentNumber([UInt8]("CA00000AA".utf8))
    let good = holder(number: "IDCIT-CA00000AA", name: "X/000000000123")
    #expect(good.agrees(with: number) && good.agrees(with: document))
    #expect(good.agrees(with: nil as ServicesNumber?) && good.agrees(with: nil as DocumentNumber?))
    // The example of the specification has eleven characters.
    #expect(holder(number: "IDCIT-CA00000AA01", name: nil).agrees(with: document))
    let other = holder(number: "IDCIT-CA00000AB", name: "X/000000000124")
    #expect(!other.agrees(with: number) && !other.agrees(with: document))
  }

  @Test func reportTellsADifferenceAndCallsNothingFalse() throws {
    let documents = try IASDocuments.load()
    #expect(try documents.report("first-generation")[.certificateNames] == .proved)
    let other = try documents.report("first-generation") {
      $0.files[.servicesNumber] = [UInt8]("000000000124".utf8)
    }
    #expect(other[.certificateNames] == .couldNotCheck(.namesDiffer))
    let absent = try documents.report("first-generation") { $0.files[.certificate] = nil }
    #expect(absent[.certificateNames] == nil)
    let alone = try documents.report("first-generation") {
      $0.files[.servicesNumber] = nil
      $0.files[.documentNumber] = nil
    }
    #expect(alone[.certificateNames] == .couldNotCheck(.notRead))
  }
}
