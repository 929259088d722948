/// An error for people and scripts: the kind of failure, a stable name, the event, the advice.
///
/// The name is also the row of the table with the event; the advice is in the row of the same name with `.do`. Each module
/// maps its errors to theirs; `Messages` has the texts.
public struct Diagnosis: Sendable, Equatable {
  /// The kind of failure.
  public let kind: Kind
  /// The stable name for scripts.
  public let name: String
  /// The event.
  public let what: Message
  /// The advice.
  public var advice: Message
  /// The name of the step of the card's error; `step` in `CIECard`.
  package var stepName: String?
  /// The status word of the card as a number; `statusWord` in `CIECard`.
  package var statusNumber: UInt16?
  /// The tries left of the wrong code.
  public package(set) var triesLeft: Int?

  /// - Parameters:
  ///   - arguments: the values of the placeholders of both rows.
  ///   - key: the row with the event, if its name is not the error's.
  ///   - advice: the advice, if the table has no separate row for it.
  package init(
    _ kind: Kind, _ name: String, _ arguments: [String: Message.Argument] = [:],
    key: String? = nil, advice: Message? = nil
  ) {
    self.kind = kind
    self.name = name
    what = Message(key ?? name, arguments)
    self.advice = Message(
      "\(what.key).do", arguments, substitutes: advice.map { [$0] } ?? [])
  }

  /// An error of the cryptography library.
  public init(_ error: CryptoError) {
    self.init(.internalFailure, "crypto-failed", ["operation": error.summary])
  }

  /// Given up, by a person or a signal.
  package static var interrupted: Diagnosis { Diagnosis(.interrupted, "interrupted") }
}

/// A text in English. `Messages` makes `Diagnosis` conform, so a program that links the table prints sentences, and one that
/// does not, such as the PKCS #11 module, is spared the table.
package protocol EnglishText {
  /// The event and the advice.
  var english: String { get }
}

extension Diagnosis: CustomStringConvertible {
  /// The event and the advice in English, and in brackets the stable name and the card's step; without `Messages` these alone.
  public var description: String {
    let mark = "[" + [name, stepName].compactMap { $0 }.joined(separator: ", ") + "]"
    return (self as? any EnglishText).map { "\($0.english) \(mark)" } ?? mark
  }
}

extension CryptoError: CustomStringConvertible {
  /// The sentence of its diagnosis.
  public var description: String { Diagnosis(self).description }

  /// Operation and reason in one line; neither ever holds key material.
  fileprivate var summary: String { reason.isEmpty ? operation : "\(operation): \(reason)" }
}

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
