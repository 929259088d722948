import CIECard
import Primitives

extension PCSCContext.Reader {
  /// The JSON for scripts.
  ///
  /// - Parameter number: its place in the list.
  func json(number: Int) -> JSON {
    .object([
      .init("number", number), .init("name", name), .init("available", isAvailable),
      .init("card", answerToReset != nil), .init("atr", answerToReset?.hexadecimal),
      .init("family", answerToReset.map { ChipFamily(atr: $0).rawValue }),
    ])
  }
}
