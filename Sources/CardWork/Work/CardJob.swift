/// A function of the program: typed input, work with one card, a typed result.
package protocol CardJob: Sendable {
  /// The result, without words of any language.
  associatedtype Finding: Sendable

  /// Does the work; its progress goes to the surroundings of the run.
  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Finding
}
