/// The members of an error for scripts. `cie-read --json` prints the same ones, with its words for people.
extension Diagnosis: StableObject, Encodable {
  package static let definition: String? = "error"

  package static let facts: [Fact<Diagnosis>] = [
    Fact("name", \.name).of {
      .text(pattern: "^[a-z0-9]+(-[a-z0-9]+)*$").noted("A word for scripts.")
    },
    Fact("exit", \.kind.exitStatus).of { .number(1...143).noted("The exit status.") },
    Fact("step", \.stepName),
    Fact("statusWord", \.statusDigits).of { .text(pattern: "^[0-9A-F]{4}$").orNull },
    Fact("triesLeft", \.triesLeft),
  ]

  private var statusDigits: String? {
    statusNumber.map { [UInt8($0 >> 8), UInt8($0 & 0xFF)].hexadecimal }
  }

  /// Encodes `name`, `exit`, `step`, `statusWord` and `triesLeft`; what is unknown is null.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension Diagnosis.Kind {
  /// The exit status of `cie-read` for such a failure, by which scripts know the kind; it does not change.
  public var exitStatus: Int { Int(consequences.exit) }
}
