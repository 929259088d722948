/// Authentication level of SPID and the CIE: `https://www.spid.gov.it/SpidL1` to 3.
package struct AuthenticationLevel: Sendable, Hashable, Comparable {
  private static let prefix = "https://www.spid.gov.it/SpidL"

  /// 1, 2 or 3.
  package let number: Int

  package init?(_ number: Int) {
    guard (1...3).contains(number) else { return nil }
    self.number = number
  }

  /// Parses the value of an `acr`.
  package init?(_ name: String) {
    guard name.utf8.count == Self.prefix.utf8.count + 1, name.hasPrefix(Self.prefix),
      let number = name.last?.wholeNumberValue
    else { return nil }
    self.init(number)
  }

  /// Value of an `acr`.
  package var name: String { Self.prefix + String(number) }

  package static func < (left: AuthenticationLevel, right: AuthenticationLevel) -> Bool {
    left.number < right.number
  }
}
