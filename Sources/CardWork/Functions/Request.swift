package import Primitives

/// A request, as inputs are read from it.
package struct Request: Sendable {
  /// Finds a code by the name of its member; it was taken out of the request, or is asked for once the card is there.
  package typealias CodeSource =
    @Sendable (_ name: String, _ role: CodeRole) throws(Failure) -> HeldCode

  private let members: [String: JSONValue]
  private let codes: CodeSource
  /// The parts that the operator of the service has chosen, which a request cannot.
  private let chosen: [any Sendable]

  /// - Parameter members: no other than the function's.
  package init(
    _ members: [String: JSONValue], chosen: [any Sendable] = [], codes: @escaping CodeSource
  ) {
    self.members = members
    self.chosen = chosen
    self.codes = codes
  }

  subscript(name: String) -> JSONValue? { members[name] }

  func code(_ name: String, _ role: CodeRole) throws(Failure) -> HeldCode {
    try codes(name, role)
  }

  func chosen<Value>(_ type: Value.Type) -> Value? {
    chosen.lazy.compactMap { $0 as? Value }.first
  }

  /// A member of another type than its function takes.
  package static func unfit(_ member: String) -> Failure {
    .found(Diagnosis(.usage, "bad-member", ["names": member]))
  }
}

/// An input that a request may have.
package struct RequestMember: Sendable {
  package let name: String
  package let schema: Schema
  let isRequired: Bool
}

/// The offer of an input to requests: a note for their authors, in place of the help.
package struct Offer: Sendable, ExpressibleByStringLiteral {
  let note: String
  let schema: Schema?
  let isRequired: Bool

  package init(stringLiteral note: String) { self.init(note) }

  /// - Parameter schema: one that says more than that of the type.
  package init(_ note: String, _ schema: Schema? = nil, isRequired: Bool = false) {
    self.note = note
    self.schema = schema
    self.isRequired = isRequired
  }
}
