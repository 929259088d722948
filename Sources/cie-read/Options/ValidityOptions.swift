import ArgumentParser
import CIECard

/// Whether an expired document is good enough.
struct ValidityOptions: ParsableArguments {
  @Flag(
    help: .text("option.require-valid"))
  var requireValid = false

  /// How the program ends, with what the judgement alone would make of it.
  ///
  /// - Parameter validity: `nil` where no travel document was read.
  func failure(_ validity: Validity?, besides judgement: Failure?) -> Failure? {
    if case .notProved(.false) = judgement { return judgement }
    guard requireValid else { return judgement }
    if validity?.isExpired == true, let until = validity?.until { return .expired(until) }
    return judgement ?? (validity?.isExpired == nil ? .validityUnknown : nil)
  }
}
