extension CardOptions {
  /// The reason why a text is not a list of options.
  public enum ParsingError: Error, Sendable, Equatable {
    case unknownOption(String)
    /// The value after `=` is missing or does not fit the option.
    case badValue(String)
    /// The card does not have the key that the option needs.
    case noKey(String)
  }

  /// The names of all options, with their values, in the text form.
  public static let optionNames =
    [
      "pace=PROFILE[+PROFILE…]", "no-card-access", "no-bac",
      "no-extended-length[=COMMAND[+COMMAND…]]", "nonce=LENGTH",
      "read-limit=COUNT[:shorter|6cxx|6700]", "end-of-file=WORD", "no-counters=WORD",
      "certificate-refusal=WORD", "token-refusal=WORD", "parameter-required", "pin-passwords",
      "shown-tries=COUNT", "failure-delay=MILLISECONDS", "announced-length=FORM",
      "active-authentication=SIGNATURE", "no-chip-key=NUMBER",
    ] + CardDeviation.allCases.map(\.rawValue)

  /// Parses options: `NAME[=VALUE]`, separated by commas.
  ///
  /// A profile of PACE is `MAPPING-CIPHER-NUMBER`: `gm`, `im` or `cam`; `3des`, `aes128`, `aes192` or `aes256`; the
  /// number of the domain parameters. Examples: `pace=gm-aes128-13+gm-3des-2`, `no-bac,read-limit=128:6cxx`.
  /// A COMMAND is a raw value of `ExtendedCommand`, a WORD four hexadecimal digits.
  public init(parsing text: String) throws(ParsingError) {
    try self.init(parsing: [text])
  }

  /// Parses several texts; later ones take precedence.
  public init(parsing texts: [String]) throws(ParsingError) {
    self.init()
    for part in texts.flatMap({ $0.split(separator: ",", omittingEmptySubsequences: false) }) {
      let words = part.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      try set(String(words.first ?? ""), words.count > 1 ? String(words[1]) : nil)
    }
  }

  private mutating func set(_ name: String, _ value: String?) throws(ParsingError) {
    func number(_ range: ClosedRange<Int>) throws(ParsingError) -> Int {
      guard let number = value.flatMap({ Int($0) }), range.contains(number) else {
        throw .badValue(name)
      }
      return number
    }
    func plain() throws(ParsingError) -> Bool {
      guard value == nil else { throw .badValue(name) }
      return true
    }
    func word(_ allowed: Set<UInt16> = []) throws(ParsingError) -> UInt16 {
      guard let value, value.count == 4, let word = UInt16(value, radix: 16),
        allowed.contains(word) || allowed.isEmpty && (0x6281...0x6FFF).contains(word)
      else { throw .badValue(name) }
      return word
    }
    if let deviation = CardDeviation(rawValue: name) {
      guard try plain() else { return }
      deviations.insert(deviation)
      return
    }
    switch name {
    case "pace":
      var profiles: [PACEProfile] = []
      for text in (value ?? "").split(separator: "+", omittingEmptySubsequences: false) {
        guard let profile = PACEProfile(parsing: String(text)) else { throw .badValue(name) }
        profiles.append(profile)
      }
      paceProfiles = profiles
    case "no-card-access": omitsCardAccess = try plain()
    case "no-bac": refusesBasicAccess = try plain()
    case "no-extended-length":
      let names = value?.split(separator: "+", omittingEmptySubsequences: false)
      let commands = names?.map { ExtendedCommand(rawValue: String($0)) }
      for command in commands ?? ExtendedCommand.allCases {
        guard let command else { throw .badValue(name) }
        refusedExtended.insert(command)
      }
    case "end-of-file": endOfFile = try word([0x6B00, 0x6282, 0x9000])
    case "no-counters": counterRefusal = try word()
    case "certificate-refusal": certificateRefusal = try word()
    case "token-refusal": tokenRefusal = try word()
    case "nonce":
      let length = try number(8...16)
      guard length % 8 == 0 else { throw .badValue(name) }
      nonceLength = length
    case "read-limit":
      let words = (value ?? "").split(separator: ":", omittingEmptySubsequences: false)
      guard (1...2).contains(words.count), let count = Int(words[0]),
        (1...65_536).contains(count),
        let style = words.count < 2 ? .shorter : ReadLimit.Style(rawValue: String(words[1]))
      else { throw .badValue(name) }
      readLimit = ReadLimit(count: count, style: style)
    case "parameter-required": requiresParameterIdentifier = try plain()
    case "pin-passwords": acceptsHolderPasswords = try plain()
    case "shown-tries": shownTries = try number(1...15)
    case "failure-delay": failureDelay = try number(0...10_000)
    case "announced-length":
      guard let form = value.flatMap(AnnouncedLengths.init) else { throw .badValue(name) }
      announcedLengths = form
    case "active-authentication":
      guard let signature = value.flatMap(ActiveSignature.init) else { throw .badValue(name) }
      activeSignature = signature
    case "no-chip-key": missingChipKey = UInt8(clamping: try number(1...255))
    default: throw .unknownOption(name)
    }
  }
}

extension CardOptions {
  /// Every option with values that show its effect, in the order of `optionNames`, for the tests,
  /// the traces and the soak.
  public static let examples: [String] =
    [
      "pace=gm-aes128-13", "pace=im-aes192-2", "pace=gm-3des-2+gm-aes256-12", "no-card-access",
      "no-bac", "no-extended-length",
    ] + ExtendedCommand.allCases.map { "no-extended-length=\($0.rawValue)" } + [
      "nonce=8", "read-limit=128:shorter", "read-limit=128:6cxx", "read-limit=128:6700",
      "end-of-file=9000", "end-of-file=6282", "end-of-file=6B00", "no-counters=6982",
      "no-counters=6A88", "certificate-refusal=6300", "certificate-refusal=6A80",
      "token-refusal=6982", "token-refusal=6985", "token-refusal=6A80", "parameter-required",
      "pin-passwords", "shown-tries=3", "failure-delay=1", "no-chip-key=1", "no-chip-key=2",
    ] + AnnouncedLengths.allCases.map { "announced-length=\($0.rawValue)" }
    + ActiveSignature.allCases.map { "active-authentication=\($0.rawValue)" }
    + CardDeviation.allCases.map(\.rawValue)
}
