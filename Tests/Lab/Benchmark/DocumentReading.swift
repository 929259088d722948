internal import CIECard
import TraceScenarios
import Traces
internal import VirtualCIE

/// A method of reading the same travel document, in blocks of some length.
struct DocumentReading {
  let name: String
  /// The variant of PACE, for the table.
  let access: String
  /// The most plain bytes of one answer.
  let block: Int
  let chip: Persona
  let options: String

  /// Short answers hold 231 plain bytes with 3DES and 223 with AES, and 223 are asked for; the longest response that chips announce, 07E3
  /// bytes with the status word, holds 1991 and 1983 (Doc 9303-11 §9.8).
  static let all = [
    ("short", "DH 3DES", 223, Persona.gemalto, "pace=gm-3des-2,no-extended-length=read"),
    ("short", "ECDH AES", 223, .gemalto, "pace=gm-aes128-13"),
    ("256", "DH 3DES", 256, .gemalto2, "pace=gm-3des-2,read-limit=256"),
    ("256", "ECDH AES", 256, .gemalto2, "pace=gm-aes128-13,read-limit=256"),
    ("tried", "DH 3DES", 1991, .gemalto, "pace=gm-3des-2"),
    ("extended", "DH 3DES", 1991, .gemalto2, "pace=gm-3des-2"),
    ("extended", "ECDH AES", 1983, .gemalto2, "pace=gm-aes128-13"),
  ].map { DocumentReading(name: $0, access: $1, block: $2, chip: $3, options: $4) }

  /// The holder of the document with the longest portrait.
  private static let holder = Persona.gemalto
  private static let groups: [DataGroup] = [.dg1, .dg11, .dg2]

  /// The least number of answers that hold the files: every file begins with a separate answer.
  var leastReads: Int {
    let lengths =
      [Self.holder.securityObjectLength]
      + Self.groups.compactMap { Self.holder.dataGroupLength($0.number) }
    return lengths.reduce(0) { $0 + ($1 + block - 1) / block }
  }

  func measure() throws -> Measurement {
    let visit = Trace.DocumentVisit(
      code: DocumentScenarios.can(of: Self.holder),
      tasks: [.read(.securityObject)] + Self.groups.map { .read(.group($0)) })
    let card = VirtualCard(
      persona: chip, travelDocumentOf: Self.holder, options: try CardOptions(parsing: options))
    return try Measurement(
      .travelDocument(visit), on: card, extendedLength: DocumentScenarios.extendedReader)
  }

  /// All commands in the secure channel but the selection of the application: READ BINARY, and any others that a reader
  /// of files sends.
  static func reads(in log: CardLog) -> Int {
    log.entries.filter(\.isSecured).count - 1
  }
}
