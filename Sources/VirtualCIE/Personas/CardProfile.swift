/// The kind of chip that a software card imitates; the bytes are public, see `CardProfile`.
public enum CardFamily: String, Sendable, CaseIterable {
  /// Gemalto: selects by AID, returns the DH parameters in one answer.
  case gemalto
  /// Gemalto, second series: DH parameters one by one, extended length.
  case gemalto2
  /// NXP: knows the root application only as the MF.
  case nxp
  /// STMicroelectronics: accepts the terminal key only with P2 = A4.
  case st
  /// The ITJ4 family (Actalis, Bit4id): extended length, objects in another order.
  case itj4
  /// A chip that is in no table.
  case unknown

  /// One line for users.
  public var summary: String {
    switch self {
    case .gemalto: "Gemalto; DH parameters in one answer"
    case .gemalto2:
      "Gemalto, second series; DH parameters in one answer, long CA exponent, extended length"
    case .nxp: "NXP; DH parameters one by one, padded key files"
    case .st: "STMicroelectronics; DH parameters one by one, terminal key by P2 = A4 only"
    case .itj4: "ITJ4 (Bit4id B9547); no root AID, DH parameters one by one, extended length"
    case .unknown: "unlisted chip; DH parameters one by one"
    }
  }
}

/// Differences between the chip families on the wire.
struct CardProfile {
  /// Answer to reset (PC/SC part 3 §3.1.3.2.3: 3B 8n 80 01 ‖ historical bytes ‖ TCK).
  let answerToReset: [UInt8]
  /// Content of EF.ATR (2F01).
  var answerToResetFile: [UInt8]
  /// True if SELECT knows the IAS root application by its AID; otherwise 6A82, and only the MF
  /// works.
  var knowsRootAID = true
  /// True if GET DATA returns g, p and q in one answer; one by one always works.
  var givesParametersTogether = false
  /// True if the terminal key can be selected with MSE SET P2 = B6 as well as A4.
  var takesTerminalKeyAsDST = true
  /// The objects of the CA key in GET DATA, in their order.
  var authorityKeyOrder: [UInt32] = [0x81, 0x82, 0x5F20, 0x5F4C]
  /// Length of EF 1004 and EF 1005; their 270 bytes are zero-padded to it.
  var publicKeyFileLength = 270
  /// Length of EF 1006: some cards have bytes after the security object.
  var securityObjectFileLength = 0
  /// True if there is an EF.DIR: IAS ECC §10.4.3 requires it, annex A of "CIE 3.0 – Specifiche
  /// Chip" does not list it.
  var hasDirectory = false
  /// True if key 81 was generated on the chip, which then has its public key in EF 1007 (annex A).
  var madeHolderKey = false
  /// True if READ BINARY in extended form is taken although EF.ATR announces none, as PACE is.
  var readsUnannounced = true
  /// Longest command and response APDU that the card announces (EF.ATR, 7F66); nil: short ones only.
  var extendedLength: (command: Int, response: Int)?

  /// The profile with the differences of one card.
  func with(_ options: CardOptions) -> CardProfile {
    var profile = self
    if options.has(.noRootAID) || options.has(.noRoot) { profile.knowsRootAID = false }
    if options.has(.combinedParameters) { profile.givesParametersTogether = true }
    if options.has(.separateParameters) { profile.givesParametersTogether = false }
    if options.has(.terminalKeyByA4) { profile.takesTerminalKeyAsDST = false }
    if let form = options.announcedLengths {
      profile.announce(form)
      profile.extendedLength = Self.unannouncedLength
    }
    return profile
  }

  /// Writes the announcement into EF.ATR, behind the card capabilities (47).
  private mutating func announce(_ form: AnnouncedLengths) {
    let usual = AnnouncedLengths.twoBytes.object
    let place = answerToResetFile.indices.first { answerToResetFile[$0...].starts(with: usual) }
    if let place {
      answerToResetFile.replaceSubrange(place..<place + usual.count, with: form.object)
    } else if let capabilities = answerToResetFile.firstIndex(of: 0x47) {
      answerToResetFile.insert(contentsOf: form.object, at: capabilities + 5)
    }
  }

  /// Lengths in extended form on cards that announce none.
  static let unannouncedLength = (command: 0x4D6, response: 0x7E3)
}

extension CardFamily {
  /// The differences of this family.
  var profile: CardProfile {
    switch self {
    case .gemalto:
      CardProfile(
        answerToReset: HexText.decode("3B8F80018031 8065B0850400 11120FFF829000 8A"),
        answerToResetFile: HexText.decode(
          "8000 4301B8 460410203040 47039401 80 4F0BF0 496173456363526F6F74" + Self.buffers
            + Self.ending),
        givesParametersTogether: true)
    case .gemalto2:
      CardProfile(
        answerToReset: HexText.decode("3B8F80018031 8065B0850300 EF120FFF829000 73"),
        answerToResetFile: HexText.decode(
          "8000 4301B8 460420304050 47039441 C0 7F6608 020204D6 020207E3" + Self.buffers
            + Self.ending),
        givesParametersTogether: true, hasDirectory: true, extendedLength: (0x4D6, 0x7E3))
    case .nxp:
      CardProfile(
        answerToReset: HexText.decode("3B8E80018031 806549544E58 50120FFF8290 F0"),
        answerToResetFile: HexText.decode(
          "8000 4301B8 460410101010 47039401 80" + Self.buffers + Self.ending),
        publicKeyFileLength: 288, securityObjectFileLength: 1792, readsUnannounced: false)
    case .st:
      CardProfile(
        answerToReset: HexText.decode("3B8B80018066 475000B8007F 829000 2E"),
        answerToResetFile: HexText.decode(
          "8000 4301B9 460400000010 47039401 81 4F0CA000000095000000008A0001"
            + "E010020200FF020200FF0202010002020100" + Self.ending),
        takesTerminalKeyAsDST: false, hasDirectory: true, madeHolderKey: true)
    case .itj4:
      CardProfile(
        answerToReset: HexText.decode("3B8F80018031 806549544A34 49120FFF829000 80"),
        answerToResetFile: HexText.decode(
          "8000 4301B8 460410101010 47039401 E0 7F6608 020204D6 020207E3" + Self.buffers
            + Self.ending),
        knowsRootAID: false,
        authorityKeyOrder: [0x5F20, 0x5F4C, 0x82, 0x81], madeHolderKey: true,
        extendedLength: (0x4D6, 0x7E3))
    case .unknown:
      CardProfile(
        answerToReset: HexText.decode("3B8F8001 0000000000000000000000 FF829000 E3"),
        answerToResetFile: HexText.decode(
          "8000 4301B8 460477777777 47039401 80" + Self.buffers + Self.ending),
        authorityKeyOrder: [0x5F4C, 0x5F20, 0x81, 0x82], hasDirectory: true)
    }
  }

  /// E0: input and output buffer sizes, plain and under secure messaging, 260 and 230 bytes.
  private static let buffers = "E010 02020104 020200E6 020200E6 020200E6"
  /// 78: allocation authority 1.3.162.15480.2; 82: status.
  private static let ending = "7808 06062B8122F87802 82029000"
}
