package import Arguments

extension Readable {
  /// The arguments that it declares, for a command that has them as a property.
  package static var slots: DeclaredSlots {
    DeclaredSlots(Inputs.declared(by: Self.self).slots, title: title)
  }

  /// Reads it from these arguments, after the parser filled them.
  package init(from slots: DeclaredSlots) throws(Failure) {
    var inputs = Inputs(commandLine: slots.members())
    try self.init(from: &inputs)
  }

  package init(from request: Request) throws(Failure) {
    var inputs = Inputs(request)
    try self.init(from: &inputs)
  }
}

/// A part among the options of a command whose other inputs are still properties.
package struct Part<Value: Readable>: ParsableArguments {
  package static var title: String? { Value.title }

  private let slots = Value.slots

  package init() {}

  package func value() throws(Failure) -> Value { try Value(from: slots) }
}

/// The permission to overwrite, of commands that write files.
package struct Overwriting: Readable {
  package static let title: String? = "output"

  package init(from inputs: inout Inputs) throws(Failure) {
    // Read before parsing, too, because the context makes files.
    _ = try inputs.flag("force", help: "option.force")
  }
}

extension Inputs {
  /// The wish that the terminal stays open at the end, for a person who started the program from a desktop.
  package mutating func stay() throws(Failure) { _ = try flag("stay", help: "option.stay") }
}
