import Arguments
internal import CIECard
import TraceScenarios
import Traces
internal import VirtualCIE

/// Counts the costs of the main functions on every persona and prints a table.
struct BenchmarkCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "benchmark", "Count APDUs, bytes and modelled card time of each function on each persona.")

  // The defaults are assumptions, not measurements of a CIE: a command costs 8 ms in reader, bus and card, bytes travel
  // at 424 kbit/s with ten bits each (ISO/IEC 14443-3 type B), and the arithmetic of a chip of that age, with 2048 bits of
  // RSA and curves of 256. PACE with generic mapping costs the card five exponentiations or point multiplications (its
  // mapping key, the nonce's, the common one, then its second key and the agreed one), chip authentication one; ciphers,
  // hashes and the writing of files count as part of the command.
  @Option(help: "Milliseconds a command.") var perCommand = 8.0
  @Option(help: "Milliseconds a byte, either way.") var perByte = 10.0 / 424
  @Option(help: "Milliseconds a private RSA operation.") var perPrivateOperation = 180.0
  @Option(help: "Milliseconds a public RSA operation.") var perPublicOperation = 20.0
  @Option(help: "Milliseconds a Diffie–Hellman exponentiation.") var perExponentiation = 250.0
  @Option(help: "Milliseconds a multiplication of a point on a curve.")
  var perMultiplication = 60.0
  @Option(help: "Runs of each journey; the median host CPU time is printed.") var runs = 5

  func validate() throws {
    guard (1...1000).contains(runs) else { throw LabError("--runs takes 1 to 1000") }
  }

  func run() throws {
    print(Self.heading)
    for (name, check, journey) in try Self.journeys() {
      for persona in Persona.all {
        for (length, extendedLength) in Self.lengths(of: persona) {
          let all = try (0..<runs).map { _ in
            try Measurement(
              journey(persona), persona: persona, extendedLength: extendedLength,
              checking: check(persona))
          }
          guard let one = all.first else { continue }
          printRow(name, persona, length, one, all)
        }
      }
    }
    try printSteps()
    try printReads()
    try printDocuments()
  }

  private static let heading = BenchmarkTable.title(
    "journey", "persona", "length", "APDUs", "out", "in", "card ms", "host CPU ms")

  /// Prints the costs of `read` on every persona: with long answers where the card gives them, and without.
  private func printReads() throws {
    print("\nTravel document: PACE with the CAN, all files, and the chip's proof")
    print(Self.heading)
    for persona in Persona.all {
      for (length, options) in [("tried", ""), ("short", "no-extended-length=read")] {
        let all = try (0..<runs).map { _ in
          try Measurement(
            .travelDocument(
              Trace.DocumentVisit(
                code: DocumentScenarios.can(of: persona),
                tasks: DocumentScenarios.tasks(
                  of: persona, reading: [.dg1, .dg11, .dg12, .dg14, .dg15, .dg2]))),
            on: VirtualCard(
              persona: persona,
              options: options.isEmpty ? CardOptions() : try CardOptions(parsing: options)),
            extendedLength: .unknown)
        }
        if let one = all.first { printRow("read", persona, length, one, all) }
      }
    }
  }

  private func printRow(
    _ name: String, _ persona: Persona, _ length: String, _ one: Measurement, _ all: [Measurement]
  ) {
    print(
      BenchmarkTable.row(
        name, persona.identifier, length, "\(one.log.entries.count)",
        "\(one.log.bytesReceived)", "\(one.log.bytesSent)",
        BenchmarkTable.number(time(of: one)), BenchmarkTable.number(Self.median(all))))
  }

  /// Prints the commands of a first signature by step.
  private func printSteps() throws {
    let digest = try Digest(.sha256, hashing: [])
    for persona in [Persona.gemalto, .nxp, .itj4] {
      for (length, extendedLength) in Self.lengths(of: persona) {
        let one = try Measurement(
          .sign(pin: persona.pin, digests: [digest]), persona: persona,
          extendedLength: extendedLength, checking: Self.vouched(persona))
        let steps = one.steps.map { "\($0.step.rawValue) \($0.commands)" }
        print(
          "\nA first signature, \(persona.identifier), \(length): \(one.log.entries.count) APDUs")
        print("  " + steps.joined(separator: ", "))
      }
    }
  }

  /// Prints the costs of reading the travel document's files, and the least possible costs.
  private func printDocuments() throws {
    print("\nTravel document: PACE with the CAN, then EF.SOD, DG1, DG11 and DG2 (20 kB)")
    print(
      BenchmarkTable.title(
        "way", "PACE", "block", "APDUs", "reads", "least", "over %", "out + in", "card ms",
        "host CPU ms"))
    for row in DocumentReading.all {
      let all = try (0..<runs).map { _ in try row.measure() }
      guard let one = all.first else { continue }
      let reads = DocumentReading.reads(in: one.log)
      let surplus = Double(reads - row.leastReads) / Double(row.leastReads) * 100
      print(
        BenchmarkTable.row(
          row.name, row.access, "\(row.block)", "\(one.log.entries.count)", "\(reads)",
          "\(row.leastReads)", BenchmarkTable.number(surplus),
          "\(one.log.bytesReceived + one.log.bytesSent)",
          BenchmarkTable.number(time(of: one)), BenchmarkTable.number(Self.median(all))))
    }
  }

  /// The modelled time of a conversation in milliseconds.
  private func time(of measurement: Measurement) -> Double {
    let counters = measurement.log.counters
    return Double(measurement.log.entries.count) * perCommand
      + Double(measurement.log.bytesReceived + measurement.log.bytesSent) * perByte
      + Double(counters.rsaPrivateOperations) * perPrivateOperation
      + Double(counters.rsaPublicOperations) * perPublicOperation
      + Double(counters.dhExponentiations) * perExponentiation
      + Double(counters.curveMultiplications) * perMultiplication
  }

  private static func median(_ all: [Measurement]) -> Double {
    all.map(\.hostMilliseconds).sorted()[all.count / 2]
  }

  private typealias Journey = (
    name: String, check: (Persona) throws -> GenuineCheck, journey: (Persona) -> Trace.Journey
  )

  private static func journeys() throws -> [Journey] {
    let digest = try Digest(.sha256, hashing: [])
    let skipped: (Persona) throws -> GenuineCheck = { _ in .skipped }
    return [
      ("nis", skipped, { _ in .servicesNumber }),
      ("verify", skipped, { .authenticity(challenge: nil, trustAnchors: [$0.csca]) }),
      ("cert", vouched, { .certificate(pin: $0.pin) }),
      ("sign", vouched, { .sign(pin: $0.pin, digests: [digest]) }),
      ("sign two", vouched, { .sign(pin: $0.pin, digests: [digest, digest]) }),
      ("unchecked", skipped, { .sign(pin: $0.pin, digests: [digest]) }),
    ]
  }

  /// The check that requires the signature of the software card's State.
  private static func vouched(_ persona: Persona) throws -> GenuineCheck {
    .required(try TrustStore([Certificate(der: persona.csca)]), at: Measurement.time)
  }

  /// Every persona on a reader with short APDUs; those that announce extended length also on one that carries it.
  private static func lengths(
    of persona: Persona
  ) -> [(String, ChannelTraits.ExtendedLength)] {
    let short: [(String, ChannelTraits.ExtendedLength)] = [("short", .notCarried)]
    guard VirtualCard(persona: persona).announcesExtendedLength else { return short }
    return short + [("extended", .carried(maximumDataLength: 65_536))]
  }
}

/// A table in columns of fixed width: the first three to the left, numbers to the right.
enum BenchmarkTable {
  private static let widths = [10, 10, 10, 6, 7, 7, 9, 12, 9, 12]

  /// The heading of the table, underlined.
  static func title(_ cells: String...) -> String {
    let head = row(cells)
    return head + "\n" + String(repeating: "-", count: head.count)
  }

  static func row(_ cells: String...) -> String { row(cells) }

  /// One decimal place.
  static func number(_ value: Double) -> String {
    let tenths = Int((value * 10).rounded())
    return "\(tenths / 10).\(abs(tenths % 10))"
  }

  private static func row(_ cells: [String]) -> String {
    zip(cells, widths).enumerated().map { index, pair in
      let padding = String(repeating: " ", count: max(0, pair.1 - pair.0.count))
      return index < 3 ? pair.0 + padding : padding + pair.0
    }.joined(separator: " ")
  }
}
