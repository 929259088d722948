extension CommandChannel where Self: ~Copyable {
  /// Sends a command; whatever status word comes back is a value.
  mutating func send(
    _ command: CommandAPDU, at step: Step
  ) throws(CardError) -> ResponseAPDU {
    do { return try send(command) } catch { throw CardError(step, cause: error) }
  }

  /// Sends a command that must succeed.
  ///
  /// - Returns: the response data.
  @discardableResult
  mutating func require(_ command: CommandAPDU, at step: Step) throws(CardError) -> [UInt8] {
    let response = try send(command, at: step)
    guard response.status == .success else { throw CardError(step, .refused(response.status)) }
    return response.data
  }
}
