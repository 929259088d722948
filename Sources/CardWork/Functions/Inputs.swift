package import Arguments
import Primitives

/// The inputs of a function, each declared once: its name, its type, its help, and its note if requests may have it. The same
/// lines declare them and read them, from a command line or from a request.
package struct Inputs {
  private enum Source {
    case declaring
    case commandLine([Slot])
    case request(Request)
  }

  private let source: Source
  /// The arguments of the command line, while they are declared.
  private(set) var slots: [Slot] = []
  /// The members of a request, while they are declared.
  private(set) var members: [RequestMember] = []
  /// The members that parts of the work add to the answer.
  private(set) var notices: [Notice] = []
  /// The arguments read so far that a command line gave, as they are typed.
  package private(set) var given: [String] = []

  private init(_ source: Source) { self.source = source }

  /// The declarations of a function or a part.
  package static func declared(by type: any Readable.Type) -> (
    slots: [Slot], members: [RequestMember], notices: [Notice]
  ) {
    var inputs = Inputs(.declaring)
    // Nothing is given, so nothing can be wrong.
    _ = try? type.init(from: &inputs)
    return (inputs.slots, inputs.members, inputs.notices)
  }

  init(commandLine slots: [Slot]) { self.init(.commandLine(slots)) }

  init(_ request: Request) { self.init(.request(request)) }
}

extension Inputs {
  /// A part that other functions have, too. A request does not choose what the operator of the service has chosen.
  package mutating func part<Part: Readable>(_ type: Part.Type = Part.self) throws(Failure) -> Part
  {
    if let chosen = chosen(type) { return chosen }
    return try group(Part.title, isSingle: Part.isSingle) { (inputs) throws(Failure) in
      try Part(from: &inputs)
    }
  }

  /// Inputs under one title of the help.
  package mutating func group<Value>(
    _ title: String?, isSingle: Bool = false,
    _ read: (inout Inputs) throws(Failure) -> Value
  ) throws(Failure) -> Value {
    guard case .declaring = source else { return try read(&self) }
    var inner = Inputs(.declaring)
    defer {
      slots += (isSingle ? inner.slots.single() : inner.slots).grouped(title)
      members += inner.members
      notices += inner.notices
    }
    return try read(&inner)
  }

  /// A value that the operator of the service has chosen; `nil` for a command line.
  package func chosen<Value>(_ type: Value.Type) -> Value? {
    if case .request(let request) = source { request.chosen(type) } else { nil }
  }

  /// True while it is read from a request.
  package var isRequest: Bool { if case .request = source { true } else { false } }

  /// Notes a member that the work adds to the answer.
  package mutating func adds(_ notice: Notice) {
    if case .declaring = source { notices.append(notice) }
  }

  /// The name of an input, as the author of the command line or of the request writes it.
  func spelling(_ name: String) -> String {
    if case .request = source { Self.member(name) } else { "--" + name }
  }

  /// An option's name as a request has it: `requireProved`.
  private static func member(_ name: String) -> String {
    let words = name.split(separator: "-")
    return words.dropFirst().reduce(String(words.first ?? "")) { name, word in
      name + word.prefix(1).uppercased() + word.dropFirst()
    }
  }

  /// One input, from each of the sources.
  ///
  /// - Parameters:
  ///   - missing: its value without one.
  ///   - slot: its place on the command line; `nil` if it has none.
  ///   - value: the value of the place.
  ///   - convert: makes the value of a request's member; `nil` for one of another type.
  mutating func input<Place: Slot, Value>(
    _ name: String, _ offer: Offer?, _ schema: @autoclosure () -> Schema, missing: Value,
    slot: @autoclosure () -> Place?, value: (Place) -> Value, convert: (JSONValue) -> Value?
  ) throws(Failure) -> Value {
    let member = Self.member(name)
    switch source {
    case .declaring:
      if let slot = slot() { slots.append(slot) }
      if let offer {
        members.append(
          RequestMember(
            name: member, schema: (offer.schema ?? schema()).noted(offer.note),
            isRequired: offer.isRequired))
      }
      return missing
    case .commandLine(let slots):
      guard let place = slots.first(where: { $0.name == name }) as? Place else { return missing }
      if place.isGiven { given.append(place.declaration.spelling) }
      return value(place)
    case .request(let request):
      guard offer != nil, let given = request[member] else { return missing }
      guard let value = convert(given) else { throw Request.unfit(member) }
      return value
    }
  }

  /// A code of the holder or of an account: a descriptor or a file, else standard input or a person.
  ///
  /// - Parameter http: the note for requests, of which a page may send the code if the operator allows it.
  package mutating func code(_ role: CodeRole, http: Offer? = nil) throws(Failure) -> CodeInput {
    let member = Self.member(role.rawValue)
    if case .request(let request) = source { return .given(try request.code(member, role)) }
    if case .declaring = source, let http {
      let digits = Schema.text(pattern: "^[0-9]{\(role.length ?? 0)}$")
      members.append(
        RequestMember(
          name: member,
          schema: (http.schema ?? digits.with("writeOnly", .bool(true))).noted(http.note),
          isRequired: http.isRequired))
    }
    return try group("codes") { (inputs) throws(Failure) in
      let descriptor: Int32? = try inputs.option(
        "\(role.option)-fd", help: "option.\(role.rawValue)-fd", value: "n")
      let file = try inputs.text(
        "\(role.option)-file", help: "option.\(role.rawValue)-file", value: "file",
        completion: .file())
      return .named(role, descriptor: descriptor, file: file)
    }
  }
}

/// The source of a code that a function takes.
package enum CodeInput: Sendable {
  case named(CodeRole, descriptor: Int32?, file: String?)
  /// By a request.
  case given(HeldCode)

  /// True if an option or a request names it.
  package var isGiven: Bool {
    if case .named(_, descriptor: nil, file: nil) = self { false } else { true }
  }

  /// The code, or the question for it once the card is there.
  ///
  /// - Throws: before any card is asked, also when it is malformed.
  package func code(in context: RunContext) throws(Failure) -> AwaitedCode {
    switch self {
    case .named(let role, let descriptor, let file):
      try AwaitedCode(role, descriptor: descriptor, file: file, in: context)
    case .given(let code): try code.code()
    }
  }

  /// The same, on its way to a job.
  package func held(in context: RunContext) throws(Failure) -> HeldCode {
    if case .given(let code) = self { code } else { HeldCode(try code(in: context)) }
  }
}
