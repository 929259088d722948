/// A time, to the second: the validity of a certificate, a time of signing, or the present time.
public struct UTCTime: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let seconds: Int64

  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  public init(seconds: Int64) { self.seconds = seconds }

  /// The current time.
  public static var now: UTCTime { UTCTime(seconds: UTCCalendar.now) }

  package var date: (year: Int, month: Int, day: Int) {
    UTCCalendar.date(seconds)
  }
}

/// A time that is shown with its hour, in the time zone of the machine.
package struct LocalMoment: Sendable, CustomStringConvertible {
  package let time: UTCTime

  package init(_ time: UTCTime) { self.time = time }

  package var description: String { time.description }
}

extension UTCTime: Comparable {
  /// True if the left time is earlier.
  public static func < (left: UTCTime, right: UTCTime) -> Bool { left.seconds < right.seconds }
}

extension UTCTime: ExpressibleByIntegerLiteral {
  /// - Parameter value: seconds since 1970-01-01T00:00:00Z.
  public init(integerLiteral value: Int64) { self.init(seconds: value) }
}

extension UTCTime: CustomStringConvertible {
  /// `2026-01-31T12:00:00Z` (ISO 8601).
  public var description: String { UTCCalendar.text(seconds, "%Y-%m-%dT%H:%M:%SZ") }
}

/// A date whose parts may be unknown, which every language writes in its own order.
public protocol CalendarDate: Sendable {
  /// The year with its century.
  var year: Int? { get }
  /// 1 to 12.
  var month: Int? { get }
  /// 1 to 31.
  var day: Int? { get }
}
