package import Messages
import Primitives

/// A value that is read from inputs: a function, or a part that several functions have.
package protocol Readable: Sendable {
  /// The title of its group in the help, or its key; `nil` for inputs of a function alone.
  static var title: String? { get }
  /// True if each of its options is refused when given twice.
  static var isSingle: Bool { get }

  /// Reads all inputs, in the order of the help, and judges none before the last is read: the same lines declare them.
  init(from inputs: inout Inputs) throws(Failure)
}

extension Readable {
  package static var title: String? { nil }
  package static var isSingle: Bool { false }
}

/// A function of the program: its name, its inputs, its result and its work. The command line, requests, JSON, its schema
/// and the description of the service are views of it.
package protocol Function: Readable, SendableMetatype {
  associatedtype Result: FunctionResult

  /// The words of the command: `pin change`.
  static var name: String { get }
  /// The name of its answer in the schema, and of its path in the service: `pin-change`.
  static var definition: String { get }
  /// Its place in the service; `nil` for the command line alone.
  static var served: Served? { get }
}

extension Function {
  package static var definition: String { name.split(separator: " ").joined(separator: "-") }
  package static var served: Served? { nil }
}

/// A function that works without a card.
package protocol FunctionWithoutCard: Function {
  func run(in context: RunContext) throws(Failure) -> Result
}

/// A function that works with a card.
package protocol CardFunction: Function {
  /// True if some inputs name other data than a card's.
  static var mayNeedNoCard: Bool { get }

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result

  /// Works with other data than a card's; `nil` if a card is needed.
  ///
  /// - Parameter options: those about a card that were given.
  func runWithoutCard(
    besides options: [String], in context: RunContext
  ) throws(Failure) -> Result?
}

extension CardFunction {
  package static var mayNeedNoCard: Bool { false }

  package func runWithoutCard(
    besides options: [String], in context: RunContext
  ) throws(Failure) -> Result? { nil }
}

/// The result of a function: for people as lines, for scripts as members.
package protocol FunctionResult: DescribedObject {
  /// Its other outputs, if it has any.
  var form: ResultForm { get }

  /// The members of which one set is there in a good answer, if that depends on the inputs.
  static var alternatives: [[String]] { get }

  /// The name of the failure beside which all members are there, too; nil without one.
  static var completeFailure: String? { get }

  /// The reason why it is not good, although there is something to show.
  var failure: Failure? { get }

  func lines(_ language: Language) -> [String]
}

extension FunctionResult {
  package static var alternatives: [[String]] { [] }
  package static var completeFailure: String? { nil }
  package var form: ResultForm { ResultForm() }
  package var failure: Failure? { nil }
}

/// The outputs of a result beside its lines and members.
package struct ResultForm: Sendable {
  /// For the terminal, before the lines and unchanged: a picture in its protocol.
  package var picture: [UInt8] = []
  /// For standard output instead of lines: a certificate, a signature.
  package var bytes: [UInt8]?
  /// The name of the command, if another one did the work.
  package var command: String?
  /// True if the lines name the failure already, so that it is not explained once more.
  package var isFailureShown = false

  package init() {}
}

/// The words about a function in the description of the service.
package struct Served: Sendable {
  /// A sentence about the function.
  let summary: String
  /// A sentence about its answer.
  let answer: String
  /// True if it asks other servers, which may refuse.
  let asksNetwork: Bool
  /// The members that a request must have, although they are a choice on a command line.
  let requires: [String]
  /// The names of commands that it may answer with; none for that of the function.
  let commands: [String]

  package init(
    _ summary: String, answer: String, asksNetwork: Bool = false, requires: [String] = [],
    commands: [String] = []
  ) {
    self.summary = summary
    self.answer = answer
    self.asksNetwork = asksNetwork
    self.requires = requires
    self.commands = commands
  }
}
