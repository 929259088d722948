internal import CIECard
internal import System

extension Array where Element == UInt8 {
  /// The bytes of hexadecimal text in its one canonical spelling: capital letters, nothing between the digits.
  ///
  /// - Returns: `nil` for any other spelling, so that what was read is written again as it was.
  init?(canonicalHexadecimal text: some StringProtocol) {
    self.init(hexadecimal: text)
    guard hexadecimal == text else { return nil }
  }
}
