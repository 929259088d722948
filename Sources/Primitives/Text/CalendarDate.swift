/// A date whose parts may be unknown, which every language writes in its own order.
public protocol CalendarDate: Sendable {
  /// The year with its century.
  var year: Int? { get }
  /// 1 to 12.
  var month: Int? { get }
  /// 1 to 31.
  var day: Int? { get }
}
