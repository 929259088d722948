import Arguments

protocol LabCommand: ParsableCommand {
  /// Refuses values that make no sense.
  func validate() throws

  func run() throws
}

extension LabCommand {
  /// Its wrapped properties. `Mirror` copies them, and each is an object.
  var slots: [Slot] {
    Mirror(reflecting: self).children.compactMap { label, value in
      guard let slot = value as? Slot else { return nil }
      if slot.name.isEmpty { slot.declaration.name = Self.kebabCase(label ?? "") }
      return slot
    }
  }

  /// `_perByte`, the stored property of a wrapper, is `per-byte`.
  private static func kebabCase(_ property: String) -> String {
    property.reduce(into: "") { name, letter in
      guard letter != "_" else { return }
      if letter.isUppercase, !name.isEmpty { name += "-" }
      name += letter.lowercased()
    }
  }

  func validate() throws {}
}

/// Why a command of the workbench ends early.
enum LabError: Error {
  /// The command has printed its findings.
  case found
  case unfit(String)

  init(_ text: String) { self = .unfit(text) }
}
