// Deliberately written apart from CIECard.

/// A fictional citizen and the software card that is theirs.
///
/// Nobody here exists: the fiscal codes have an impossible day and month, and every persona has its own
/// throw-away test authorities. `tools/make-personas` makes them.
public struct Persona: Sendable {
  /// Short name for command lines: `gemalto`, `gemalto2`, `nxp`, `st`, `itj4`, `unknown`; `senior`, `early`,
  /// `recalled`.
  public let identifier: String
  /// What kind of chip the card pretends to have.
  public let family: CardFamily
  /// Given name as in the certificate.
  public let givenName: String
  /// Surname as in the certificate.
  public let surname: String
  /// Fiscal code as in the certificate's common name; impossible for a real person.
  public let fiscalCode: String
  /// The services number (NIS), 12 digits: EF 1001.
  public let nis: String
  /// The document number, 9 characters: EF 1002.
  public let documentNumber: String
  /// The PIN that the card starts with, 8 digits.
  public let pin: String
  /// The PUK, 8 digits.
  public let puk: String

  let authorityReferenceHex: String
  let authorityModulusHex: String
  let authorityExponentHex: String
  let certificateHex: String
  let securityObjectHex: String
  let cscaHex: String
  let issuerHex: String
  let holderModulusHex: String
  let holderExponentHex: String
  let deviceModulusHex: String
  let deviceExponentHex: String
  let servicesModulusHex: String
  let servicesExponentHex: String

  /// Every persona, one for each chip family.
  public static let all: [Persona] = [.gemalto, .gemalto2, .nxp, .st, .itj4, .unknown]

  /// Cards with a story of their own: valid for fifty years, with one signer for both sides; of 2018, with SHA-1 and a
  /// certificate that has ended; on the Ministry's deviation list of 2018.
  public static let special: [Persona] = [.senior, .early, .recalled]

  /// All of them.
  public static var everyone: [Persona] { all + special }

  /// The persona with this identifier, in any case of letters.
  public static func named(_ identifier: String) -> Persona? {
    everyone.first { $0.identifier == identifier.lowercased() }
  }

  /// Given name and surname.
  public var name: String { "\(givenName) \(surname)" }
  /// The test country signing CA, an X.509 certificate in DER.
  public var csca: [UInt8] { HexText.decode(cscaHex) }
  /// How EF.DH writes the group: of the six families three have each form (IAS ECC §10.4.3.2; Specifiche Chip, annex A).
  var groupForm: DomainParameters.FileForm {
    ["gemalto", "gemalto2", "itj4", "early", "recalled"].contains(identifier)
      ? .keyTemplate : .domainParameters
  }
  /// The holder's certificate of key 81, X.509 in DER, without the file's zero padding.
  public var certificate: [UInt8] { HexText.decode(certificateHex) }
  /// The test CA that issued the holder's certificate, X.509 in DER; not on the card.
  public var certificateIssuer: [UInt8] { HexText.decode(issuerHex) }
  /// The content of EF 1006: tag 77 around the CMS SignedData.
  package var securityObject: [UInt8] { HexText.decode(securityObjectHex) }
}

extension Persona {
  /// Key 81: authentication and signature, after the PIN.
  var holderKey: CardPrivateKey {
    CardPrivateKey(
      modulus: HexText.decode(holderModulusHex), exponent: HexText.decode(holderExponentHex))
  }
  /// Key 82: device authentication.
  var deviceKey: CardPrivateKey {
    CardPrivateKey(
      modulus: HexText.decode(deviceModulusHex), exponent: HexText.decode(deviceExponentHex))
  }
  /// Key 83: proof that the chip is no copy.
  var servicesKey: CardPrivateKey {
    CardPrivateKey(
      modulus: HexText.decode(servicesModulusHex), exponent: HexText.decode(servicesExponentHex))
  }
  /// Key 84: checks terminal certificates.
  var terminalAuthority: TerminalAuthorityKey {
    TerminalAuthorityKey(
      modulus: HexText.decode(authorityModulusHex), exponent: HexText.decode(authorityExponentHex),
      reference: HexText.decode(authorityReferenceHex))
  }
}
