/// One kind of outside data, and the rules for the code that reads it.
struct FuzzTarget: Sendable {
  /// The name for `tools/lab fuzz` and in the files of `Corpora`.
  let name: String
  /// Good inputs, made from the repository.
  let seeds: @Sendable () throws -> [[UInt8]]
  /// Reads one input. A thrown error is a refusal, which is always allowed; an input that is read to the end counts as
  /// accepted.
  let play: @Sendable (Probe) throws -> Void

  init(
    _ name: String, seeds: @escaping @Sendable () throws -> [[UInt8]],
    play: @escaping @Sendable (Probe) throws -> Void
  ) {
    self.name = name
    self.seeds = seeds
    self.play = play
  }

  /// Every target; `tools/lab fuzz` shares its time among them.
  static let all: [FuzzTarget] =
    cardBytes + secureMessaging + conversations + securityObjects + documents + addresses + pages
    + messages + tokens + providers + services + files + signedFiles + authorityAnswers
    + trustedLists + service
    + commandLines

  /// A target by its name.
  static func named(_ name: String) -> FuzzTarget? { all.first { $0.name == name } }
}

/// An input, and the rules that it may break.
struct Probe {
  let bytes: [UInt8]
  /// Called with a broken rule.
  let fail: (String) -> Void

  /// The input as text, repaired where it is invalid.
  var text: String { String(decoding: bytes, as: UTF8.self) }

  /// A rule that holds for every input.
  func require(_ holds: Bool, _ rule: @autoclosure () -> String) {
    if !holds { fail(rule()) }
  }

  /// Splits off the first bytes, which choose between variants, from the rest of the input.
  func split(_ count: Int) -> (choices: [UInt8], rest: [UInt8]) {
    let head = bytes.prefix(count)
    return (
      head + [UInt8](repeating: 0, count: count - head.count), [UInt8](bytes.dropFirst(count))
    )
  }
}

/// An input that is not of the form that its target needs.
struct Unfit: Error {}

/// A refusal that counts like an acceptance, because the next layer is a cipher, which another target covers.
struct Deep: Error {}
