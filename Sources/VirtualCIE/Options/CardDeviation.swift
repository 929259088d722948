/// Reported deviations of real cards from "CIE 3.0 – Specifiche Chip" and IAS ECC; or behaviour
/// that the specification requires and this card does not have by default, because official
/// programs would fail.
///
/// The raw value is the option's name on a command line. `README.md` in `Sources/VirtualCIE` lists
/// where each was seen.
public enum CardDeviation: String, Sendable, CaseIterable {
  /// SELECT with the AID of the IAS root application: 6A82; the MF works.
  case noRootAID = "no-root-aid"
  /// SELECT MF without data: 6A86; it works with `3F00`.
  case noBareRoot = "no-bare-root"
  /// The root is refused in every form, 6A82: only the applications can be selected.
  case noRoot = "no-root"
  /// After a reset nothing is selected: files by SFI are 6982, by identifier 6A82.
  case nothingSelected = "nothing-selected"
  /// EF 1002, EF 1003 and EF D004 have no short identifier: 6A82.
  case noShortIdentifiers = "no-sfi"
  /// Once the CIE application was selected, the files of the MF are hidden until the field was off:
  /// 6A82.
  case hiddenRoot = "hidden-root"
  /// File control parameters have tag 6F.
  case controlInformation = "fcp-6f"
  /// Device authentication with another serial number than that of EF.SN.ICC.
  case otherSerialNumber = "other-serial-number"

  /// READ BINARY: 6Cxx if fewer bytes are left than requested.
  case exactLength = "exact-le"
  /// READ BINARY in clear gives up to 256 bytes.
  case longReads = "long-reads"
  /// Data are never sent at once: 61xx alone, and GET RESPONSE fetches them.
  case dataLater = "61xx-first"
  /// A piece of a chain is answered 61xx without data; in clear a GET RESPONSE then breaks the chain.
  case waitingInChain = "61xx-in-chain"

  /// GET DATA returns g, p and q in one answer.
  case combinedParameters = "combined-parameters"
  /// GET DATA returns g, p and q one by one only: 6A80 for more.
  case separateParameters = "separate-parameters"
  /// The root key of terminal certificates has its algorithm, `80 01 41`, first.
  case keyAlgorithm = "key-algorithm"
  /// MSE SET accepts the data objects in the order of IAS ECC §10.6.2 only: 6A80.
  case strictOrder = "strict-mse"
  /// MSE SET checks at once that the key exists: 6A88.
  case earlyKeyCheck = "mse-checks-keys"
  /// The terminal key is selected with MSE SET 81 A4 only; 81 B6 is 6A88.
  case terminalKeyByA4 = "no-terminal-key-by-b6"

  /// Every error under secure messaging is a bare status word and ends the channel.
  case bareErrors = "bare-errors"
  /// 6982 instead of 6985 and 6987 if secure messaging is missing or incomplete.
  case otherSecureMessagingWords = "other-sm-words"
  /// A plain SELECT by AID ends secure messaging.
  case selectEndsSession = "select-ends-sm"
  /// The last wrong try: VERIFY returns 6983 and CHANGE 63C0; by default it is the other way round.
  case lastTrySwapped = "last-try-swapped"

  /// PACE refuses the parameter number (data object 84) with 6A80.
  case noParameterIdentifier = "no-parameter"
  /// Chip authentication: MSE:Set KAT is refused with 6A80.
  case noSetKAT = "no-set-kat"
  /// Chip authentication: MSE:Set AT is refused with 6A80.
  case noSetAT = "no-set-at"
  /// Chip authentication is answered 6985 without protection, and the channel ends.
  case chipAuthenticationEndsSession = "chip-authentication-ends-sm"
}

/// The commands that a terminal may send in extended form, each of which a card may refuse
/// individually.
public enum ExtendedCommand: String, Sendable, CaseIterable {
  /// GENERAL AUTHENTICATE of PACE.
  case pace
  /// MSE SET or GENERAL AUTHENTICATE of chip authentication.
  case chipAuthentication = "chip-authentication"
  case read
  case getData = "get-data"
  /// MSE SET with the terminal's public value.
  case keyAgreement = "key-agreement"
  /// PSO VERIFY CERTIFICATE.
  case certificate
  case externalAuthenticate = "external-authenticate"
  case internalAuthenticate = "internal-authenticate"
}
