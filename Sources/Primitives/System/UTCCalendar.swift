internal import Glibc

/// The Gregorian calendar in UTC, by libc. Times are seconds since 1970-01-01T00:00:00Z, without
/// leap seconds.
package enum UTCCalendar {
  static var now: Int64 { Int64(time(nil)) }

  /// The current time to the millisecond, as `2026-01-31T12:00:00.123Z` (ISO 8601).
  package static var millisecondsNow: String {
    var moment = timespec()
    clock_gettime(CLOCK_REALTIME, &moment)
    let fraction = String(1000 + moment.tv_nsec / 1_000_000).dropFirst()
    return text(Int64(moment.tv_sec), "%Y-%m-%dT%H:%M:%S.\(fraction)Z")
  }

  package static func start(year: Int, month: Int, day: Int) -> Int64 {
    var fields = tm()
    fields.tm_year = CInt(clamping: year - 1900)
    fields.tm_mon = CInt(clamping: month - 1)
    fields.tm_mday = CInt(clamping: day)
    return Int64(timegm(&fields))
  }

  /// True if the day exists: there is no 31st of February.
  package static func isDay(year: Int, month: Int, day: Int) -> Bool {
    date(start(year: year, month: month, day: day)) == (year, month, day)
  }

  /// The time that the 14 digits `YYYYMMDDHHMMSS` name; `nil` if there is none such.
  package static func seconds(of digits: some Sequence<UInt8>) -> Int64? {
    let digits = digits.map { Int($0) - 0x30 }
    guard digits.count == 14, digits.allSatisfy({ (0...9).contains($0) }) else { return nil }
    let pairs = stride(from: 0, to: 14, by: 2).map { digits[$0] * 10 + digits[$0 + 1] }
    let (year, month, day) = (pairs[0] * 100 + pairs[1], pairs[2], pairs[3])
    guard isDay(year: year, month: month, day: day), pairs[4] < 24, pairs[5] < 60, pairs[6] < 60
    else { return nil }
    return start(year: year, month: month, day: day)
      + Int64(pairs[4] * 3600 + pairs[5] * 60 + pairs[6])
  }

  static func date(_ seconds: Int64) -> (year: Int, month: Int, day: Int) {
    let fields = fields(seconds)
    return (Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday))
  }

  /// The day, hour and minute of a time, in the time zone of the machine.
  package static func localMoment(
    _ seconds: Int64
  ) -> (year: Int, month: Int, day: Int, hour: Int, minute: Int) {
    let fields = localFields(seconds)
    return (
      Int(fields.tm_year) + 1900, Int(fields.tm_mon) + 1, Int(fields.tm_mday), Int(fields.tm_hour),
      Int(fields.tm_min)
    )
  }

  /// A time to the minute in the time zone of the machine, with its difference to UTC: `2026-01-31 13:00 +01:00`.
  package static func localText(_ seconds: Int64) -> String {
    let minutes = Int64(localFields(seconds).tm_gmtoff) / 60
    let zone = text(60 * abs(minutes), "%H:%M")
    return text(seconds + 60 * minutes, "%Y-%m-%d %H:%M ") + (minutes < 0 ? "-" : "+") + zone
  }

  /// Formats a time as strftime(3).
  package static func text(_ seconds: Int64, _ format: String) -> String {
    var fields = fields(seconds)
    return String(unsafeUninitializedCapacity: 64) { buffer in
      buffer.withMemoryRebound(to: CChar.self) { text in
        text.baseAddress.map { strftime($0, 64, format, &fields) } ?? 0
      }
    }
  }

  private static func localFields(_ seconds: Int64) -> tm {
    var (seconds, fields) = (time_t(seconds), tm())
    localtime_r(&seconds, &fields)
    return fields
  }

  private static func fields(_ seconds: Int64) -> tm {
    var (seconds, fields) = (time_t(seconds), tm())
    gmtime_r(&seconds, &fields)
    return fields
  }
}
