internal import Glibc

extension PartialDate {
  /// The day in UTC, seconds since 1970-01-01T00:00:00Z; `nil` when a part of the date is unknown.
  var seconds: ClosedRange<Int64>? {
    guard let year, let month, let day else { return nil }
    var broken = tm()
    broken.tm_year = CInt(year) - 1900
    broken.tm_mon = CInt(month) - 1
    broken.tm_mday = CInt(day)
    let start = Int64(timegm(&broken))
    return start...start + 86_399
  }
}
