import ArgumentParser
import CIECard

/// Whether an expired document is good enough.
struct ValidityOptions: ParsableArguments {
  @Flag(
    help: .text(
      it: "Un documento scaduto è un errore (esce con 10), anche se autentico.",
      en: "An expired document is an error (exit 10), even if it is genuine."))
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
