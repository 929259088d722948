import CIECard
import Traces

/// Looks for personal data in a trace's header and in its bytes in clear.
///
/// Each find must belong to a persona: services numbers (twelve digits), document numbers and fiscal codes by their
/// form. A hexadecimal text is not searched for digits; its bytes are.
struct PersonalData {
  private let allowed: Set<String>

  init(_ catalogue: TraceCatalogue) {
    allowed = Set(
      catalogue.personas.flatMap { [$0.servicesNumber, $0.documentNumber, $0.fiscalCode] })
  }

  func findings(in file: TraceFolder.Entry) -> [String] {
    let (trace, header) = (file.trace, file.trace.header)
    var texts = [header.title, header.provenance, header.fault ?? ""]
    for value in header.expectation.values {
      switch value {
      case .servicesNumber(let text), .documentNumber(let text): texts.append(text)
      case .serialNumber, .certificateHash, .signatureHash, .triesLeft, .report, .access,
        .chipMapping, .fileHash, .chipAuthentication, .activeAuthentication:
        break
      }
    }
    if case .travelDocument(let visit) = header.journey, case .mrz(let number, _, _) = visit.code {
      texts.append(number)
    }
    for entry in trace.entries {
      switch entry {
      case .comment(let text): texts.append(text)
      case .command(let bytes), .answer(let bytes):
        texts.append(String(decoding: bytes.map { $0 < 0x80 ? $0 : 0x20 }, as: UTF8.self))
      case .event, .powerCycle: break
      }
    }
    return Set(texts.flatMap { Self.numbers(in: $0) })
      .filter { !isAllowed($0, in: file.section) }.sorted().map { "\($0) belongs to no persona" }
  }

  /// In an attack one character may have been changed.
  private func isAllowed(_ number: String, in section: TraceFolder.Section) -> Bool {
    let tolerance = section == .attack ? 1 : 0
    return allowed.contains { known in
      known.count == number.count && zip(known, number).filter { $0 != $1 }.count <= tolerance
    }
  }

  /// The length of the shortest, a document number.
  private static let shortest = 9

  /// The pieces of a text that have the form of a fiscal code (D.M. 23.12.1976), a document number or a
  /// services number.
  static func numbers(in text: String) -> [String] {
    let capitalsAndDigits = text.utf8.split {
      !(UInt8(ascii: "A")...UInt8(ascii: "Z")).contains($0)
        && !(UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0)
    }
    return capitalsAndDigits.filter { $0.count >= shortest }.flatMap { bytes in
      let run = String(decoding: bytes, as: UTF8.self)
      let codes = run.matches(of: /[A-Z]{6}[0-9]{2}[A-Z][0-9]{2}[A-Z][0-9]{3}[A-Z]/)
      let numbers = [run.wholeMatch(of: /[A-Z]{2}[0-9]{5}[A-Z]{2}|[0-9]{12}/)].compactMap { $0 }
      return codes.map { String($0.output) } + numbers.map { String($0.output) }
    }
  }
}
