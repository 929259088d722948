import CIECard
import CardWork
import Glibc
import Messages
import Primitives

/// The doctor's findings as one file that may be shared: no number of a card or reader, no name, no code. In English
/// only, because it is for developers.
struct ShareableReport {
  let findings: [DoctorFinding]
  /// The readers' names according to the service.
  let readers: [String]
  let card: SurveyedCard?
  let day: UTCTime

  static let title = "cie-read report 1"

  /// The meaning of the numbers in the survey, whose questions are in Sources/CIECard/Survey/README.md.
  private static let legend = [
    "# D1 to D23: behaviour in which some cards are known to differ; I: the application of the CIE; E: the travel document.",
    "# An answer is a status word and the bytes before it (9000+231), bytes, or a word. 9000 is done, 6xxx a refusal.",
  ]

  var text: String {
    var lines = [
      Self.title, "program: cie-read \(CieRead.version)", "day: \(day.description.prefix(10))",
      "system: \(Self.system)",
    ]
    lines += readers.map { "reader: \(Self.withoutSerialNumber($0))" }
    if let card {
      lines += [
        "keypad: \(card.traits.hasKeypad ? "yes" : "no")",
        "family: \(card.family.rawValue)",
      ]
    }
    lines += ["", "[findings]"]
    lines += findings.map {
      "\($0.name): \($0.grade.rawValue)" + ($0.failure.map { " \($0.name)" } ?? "")
    }
    if let card {
      lines += ["", "[survey]"] + Self.legend
      lines += card.observations.map { "\($0.number) \($0.subject): \($0.answer)" }
      lines += [
        "end: \(card.end.map { Diagnosis(inDoctor: $0).name } ?? "complete")", "", "[conversation]",
      ]
      lines.append(card.diary)
    }
    return lines.joined(separator: "\n") + "\n"
  }

  /// The distribution's name, kernel and architecture; not the name of the machine.
  private static var system: String {
    var names = utsname()
    uname(&names)
    func text<Bytes>(_ field: Bytes) -> String {
      withUnsafeBytes(of: field) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
    let release = (try? InputFile.read("/etc/os-release", limit: 1 << 16)) ?? []
    let name = String(decoding: release, as: UTF8.self).split(separator: "\n")
      .first { $0.hasPrefix("PRETTY_NAME=") }?.dropFirst(12).drop { $0 == "\"" }
    let distribution = name.map { $0.hasSuffix("\"") ? $0.dropLast() : $0 } ?? "unknown"
    return "\(distribution), \(text(names.sysname)) \(text(names.release)) \(text(names.machine))"
  }

  /// Drivers put the serial number of a reader, which may be any text, in parentheses into its name.
  static func withoutSerialNumber(_ name: String) -> String {
    guard let start = name.firstIndex(of: "(") else { return name.printable }
    let end = name.lastIndex(of: ")").map { name.index(after: $0) } ?? name.endIndex
    return (name[..<start] + "(…)" + (end > start ? name[end...] : "")).printable
  }
}
