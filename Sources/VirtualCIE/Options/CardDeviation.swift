/// Reported deviations of real cards from "CIE 3.0 – Specifiche Chip" and IAS ECC; or behaviour
/// that the specification requires and this card does not have by default, because official
/// programs would fail.
///
/// The raw value is the option's name on a command line. Each case says the card's behaviour with the option, without it,
/// and where the deviation was seen.
public enum CardDeviation: String, Sendable, CaseIterable {
  /// SELECT with the AID of the IAS root application: 6A82; the MF works.
  /// Without: only on family ITJ4. Source: italia/cie-PN532#5; pagopa/cie-sdk-ios falls back to the MF.
  case noRootAID = "no-root-aid"
  /// SELECT MF without data: 6A86; it works with `3F00`.
  /// Without: taken, as NXP and ITJ4 cards do. Source: IAS ECC §9.7.1, table 30; italia/cie-middleware-linux.
  case noBareRoot = "no-bare-root"
  /// The root is refused in every form, 6A82: only the applications can be selected.
  /// Without: the root is known. Source: a test script of a reader for an ITJ4L card (third party).
  case noRoot = "no-root"
  /// After a reset nothing is selected: files by SFI are 6982, by identifier 6A82.
  /// Without: the root is selected, IAS ECC §3.3.3. Source: opencie reads EF.CardAccess by SFI before any SELECT.
  case nothingSelected = "nothing-selected"
  /// EF 1002, EF 1003 and EF D004 have no short identifier: 6A82.
  /// Without: annex A. Source: no public client is known to read them so.
  case noShortIdentifiers = "no-sfi"
  /// Once the CIE application was selected, the files of the MF are hidden until the field was off:
  /// 6A82.
  /// Without: visible. Source: opencie on a card with the "Actalis" chip.
  case hiddenRoot = "hidden-root"
  /// File control parameters have tag 6F.
  /// Without: 62, IAS ECC §3.3.4. Source: OpenSC/OpenSC#3804, a sister card.
  case controlInformation = "fcp-6f"
  /// Device authentication with another serial number than that of EF.SN.ICC.
  /// Without: the same, §5.2.3.5.1. Source: a precaution.
  case otherSerialNumber = "other-serial-number"

  /// READ BINARY: 6Cxx if fewer bytes are left than requested.
  /// Without: data and 6282, §8.6.3. Source: code paths of the Android and Linux clients.
  case exactLength = "exact-le"
  /// READ BINARY in clear gives up to 256 bytes.
  /// Without: 231, §8.6.3.3. Source: a precaution.
  case longReads = "long-reads"
  /// Data are never sent at once: 61xx alone, and GET RESPONSE fetches them.
  /// Without: with the command. Source: ISO/IEC 7816-3 T=0; a template of 19h bytes fetched by italia/cie-nis-sdk.
  case dataLater = "61xx-first"
  /// A piece of a chain is answered 61xx without data; in clear a GET RESPONSE then breaks the chain.
  /// Without: 9000, §8.5. Source: a comment of italia/cie-middleware-linux, IAS.cpp.
  case waitingInChain = "61xx-in-chain"

  /// GET DATA returns g, p and q in one answer.
  /// Without: so on both Gemalto families. Source: italia/cie-middleware-linux before and after 93eb4b7; IAS ECC
  /// §5.2.3.1.3.
  case combinedParameters = "combined-parameters"
  /// GET DATA returns g, p and q one by one only: 6A80 for more.
  /// Without: at once on both Gemalto families. Source: as the case before.
  case separateParameters = "separate-parameters"
  /// The root key of terminal certificates has its algorithm, `80 01 41`, first.
  /// Without: key and names only. Source: Specifiche Chip, annex A; IAS ECC §3.4.6.3.
  case keyAlgorithm = "key-algorithm"
  /// MSE SET accepts the data objects in the order of IAS ECC §10.6.2 only: 6A80.
  /// Without: any order, because every host sends 84 before 80 somewhere. Source: IAS ECC §10.6.2.
  case strictOrder = "strict-mse"
  /// MSE SET checks at once that the key exists: 6A88.
  /// Without: the command that uses the key answers 6A88, §9.9.2. Source: §7.2.6.1 of the same document.
  case earlyKeyCheck = "mse-checks-keys"
  /// The terminal key is selected with MSE SET 81 A4 only; 81 B6 is 6A88.
  /// Without: both, but on family ST. Source: a comment of pagopa/cie-sdk-ios.
  case terminalKeyByA4 = "no-terminal-key-by-b6"

  /// Every error under secure messaging is a bare status word and ends the channel.
  /// Without: protected, §7.1.7. Source: phones' logs of eMRTD reading; the official clients' handling.
  case bareErrors = "bare-errors"
  /// 6982 instead of 6985 and 6987 if secure messaging is missing or incomplete.
  /// Without: 6985 and 6987. Source: IAS ECC §7.1.7 allows both.
  case otherSecureMessagingWords = "other-sm-words"
  /// A plain SELECT by AID ends secure messaging.
  /// Without: it does not, §7.1.14. Source: all hosts assume it.
  case selectEndsSession = "select-ends-sm"
  /// The last wrong try: VERIFY returns 6983 and CHANGE 63C0; by default it is the other way round.
  /// Source: the official clients read both words.
  case lastTrySwapped = "last-try-swapped"

  /// PACE refuses the parameter number (data object 84) with 6A80.
  /// Without: taken with and without it. Source: CIE logs have both.
  case noParameterIdentifier = "no-parameter"
  /// Chip authentication: MSE:Set KAT is refused with 6A80.
  /// Without: both forms, Specifiche Chip §5.6. Source: the official SDK of 2018 knows this form only.
  case noSetKAT = "no-set-kat"
  /// Chip authentication: MSE:Set AT is refused with 6A80.
  /// Without: both forms. Source: as the case before.
  case noSetAT = "no-set-at"
  /// Chip authentication is answered 6985 without protection, and the channel ends.
  /// Without: performed. Source: phones' logs.
  case chipAuthenticationEndsSession = "chip-authentication-ends-sm"
  /// Chip authentication is answered 9000, and the card goes on with the old keys.
  /// Without: with the new ones, Doc 9303-11 §6.2.4. Source: BSI TR-03105-5.1, ISO7816_D_09.
  case oldSessionKeys = "old-session-keys"
  /// EF.CardSecurity is missing, although chip authentication mapping needs it.
  /// Without: present on `unknown`. Source: Doc 9303-11 §9.2.11 requires it.
  case noCardSecurity = "no-card-security"

  /// A recorded conversation that shows the deviation.
  package enum Showing {
    /// Proof that the chip is genuine, of files in clear.
    case proof
    case signature
    case travelDocument
  }

  package var showing: Showing {
    switch self {
    case .noRootAID, .noBareRoot, .noRoot, .nothingSelected, .hiddenRoot, .controlInformation,
      .exactLength, .longReads:
      .proof
    case .noParameterIdentifier, .noSetKAT, .noSetAT, .chipAuthenticationEndsSession,
      .oldSessionKeys, .noCardSecurity:
      .travelDocument
    case .noShortIdentifiers, .otherSerialNumber, .dataLater, .waitingInChain, .combinedParameters,
      .separateParameters, .keyAlgorithm, .strictOrder, .earlyKeyCheck, .terminalKeyByA4,
      .bareErrors, .otherSecureMessagingWords, .selectEndsSession, .lastTrySwapped:
      .signature
    }
  }
}
