/// A type that a word of the command line is converted to.
package protocol ArgumentValue: Sendable {
  /// Fails where the word is no value of the type.
  init?(argument: String)

  /// The values as they are typed, where they are few.
  static var allArguments: [String] { get }

  /// The value as it is typed.
  var argument: String { get }
}

extension ArgumentValue {
  package static var allArguments: [String] { [] }
}

extension ArgumentValue where Self: RawRepresentable<String> {
  package init?(argument: String) { self.init(rawValue: argument) }

  package var argument: String { rawValue }
}

extension ArgumentValue where Self: RawRepresentable<String> & CaseIterable {
  package static var allArguments: [String] { allCases.map(\.rawValue) }
}

extension ArgumentValue where Self: LosslessStringConvertible {
  package init?(argument: String) { self.init(argument) }

  package var argument: String { description }
}

extension String: ArgumentValue {}
extension Int: ArgumentValue {}
extension Int32: ArgumentValue {}
extension UInt16: ArgumentValue {}
extension Double: ArgumentValue {}
