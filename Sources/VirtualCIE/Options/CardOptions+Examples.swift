// Deliberately written apart from CIECard.

extension CardOptions {
  /// Every option with values that show what it does, in the order of `optionNames`: what the tests, the traces
  /// and the soak go through.
  public static let examples: [String] =
    [
      "pace=gm-aes128-13", "pace=im-aes192-2", "pace=gm-3des-2+gm-aes256-12", "no-card-access",
      "no-bac", "no-extended-length",
    ] + ExtendedCommand.allCases.map { "no-extended-length=\($0.rawValue)" } + [
      "nonce=8", "read-limit=128:shorter", "read-limit=128:6cxx", "read-limit=128:6700",
      "end-of-file=9000", "end-of-file=6282", "end-of-file=6B00", "no-counters=6982",
      "no-counters=6A88", "certificate-refusal=6300", "certificate-refusal=6A80",
      "token-refusal=6982", "token-refusal=6985", "token-refusal=6A80", "parameter-required",
      "pin-passwords", "shown-tries=3", "failure-delay=1",
    ] + CardDeviation.allCases.map(\.rawValue)
}
