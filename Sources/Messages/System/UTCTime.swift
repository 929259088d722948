package import CIECard
import Glibc

/// Moments as ISO 8601 text in UTC.
package enum UTCTime {
  /// - Parameter seconds: since 1970-01-01T00:00:00Z.
  package static func text(_ seconds: Int64) -> String {
    let time = civil(seconds)
    let day = [digits(time.tm_year + 1900, 4), digits(time.tm_mon + 1, 2), digits(time.tm_mday, 2)]
    let hour = [time.tm_hour, time.tm_min, time.tm_sec].map { digits($0, 2) }
    return day.joined(separator: "-") + "T" + hour.joined(separator: ":") + "Z"
  }

  /// The day in UTC.
  ///
  /// - Returns: `nil` outside the years 1 to 9999.
  package static func date(_ seconds: Int64) -> PartialDate? {
    let time = civil(seconds)
    return PartialDate(
      year: Int(time.tm_year) + 1900, month: Int(time.tm_mon) + 1, day: Int(time.tm_mday))
  }

  private static func civil(_ seconds: Int64) -> tm {
    var (seconds, time) = (time_t(seconds), tm())
    gmtime_r(&seconds, &time)
    return time
  }

  private static func digits(_ number: Int32, _ width: Int) -> String {
    let text = String(number)
    return String(repeating: "0", count: max(0, width - text.count)) + text
  }
}

/// What the system says of an error number.
package func systemMessage(_ code: Int32) -> String { String(cString: strerror(code)) }
