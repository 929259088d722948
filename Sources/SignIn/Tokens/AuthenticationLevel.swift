/// Authentication level of SPID and the CIE: `https://www.spid.gov.it/SpidL1` to 3.
package enum AuthenticationLevel: Int, Sendable, Comparable {
  case one = 1
  case two
  case three

  private static let prefix = "https://www.spid.gov.it/SpidL"

  /// Parses the value of an `acr`.
  package init?(_ name: String) {
    guard name.hasPrefix(Self.prefix), name.utf8.count == Self.prefix.utf8.count + 1,
      let number = name.last?.wholeNumberValue
    else { return nil }
    self.init(rawValue: number)
  }

  /// Value of an `acr`.
  package var name: String { Self.prefix + String(rawValue) }

  package static func < (left: AuthenticationLevel, right: AuthenticationLevel) -> Bool {
    left.rawValue < right.rawValue
  }
}
