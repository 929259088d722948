internal import CIECard

/// Looks for personal data in a trace's header and in its bytes in clear.
///
/// Each find must be known as invented: services numbers (twelve digits), document numbers and fiscal codes by their
/// form. A hexadecimal text is not searched for digits; its bytes are.
package struct PersonalData {
  private let invented: [[UInt8]]

  /// - Parameter invented: the numbers of the software card's personas.
  package init(invented: [String]) { self.invented = invented.map { [UInt8]($0.utf8) } }

  /// The numbers that belong to no persona, sorted.
  package func findings(in trace: Trace) -> [String] {
    let header = trace.header
    var texts = [header.title, header.provenance, header.fault ?? ""].map { [UInt8]($0.utf8) }
    for value in header.expectation.values {
      switch value {
      case .servicesNumber(let text), .documentNumber(let text): texts.append([UInt8](text.utf8))
      case .serialNumber, .certificateHash, .signatureHash, .triesLeft, .report, .access,
        .chipMapping, .fileHash, .chipAuthentication, .activeAuthentication:
        break
      }
    }
    if case .travelDocument(let visit) = header.journey, case .mrz(let number, _, _) = visit.code {
      texts.append([UInt8](number.utf8))
    }
    for entry in trace.entries {
      switch entry {
      case .comment(let text): texts.append([UInt8](text.utf8))
      case .command(let bytes), .answer(let bytes): texts.append(bytes)
      case .event, .powerCycle: break
      }
    }
    // In an attack one character may have been changed.
    let tolerance = header.fault == nil ? 0 : 1
    return Set(texts.flatMap { Self.numbers(in: $0) }).filter { !isInvented($0, tolerance) }
      .map { String(decoding: $0, as: UTF8.self) }.sorted()
  }

  private func isInvented(_ number: [UInt8], _ tolerance: Int) -> Bool {
    invented.contains { known in
      known.count == number.count && zip(known, number).count { $0 != $1 } <= tolerance
    }
  }

  /// The pieces of a text that have the form of a fiscal code (D.M. 23.12.1976), a document number or a services number.
  static func numbers(in text: [UInt8]) -> [[UInt8]] {
    text.split { shape($0) == nil }.flatMap { run -> [[UInt8]] in
      let shapes = run.compactMap(shape)
      if shapes == documentNumber || shapes == servicesNumber { return [[UInt8](run)] }
      guard run.count >= fiscalCode.count else { return [] }
      return (0...(run.count - fiscalCode.count)).lazy
        .filter { shapes[$0...].starts(with: fiscalCode) }
        .map { [UInt8](run.dropFirst($0).prefix(fiscalCode.count)) }
    }
  }

  private static let fiscalCode = [UInt8]("AAAAAA00A00A000A".utf8)
  private static let documentNumber = [UInt8]("AA00000AA".utf8)
  private static let servicesNumber = [UInt8]("000000000000".utf8)

  /// `0` for a digit, `A` for a capital letter.
  private static func shape(_ byte: UInt8) -> UInt8? {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"): UInt8(ascii: "0")
    case UInt8(ascii: "A")...UInt8(ascii: "Z"): UInt8(ascii: "A")
    default: nil
    }
  }
}
