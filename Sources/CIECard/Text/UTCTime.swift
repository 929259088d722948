// `tm` comes with either.
internal import COpenSSL
internal import Glibc

/// A moment, to the second: when a certificate begins or ends, when something was signed, what counts as now.
public struct UTCTime: Sendable, Hashable {
  /// Seconds since 1970-01-01T00:00:00Z, without leap seconds.
  public let seconds: Int64

  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  public init(seconds: Int64) { self.seconds = seconds }

  /// What the system's clock shows.
  public static var now: UTCTime { UTCTime(seconds: Int64(time(nil))) }

  /// A moment of the proleptic calendar in UTC; its fields as in `struct tm`.
  init(_ fields: tm) {
    var fields = fields
    self.init(seconds: Int64(timegm(&fields)))
  }

  /// The beginning of a day in UTC.
  init(year: Int, month: Int, day: Int) {
    var fields = tm()
    fields.tm_year = CInt(year) - 1900
    fields.tm_mon = CInt(month) - 1
    fields.tm_mday = CInt(day)
    self.init(fields)
  }

  /// The fields in UTC.
  private var fields: tm {
    var (seconds, fields) = (time_t(seconds), tm())
    gmtime_r(&seconds, &fields)
    return fields
  }

  /// The parts of the date in UTC.
  package var date: (year: Int, month: Int, day: Int) {
    let fields = fields
    return (Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday))
  }

  /// `2026-01-31`.
  package var day: String { formatted("%Y-%m-%d") }

  private func formatted(_ format: String) -> String {
    var fields = fields
    return String(unsafeUninitializedCapacity: 64) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { strftime($0.baseAddress, 64, format, &fields) }
    }
  }
}

extension UTCTime: Comparable {
  /// Whether the left moment comes first.
  public static func < (left: UTCTime, right: UTCTime) -> Bool { left.seconds < right.seconds }
}

extension UTCTime: ExpressibleByIntegerLiteral {
  /// - Parameter value: seconds since 1970-01-01T00:00:00Z.
  public init(integerLiteral value: Int64) { self.init(seconds: value) }
}

extension UTCTime: CustomStringConvertible {
  /// `2026-01-31T12:00:00Z` (ISO 8601).
  public var description: String { formatted("%Y-%m-%dT%H:%M:%SZ") }
}
