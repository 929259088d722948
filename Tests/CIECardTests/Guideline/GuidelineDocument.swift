import Testing

@testable import CIECard
@testable import Primitives
@testable import VirtualCIE

/// The travel document of a persona with a security object of an invented State, before and after a case changes it.
struct GuidelineDocument {
  private var persona = Persona.itj4

  var common = GuidelineDocument.common()
  var groups = Persona.itj4.travelDocument.dataGroups
  /// SecurityInfos of EF.CardSecurity; `nil` for none.
  var securityInfos: [[UInt8]]?
  /// Groups that are listed, but not on the card.
  var listedOnly: [UInt8: [UInt8]] = [:]
  var object = StateSecurityObject()
  /// True if the program knows the signer's certificate from elsewhere.
  var knowsSigner = false

  /// The judgement by the program's way: the card is opened with its CAN, its files are read, its chip is asked.
  func evidence() throws -> AuthenticityReport.Evidence.Document {
    var data = persona.travelDocument
    data.cardSecurity = try securityInfos.map(object.cardSecurity) ?? []
    data.common = common
    data.dataGroups = groups
    data.securityObject = try object.encoded(over: groups.merging(listedOnly) { $1 })
    let card = VirtualCard(persona: persona, travelDocument: data, random: SystemRandom())
    var document = try DocumentJourneys.open(card)
    return try document.gatherEvidence(Set(DataGroup.allCases).subtracting([.dg3, .dg4]))
  }

  func report(
    on evidence: AuthenticityReport.Evidence.Document
  ) throws -> AuthenticityReport {
    let csca = try StateCertificate.csca(object.scheme)
    let known = knowsSigner ? [try object.certificate.encoded(object.scheme)] : []
    return AuthenticityReport(
      judging: evidence, trust: try TrustStore(([csca] + known).map { try Certificate(der: $0) }),
      at: TestClock.now, isOfCIE: true)
  }

  /// Takes the document of a persona whose chip proves its key in PACE, by EF.CardSecurity.
  mutating func useMapping() throws {
    persona = .unknown
    groups = persona.travelDocument.dataGroups
    let file = try CardSecurity(file: persona.travelDocument.cardSecurity)
    securityInfos = try TLVCursor(inside: DER.set, of: file.signed.content).all()
      .map { [UInt8]($0.encoded) }
  }

  /// EF.COM (Doc 9303-10 §4.6.1).
  ///
  /// - Parameters:
  ///   - tags: of the data groups; `nil` for no list.
  ///   - tag: of the file.
  ///   - excess: added to the length.
  static func common(
    tags: [UInt8]? = [0x61, 0x75, 0x6B, 0x6C, 0x6E], structure: String? = "0107",
    unicode: String? = "040000", tag: UInt32 = 0x60, excess: Int = 0
  ) -> [UInt8] {
    let parts: [(UInt32, [UInt8]?)] = [
      (0x5F01, structure.map { [UInt8]($0.utf8) }), (0x5F36, unicode.map { [UInt8]($0.utf8) }),
      (0x5C, tags),
    ]
    let value = [UInt8](
      parts.compactMap { tag, value in value.map { TLV.encode(tag, $0) } }.joined())
    return TLV.header(tag, length: value.count + excess) + value
  }

  /// Writes characters into the zone of DG1, and makes the composite check digit fit unless that is the change.
  ///
  /// - Parameter place: line and position, from 1.
  mutating func write(_ text: String, at place: (line: Int, position: Int)) throws {
    var file = try #require(groups[1])
    let start = file.count - 90
    let from = start + (place.line - 1) * 30 + place.position - 1
    file.replaceSubrange(from..<from + text.utf8.count, with: text.utf8)
    let zone = [UInt8](file.dropFirst(start))
    if place != (2, 30) {
      let covered = [5..<30, 30..<37, 38..<45, 48..<59].flatMap { zone[$0] }
      file[start + 59] = MRZCheckDigit.compute(over: covered)
    }
    groups[1] = file
  }

  /// Another digit than the one there.
  mutating func spoilDigit(at place: (line: Int, position: Int)) throws {
    let file = try #require(groups[1])
    let digit = file[file.count - 90 + (place.line - 1) * 30 + place.position - 1]
    try write(digit == 0x35 ? "6" : "5", at: place)
  }

  /// Changes the headers in DG2.
  mutating func changePortrait(_ change: (inout GuidelinePortrait) -> Void) throws {
    var portrait = try GuidelinePortrait(try #require(groups[2]))
    change(&portrait)
    groups[2] = portrait.encoded
  }

  /// Sets the version of chip authentication in DG14.
  mutating func setChipVersion(_ version: UInt8) throws {
    var file = try #require(groups[14])
    let protocolArc: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x03]
    // Behind the arc: agreement, cipher, and the INTEGER's tag and length.
    for index in file.indices where file[index...].starts(with: protocolArc) {
      file[index + protocolArc.count + 4] = version
    }
    groups[14] = file
  }
}

/// DG2 with its headers taken apart.
struct GuidelinePortrait {
  /// The number of templates; `nil` for no such object.
  var count: [UInt8]?
  /// The biometric header, by tag.
  var header: [(tag: UInt32, value: [UInt8])]
  var record: [UInt8]

  init(_ file: [UInt8]) throws {
    let group = try TLVCursor(inside: 0x75, of: file).first(0x7F61).contents
    count = try group.first(0x02).bytes
    let template = try group.first(0x7F60).contents
    header = try template.first(0xA1).contents.all().map { ($0.tag, $0.bytes) }
    record = try template.first(0x5F2E).bytes
  }

  subscript(tag: UInt32) -> [UInt8]? {
    get { header.first { $0.tag == tag }?.value }
    set {
      header = header.compactMap { field in
        field.tag == tag ? newValue.map { (tag, $0) } : field
      }
    }
  }

  var encoded: [UInt8] {
    let fields = TLV.encode(0xA1, header.map { TLV.encode($0.tag, $0.value) })
    let template = TLV.encode(0x7F60, fields + TLV.encode(0x5F2E, record))
    let group = (count.map { TLV.encode(0x02, $0) } ?? []) + template
    return TLV.encode(0x75, TLV.encode(0x7F61, group))
  }
}
