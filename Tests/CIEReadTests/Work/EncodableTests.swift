import DocumentSigning
import Foundation
import Messages
import Primitives
import TestSupport
import Testing
import VirtualCIE

@testable import CIECard
@testable import CardWork
@testable import RedirectFlow
@testable import Web
@testable import cie_read

/// Results of the libraries encode to the JSON of the program, without its texts for people.
@Suite struct EncodableTests {
  private static let context = RunContext(.english, Interruption(takesSignals: false))

  private static func card() -> Conversation {
    Conversation(source: .substitute(SoftwareCard(persona: .gemalto)))
  }

  private static func value(_ json: String) throws -> NSObject {
    let value = try JSONSerialization.jsonObject(
      with: Data(json.utf8), options: .fragmentsAllowed)
    return try #require(value as? NSObject)
  }

  private static func encoded(_ value: some Encodable) throws -> NSObject {
    let text = String(decoding: try JSONEncoder().encode(value), as: UTF8.self)
    return try Self.value(text)
  }

  /// Without the members that an `Encodable` has not, at any depth.
  private static func stripped(_ value: Any, of names: Set<String>) -> NSObject {
    switch value {
    case let object as [String: Any]:
      object.filter { !names.contains($0.key) }.mapValues { stripped($0, of: names) }
        as NSDictionary
    case let list as [Any]: list.map { stripped($0, of: names) } as NSArray
    default: value as? NSObject ?? NSNull()
    }
  }

  @Test func `a report on a card`() throws {
    for trust in [TrustStore(der: Persona.gemalto.csca), nil] {
      let evidence = try EvidenceJob(scope: .everythingFree, trust: trust)
        .run(on: Self.card(), in: Self.context)
      let printed = JSON.object(
        ReportFacts(report: evidence.report, isTest: true).members(.english))
      let own = Self.stripped(try Self.value(printed.text), of: ["what", "test"])
      #expect(try Self.encoded(evidence.report) == own)
      #expect(evidence.report.points.contains { $0.reason != nil } == (trust == nil))
      #expect(try Self.encoded(evidence.number) as? String == "100200300401")
    }
  }

  @Test(arguments: [nil, [.dg5, .dg11]] as [Set<DataGroup>?])
  func `the contents of a document`(groups: Set<DataGroup>?) throws {
    let job = DocumentJob(
      key: DocumentKey(can: Persona.gemalto.can), groups: groups, requiresValidity: false,
      trust: TrustStore(der: Persona.gemalto.documentCSCA))
    let finding = try job.run(on: Self.card(), in: Self.context)
    let printed = try #require(try Self.value(finding.json(.english).text) as? [String: Any])
    let names: Set = ["document", "holder", "portrait", "files", "absent", "unreadable"]
    let own = printed.filter { names.contains($0.key) } as NSDictionary
    #expect(own.count == names.count)
    #expect(try Self.encoded(finding.data) == own)
    let reading = finding.reading
    let front = DocumentData(
      of: reading.evidence, judgedBy: reading.report, named: groups, at: reading.present.time)
    #expect(try Self.encoded(front) == own)
    #expect(front.absent == (groups == nil ? [] : [.dg5]))
  }

  @Test func `the end of a login, without its secrets`() throws {
    let session = LoggedIn(
      url: try RedirectURL("https://sp.example/profile?code=secret"), status: 200,
      cookies: [
        try #require(LoggedIn.Cookie(netscapeLine: "sp.example\tFALSE\t/\tTRUE\t0\ta\tsecret"))
      ],
      samlStatus: SAMLStatus(uri: SAMLStatus.prefix + "Success", message: ""),
      attributes: [SAMLAttribute(name: "fiscalNumber", friendlyName: nil, values: ["secret"])])
    let login = CompletedLogin.OwnLogin(session: session, cookies: "jar", showsValues: true)
    let printed = try Self.value(CompletedLogin.loggedIn(login).json(.english).text)
    let encoded = try Self.encoded(session)
    #expect(encoded == Self.stripped(printed, of: ["cookies", "attributeValues"]))
    #expect((encoded as? [String: Any])?.count == 4 && !"\(encoded)".contains("secret"))
  }

  @Test func `an error of a card`() throws {
    let reasons: [CardError.Reason] = [
      .wrongCode(.pin, triesLeft: 2), .refused(.fileNotFound), .channel(.cardRemoved),
    ]
    for reason in reasons {
      let diagnosis = Diagnosis(CardError(.verifyPIN, reason))
      let printed = try Self.value(diagnosis.json(.english).text)
      #expect(try Self.encoded(diagnosis) == Self.stripped(printed, of: ["what", "do"]))
    }
  }

  @Test(arguments: ["signed-twice.pdf", "nested.p7m.p7m", "altered.pdf", "letter.txt.p7s"])
  func `a report on a signed file`(name: String) throws {
    let path = Repository.path("Tests/CIEReadTests/SignedFiles/\(name)")
    let file = SignedFile(path, content: nil, DocumentJudge(trust: nil, at: .now))
    let report = try file.result.get()
    let printed = try Self.value(file.json(.english).text)
    let own = Self.stripped(printed, of: ["what", "file", "error", "quality", "listAge"])
    #expect(try Self.encoded(report) == own)
  }

  @Test func `a kind has the exit status of the program`() {
    for kind in Diagnosis.Kind.allCases {
      #expect(kind.exitStatus == Int(ExitStatus(kind).rawValue))
    }
  }
}
