/// GENERAL AUTHENTICATE (ISO/IEC 7816-4 §11.5.5; Doc 9303-11 §4.4.4.2): a dynamic authentication
/// template 7C each way.
enum GeneralAuthenticate {
  private static let step = CardError.Step.openAccess

  /// One of the first three steps.
  ///
  /// - Parameters:
  ///   - object: the data object in the template; `nil` for an empty template.
  ///   - tag: the tag of the first object in the answer.
  ///   - mayBeAbsent: true to accept an empty template too.
  /// - Returns: the value of the answer's object.
  static func send(
    _ object: [UInt8]?, expecting tag: UInt32, mayBeAbsent: Bool = false,
    through channel: inout PlainChannel<some CardChannel & ~Copyable>
  ) throws(CardError) -> [UInt8] {
    let command = CommandAPDU.generalAuthenticate(object ?? [], moreFollow: true)
    let isExtended = command.data.count > CommandAPDU.maximumShortData
    let response = try sendWhole(command, through: &channel)
    guard response.status == .success else {
      throw CardError(
        step,
        isExtended
          && (response.status.hidesLengthTrouble || response.status == .conditionsNotSatisfied)
          ? .extendedLengthNeeded(response.status) : .refused(response.status))
    }
    let objects = try contents(of: response.data)
    if objects.isEmpty, mayBeAbsent { return [] }
    guard let first = objects.first, first.tag == tag else {
      throw CardError(step, .malformed(.structure))
    }
    return first.bytes
  }

  /// The last step, in which a refusal is a regular answer.
  static func sendLast(
    _ object: [UInt8], through channel: inout PlainChannel<some CardChannel & ~Copyable>
  ) throws(CardError) -> ResponseAPDU {
    try sendWhole(.generalAuthenticate(object), through: &channel)
  }

  /// The objects of an answer that consists of exactly one template.
  static func contents(of data: [UInt8]) throws(CardError) -> [TLV] {
    try CardError.parse(at: step, try TLVCursor(inside: 0x7C, of: data).all())
  }

  private static func sendWhole(
    _ command: CommandAPDU, through channel: inout PlainChannel<some CardChannel & ~Copyable>
  ) throws(CardError) -> ResponseAPDU {
    do throws(CardError.Reason) {
      return try channel.sendWhole(command)
    } catch .channel(.lengthNotCarried) {
      throw CardError(step, .extendedLengthNeeded(nil))
    } catch {
      throw CardError(step, error)
    }
  }
}
