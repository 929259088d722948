package import Arguments

extension Readable {
  /// The arguments that it declares, in the group of its title.
  package static var slots: [Slot] { Inputs.declared(by: Self.self).slots.grouped(title) }

  /// Reads it from these arguments, after the parser filled them.
  package init(from slots: [Slot]) throws(Failure) {
    var inputs = Inputs(commandLine: slots)
    try self.init(from: &inputs)
  }

  package init(from request: Request) throws(Failure) {
    var inputs = Inputs(request)
    try self.init(from: &inputs)
  }
}

/// The permission to overwrite, of commands that write files.
package struct Overwriting: Readable {
  package static let title: String? = "output"

  package init(from inputs: inout Inputs) throws(Failure) {
    // For the context, which makes files.
    _ = try inputs.flag("force", help: "option.force")
  }
}

extension Inputs {
  /// The wish that the terminal stays open at the end, for a person who started the program from a desktop.
  package mutating func stay() throws(Failure) { _ = try flag("stay", help: "option.stay") }
}
