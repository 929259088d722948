import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning
@testable import cie_lab

/// The form of lists, which are signed rightly.
@Suite struct TrustedListFormTests {
  private let rig: ListRig

  init() throws { rig = try ListRig() }

  private func problem(_ of: String, _ to: String) throws -> TrustedListProblem? {
    rig.problem(try rig.italy { $0.change = (of, to) })
  }

  @Test func `versions`() throws {
    for version in ["5", "6"] {
      let document = try rig.italy { ($0.version, $0.number) = (version, 3) }
      #expect(rig.problem(document) == nil)
    }
    for version in ["4", "7", "", "56", "5.0"] {
      #expect(rig.problem(try rig.italy { $0.version = version }) == .version(version))
    }
  }

  @Test func `elements`() throws {
    #expect(try problem("<SchemeTerritory>IT</SchemeTerritory>", "") == .form("SchemeTerritory"))
    #expect(
      try problem("<SchemeTerritory>", "<New>x</New><SchemeTerritory>")
        == .form("SchemeTerritory"))
    #expect(try problem("<TSPServices>", "<TSPServices><New></New>") == .form("TSPService"))
    #expect(try problem("</TSPServices>", "<New></New></TSPServices>") == .form("New"))
    #expect(try problem("<NextUpdate>", "<NextUpdate when=\"x\">") == .form("when"))
    #expect(try problem(" xml:lang=\"en\"", "") == .form("xml:lang"))
    #expect(
      try problem("<ServiceStatus>", "<ServiceStatus xmlns=\"x:y\">") == .form("ServiceStatus"))
    #expect(
      try problem("</TSPService><TSPService>", "</TSPService>x<TSPService>") == .form("TSPServices")
    )
    #expect(
      try problem("<HistoricalInformationPeriod>65535", "<HistoricalInformationPeriod>-1")
        == .form("HistoricalInformationPeriod"))
    #expect(
      try problem("2014-01-01T00:00:00Z", "2014-02-30T00:00:00Z") == .form("StatusStartingTime"))
    #expect(
      try problem("2014-01-01T00:00:00Z", "2014-01-01T00:00:00") == .form("StatusStartingTime"))
    #expect(
      try problem("<TSLSequenceNumber>2", "<TSLSequenceNumber>x") == .form("TSLSequenceNumber"))
    #expect(try problem("<X509Certificate>", "<X509Certificate>?") == .form("X509Certificate"))
    #expect(try problem("https://provider.test/", "a b") == .form("URI"))
    // Extensions have any contents; a time may have fractions and a zone.
    #expect(
      try problem("Critical=\"true\">", "Critical=\"false\"><New xmlns=\"x:y\"></New>") == nil)
    #expect(try problem("2014-01-01T00:00:00Z", "2014-01-01T01:00:00.5+01:00") == nil)
  }

  @Test func `bounds`() throws {
    let italy = try #require(rig.documents["it.xml"])
    let text = String(decoding: italy, as: UTF8.self)
    let big = italy + [UInt8](repeating: 0x20, count: 33 << 20)
    #expect(rig.problem(big) == .tooLarge(limit: 32 << 20))
    func nested(_ depth: Int) -> (inout MadeList) -> Void {
      let inside = String(repeating: "<a>", count: depth) + String(repeating: "</a>", count: depth)
      return { $0.change = ("Critical=\"true\">", "Critical=\"false\">" + inside) }
    }
    #expect(rig.problem(try rig.italy(nested(40))) == nil)
    #expect(rig.problem(try rig.italy(nested(64))) == .notXML)
    for prefix in [
      "<!DOCTYPE TrustServiceStatusList>",
      "<!DOCTYPE a [<!ENTITY e SYSTEM \"file:///etc/hostname\">]>",
    ] {
      #expect(rig.problem(Array((prefix + text).utf8)) == .notXML)
    }
    for broken in [
      "", "x", String(text.dropLast(9)), text + "<a/>", text.exchanging("Prest", for: "&e;"),
    ] {
      #expect(rig.problem(Array(broken.utf8)) == .notXML)
    }
    #expect(rig.problem([0xEF, 0xBB, 0xBF] + italy) == nil)
    #expect(rig.problem(italy + [0xFF]) == .notXML)
  }

  @Test func `too many services`() throws {
    let document = try rig.italy { list in
      list.services = Array(
        repeating: .init(certificate: rig.lists.issuer), count: TrustedList.mostServices + 1)
    }
    #expect(rig.problem(document) == .form("TSPService"))
  }

  @Test func `histories`() throws {
    let outcome = rig.run(
      [:], countries: ["IT"],
      [
        "it.xml": try rig.italy { list in
          var one = MadeList.Period(status: "withdrawn", start: "2020-01-01T00:00:00Z")
          var two = MadeList.Period(status: "granted", start: "2018-01-01T00:00:00Z")
          one.kind = "IdV"
          two.kind = "AdESGeneration"
          let three = MadeList.Period(kind: "IdV", start: "2016-01-01T00:00:00Z")
          list.services = [
            .init(certificate: rig.lists.issuer, periods: [one, two, three]),
            .init(certificate: rig.lists.issuer, periods: [three]),
          ]
        }
      ]
    ).outcome
    // The last state is of another kind: it ends the one before.
    let service = try #require(outcome.services.first)
    #expect(outcome.services.count == 1)
    #expect(service.periods.map(\.status) == [.other, .granted])
    #expect(service.periods.map(\.kind) == [.advancedSignatures, .advancedSignatures])
  }

  @Test func `extensions`() throws {
    let qualifications = """
      <Extension Critical="true"><q:Qualifications xmlns:q="http://uri.etsi.org/TrstSvc/SvcInfoExt/\
      eSigDir-1999-93-EC-TrustedList/#"><q:QualificationElement><q:Qualifiers><q:Qualifier uri="http://x/QCWithQSCD">\
      </q:Qualifier><q:Qualifier uri="http://x/New"></q:Qualifier></q:Qualifiers><q:CriteriaList assert="atLeastOne">\
      <q:KeyUsage><q:KeyUsageBit name="nonRepudiation">true</q:KeyUsageBit></q:KeyUsage><q:PolicySet><q:PolicyIdentifier>\
      <x:Identifier xmlns:x="http://uri.etsi.org/01903/v1.3.2#">urn:oid:1.2.3</x:Identifier></q:PolicyIdentifier>\
      </q:PolicySet><q:Description>text</q:Description></q:CriteriaList></q:QualificationElement></q:Qualifications></Extension>
      """
    func period(_ extensions: String) throws -> TrustedService.Period? {
      let document = try rig.italy { $0.services[0].periods[0].extensions = extensions }
      return rig.run([:], countries: ["IT"], ["it.xml": document]).outcome.services.first?.periods
        .first
    }
    let one = try #require(try period(qualifications + MadeList.use("ForeSeals")))
    #expect(one.uses == [.seals] && !one.hasUnknownExtension)
    #expect(
      one.qualifications == [
        .init(
          qualifiers: [.withQSCD, .other],
          criterion: .any([.keyUsage([1: true]), .policies(["1.2.3"])]))
      ])
    let unknown = "<a xmlns=\"x:y\"></a>"
    #expect(
      try period(MadeList.element("Extension", unknown, "Critical=\"true\""))?.hasUnknownExtension
        == true)
    #expect(
      try period(MadeList.element("Extension", unknown, "Critical=\"false\""))?.hasUnknownExtension
        == false)
    #expect(try period(MadeList.use("New"))?.hasUnknownExtension == true)
    let since = MadeList.element(
      "Extension", MadeList.element("ExpiredCertsRevocationInfo", "2016-06-30T00:00:00Z"),
      "Critical=\"false\"")
    #expect(try period(since)?.keepsExpiredSince == 1_467_244_800)
  }

  /// Each problem has a name for scripts; lists that are false are not ones that could not be read.
  @Test func `problems in words`() {
    let unreadable: [TrustedListProblem] = [
      .tooLarge(limit: 32 << 20), .notXML, .version("7"), .form("New"), .unacceptedSignature("x"),
      .notListed,
    ]
    let wrong: [TrustedListProblem] = [
      .unsigned, .signatureFalse, .otherSigner(nil), .otherList, .older(number: 1, stored: 2),
      .future(0),
    ]
    let diagnoses = (unreadable + wrong).map { Diagnosis($0, territory: "IT") }
    #expect(Set(diagnoses.map(\.name)).count == 12)
    #expect(
      diagnoses.map(\.kind.exitStatus) == Array(repeating: 13, count: 6)
        + Array(repeating: 10, count: 6))
    let reason = Diagnosis(.network, "full-moon")
    #expect(Diagnosis(.unreachable(reason), territory: "IT") == reason)
    #expect(Diagnosis.noSignatureLibrary.kind.exitStatus == 13)
  }
}
