import CIECard
import Primitives
import TestSupport
import Testing

@testable import DocumentSigning
@testable import cie_lab

/// Invented lists, as `cie-lab trusted-lists` writes them, and updates with them.
struct ListRig {
  var lists: MadeTrustedLists
  let documents: [String: [UInt8]]

  /// Keys are made once for all tests.
  private static let made = Result { () throws -> MadeTrustedLists in
    let folder = try TemporaryDirectory()
    return try MadeTrustedLists(keysIn: folder.url)
  }

  static let time: UTCTime = 1_700_086_400

  init(number: Int = 2) throws {
    lists = try Self.made.get()
    lists.number = number
    documents = try lists.documents()
  }

  /// All requests of an update, answered by the ends of their addresses; nil is no answer.
  func run(
    _ stored: [String: [UInt8]] = [:], countries: Set<String> = ["IT", "BE"],
    at time: UTCTime = ListRig.time, _ changed: [String: [UInt8]?] = [:]
  ) -> (outcome: TrustedListOutcome, asked: [String]) {
    var update = TrustedListUpdate(
      stored: stored, countries: countries, signers: [lists.oldSigner.certificate],
      listOfLists: lists.listOfListsAddress, at: time)
    var asked: [String] = []
    while let request = update.next() {
      asked.append(request.key)
      let name = String(request.url.dropFirst(lists.base.count + 1))
      let answer = changed.keys.contains(name) ? changed[name] ?? nil : documents[name]
      if let answer { update.answer(answer) } else { update.fail(Diagnosis(.network, "full-moon")) }
    }
    return (update.outcome(), asked)
  }

  /// The list of Italy, changed before it is signed.
  func italy(_ change: (inout MadeList) -> Void, _ signature: MadeSignature = MadeSignature())
    throws
    -> [UInt8]
  {
    var list = lists.italy
    change(&list)
    return try signature.signed(list, by: lists.italian)
  }

  /// The reason for which a list of Italy is not taken, when a good one is stored; nil if it is taken.
  func problem(_ document: [UInt8]?) -> TrustedListProblem? {
    let good = run().outcome.documents
    let outcome = run(good, countries: ["IT"], ["it.xml": document]).outcome
    guard let italy = outcome.lists.last, italy.territory == "IT" else { return nil }
    guard case .kept(let problem) = italy.change else {
      #expect(italy.change == .new)
      return nil
    }
    #expect(outcome.documents["IT"] == good["IT"] && outcome.services.count == 3)
    return problem
  }
}

extension TrustedListOutcome {
  var changes: [Change] { lists.map(\.change) }
}

@Suite struct TrustedListUpdateTests {
  private let rig: ListRig

  init() throws { rig = try ListRig() }

  @Test func `a first update takes all, the second none`() throws {
    let (first, asked) = rig.run()
    #expect(asked == ["EU", "EU-1", "BE", "IT"])
    #expect(first.changes == [.new, .new, .new])
    #expect(Set(first.documents.keys) == ["EU", "EU-1", "BE", "IT"])
    #expect(first.lists.map(\.territory) == ["EU", "BE", "IT"])
    let italy = try #require(first.lists.last?.facts)
    #expect(italy.sequenceNumber == 2 && italy.issued == 1_700_000_000)
    #expect(!italy.isOld(at: ListRig.time) && italy.isOld(at: 1_710_000_001))
    #expect(italy.services.map(\.kind) == ["CA/QC", "TSA/QTST", "AdESGeneration"])
    #expect(italy.services.map(\.status) == ["granted", "granted", "recognisedatnationallevel"])
    #expect(italy.services.first?.provider == "Prestatore Inventato")
    let service = try #require(first.services.first { $0.territory == "IT" })
    #expect(service.certificates == [rig.lists.issuer.certificate])
    #expect(service.periods.map(\.status) == [.granted, .underSupervision])
    #expect(service.periods.map(\.uses) == [[.signatures], [.signatures]])

    let (second, again) = rig.run(first.documents)
    #expect(again == ["EU", "BE", "IT"])
    #expect(second.changes == [.unchanged, .unchanged, .unchanged])
    #expect(second.documents == first.documents)
  }

  @Test func `stored documents are verified again`() throws {
    let signers = [rig.lists.oldSigner.certificate]
    var stored = rig.run().outcome.documents
    let read = TrustedListUpdate.read(stored, signers: signers, at: ListRig.time)
    #expect(read.changes == [.unchanged, .unchanged, .unchanged] && read.services.count == 4)
    let good = try #require(stored["IT"])
    stored["IT"] = String(decoding: good, as: UTF8.self)
      .exchanging("Prestatore", for: "prestatore").utf8.map { $0 }
    let changed = TrustedListUpdate.read(stored, signers: signers, at: ListRig.time)
    #expect(changed.changes == [.unchanged, .unchanged, .missing(.signatureFalse)])
    stored["IT"] = good
    stored["EU-1"] = nil
    #expect(
      TrustedListUpdate.read(stored, signers: signers, at: ListRig.time).changes
        == [.missing(.notListed), .missing(.notListed), .missing(.notListed)])
    // Without the signers that are given, those of the Official Journal count.
    #expect(
      TrustedListUpdate.read(rig.run().outcome.documents, at: ListRig.time).changes.first
        == .missing(.otherSigner(rig.lists.newSigner.certificate.subject)))
  }

  @Test func `a list without an answer stays`() {
    let good = rig.run().outcome.documents
    let reason = TrustedListProblem.unreachable(Diagnosis(.network, "full-moon"))
    let (outcome, _) = rig.run(good, ["it.xml": nil, "eu-lotl.xml": nil])
    #expect(outcome.changes == [.kept(reason), .unchanged, .kept(reason)])
    #expect(outcome.documents == good)
    #expect(rig.run([:], ["it.xml": nil]).outcome.changes == [.new, .new, .missing(reason)])
    #expect(
      rig.run([:], ["eu-lotl-pivot-1.xml": nil]).outcome.changes
        == [.missing(reason), .missing(.notListed), .missing(.notListed)])
    #expect(
      rig.run(countries: ["ZZ"]).outcome.changes == [.new, .missing(.notListed)])
  }

  @Test func `newer lists are taken and older ones are not`() throws {
    let newer = try ListRig(number: 3)
    let good = rig.run().outcome.documents
    let after = newer.run(good).outcome
    #expect(after.changes == [.new, .new, .new] && after.documents != good)
    let older = TrustedListProblem.older(number: 2, stored: 3)
    let back = rig.run(after.documents).outcome
    #expect(back.changes == [.kept(older), .kept(older), .kept(older)])
    #expect(back.documents == after.documents)
    // The same number, but issued before.
    let early = try rig.italy { $0.issued = 1_699_999_999 }
    #expect(rig.problem(early) == .older(number: 2, stored: 2))
    // The words name the dates where the numbers do not say it.
    for (number, key) in [(1, "trusted-list-older"), (2, "trusted-list-older-date")] {
      let words = Diagnosis(TrustedListProblem.older(number: number, stored: 2), territory: "IT")
      #expect(words.name == "trusted-list-older" && words.what.key == key)
    }
  }

  @Test func `the clock`() throws {
    let late = try rig.italy { $0.issued = 1_700_200_000 }
    #expect(rig.problem(late) == .future(1_700_200_000))
    #expect(rig.problem(try rig.italy { $0.issued = 1_700_086_500 }) == nil)
    // An old list is not refused; a closed one is old.
    let facts = rig.run(at: 1_720_000_000).outcome.lists.compactMap(\.facts)
    #expect(facts.count == 3 && facts.allSatisfy { $0.isOld(at: 1_720_000_000) })
    let closed = try rig.italy { $0.nextUpdate = nil }
    let outcome = rig.run([:], ["it.xml": closed]).outcome
    #expect(outcome.lists.last?.facts?.nextUpdate == nil)
    #expect(outcome.lists.last?.facts?.isOld(at: ListRig.time) == true)
  }

  @Test func `other lists and signers`() throws {
    #expect(
      rig.problem(rig.documents["be.xml"]) == .otherSigner(rig.lists.belgian.certificate.subject))
    let foreign = try MadeSignature().signed(rig.lists.belgium, by: rig.lists.italian)
    #expect(rig.problem(foreign) == .otherList)
    let stranger = try MadeSignature().signed(rig.lists.italy, by: rig.lists.newSigner)
    #expect(rig.problem(stranger) == .otherSigner(rig.lists.newSigner.certificate.subject))
    #expect(rig.problem(try rig.italy { $0.kind = "EUlistofthelists" }) == .otherList)
    #expect(rig.problem(try rig.italy { $0.kind = "CClist" }) == .otherList)
  }

  @Test func `a chain of pivots`() throws {
    let signature = MadeSignature()
    // The pivot by another signer, or of another type; the list of lists by the one whom the pivot dismissed.
    let stranger = try signature.signed(rig.lists.pivot, by: rig.lists.italian)
    let name = rig.lists.newSigner.certificate.subject
    #expect(
      rig.run([:], ["eu-lotl-pivot-1.xml": stranger]).outcome.changes.first
        == .missing(.otherSigner(name)))
    var other = rig.lists.pivot
    other.kind = "EUgeneric"
    let wrong = try signature.signed(other, by: rig.lists.oldSigner)
    #expect(
      rig.run([:], ["eu-lotl-pivot-1.xml": wrong]).outcome.changes.first == .missing(.otherList))
    let dismissed = try signature.signed(rig.lists.listOfLists, by: rig.lists.oldSigner)
    #expect(
      rig.run([:], ["eu-lotl.xml": dismissed]).outcome.changes.first
        == .missing(.otherSigner(rig.lists.oldSigner.certificate.subject)))
    // Another server is not asked: the pivot must be beside the list.
    var elsewhere = rig.lists.listOfLists
    elsewhere.addresses = ["https://elsewhere.test/eu-lotl-pivot-1.xml"]
    let document = try signature.signed(elsewhere, by: rig.lists.newSigner)
    var update = TrustedListUpdate(
      stored: [:], signers: [rig.lists.oldSigner.certificate],
      listOfLists: "https://lists.test/folder/eu-lotl.xml", at: ListRig.time)
    update.answer(document)
    #expect(update.next()?.url == "https://lists.test/folder/eu-lotl-pivot-1.xml")
  }
}
