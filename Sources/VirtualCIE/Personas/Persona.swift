internal import Primitives

/// A fictional citizen and their software card.
///
/// No persona is a real person: the fiscal codes have an impossible day and month, and every
/// persona has separate throw-away test authorities. `tools/make personas` makes them, as data
/// files.
public struct Persona: Sendable {
  /// Short name for command lines: `gemalto`, `gemalto2`, `nxp`, `st`, `itj4`, `unknown`; `senior`, `early`,
  /// `recalled`.
  public let identifier: String
  /// The imitated kind of chip.
  public var family: CardFamily { CardFamily(rawValue: text["family"]) ?? .unknown }
  /// Given name as in the certificate.
  public var givenName: String { text["given-name"] }
  /// Surname as in the certificate.
  public var surname: String { text["surname"] }
  /// Fiscal code as in the certificate's common name; impossible for a real person.
  public var fiscalCode: String { text["fiscal-code"] }
  /// The services number (NIS), 12 digits: EF 1001.
  public var nis: String { text["services-number"] }
  /// The document number, 9 characters: EF 1002.
  public var documentNumber: String { text["document-number"] }
  /// The initial PIN, 8 digits.
  public var pin: String { text["pin"] }
  /// The PUK, 8 digits.
  public var puk: String { text["puk"] }
  /// Form of the group in EF.DH: each form on three of the six families (IAS ECC §10.4.3.2;
  /// Specifiche Chip, annex A).
  var groupForm: DomainParameters.FileForm {
    text["group-file"] == "key-template" ? .keyTemplate : .domainParameters
  }
  let files: PersonaFiles
  private let text: PersonaText

  init(_ identifier: String) {
    files = PersonaFiles(folder: identifier)
    text = files.text("persona.txt")
    self.identifier = identifier
  }

  /// Given name and surname.
  public var name: String { "\(givenName) \(surname)" }
}

extension Persona {
  /// The test country signing CA, an X.509 certificate in DER.
  public var csca: [UInt8] { files["csca.der"] }
  /// The holder's certificate of key 81, X.509 in DER, without the file's zero padding.
  public var certificate: [UInt8] { files["certificate.der"] }
  /// The test CA that issued the holder's certificate, X.509 in DER; not on the card.
  public var certificateIssuer: [UInt8] { files["certificate-issuer.der"] }
  /// The content of EF 1006: tag 77 around the CMS SignedData.
  var securityObject: [UInt8] { files["security-object.der"] }

  /// Key 81: authentication and signature, after the PIN.
  var holderKey: RSAPrivateKey { files.privateKey("holder-key.der") }
  /// Key 82: device authentication.
  var deviceKey: RSAPrivateKey { files.privateKey("device-key.der") }
  /// Key 83: proof that the chip is no copy.
  var servicesKey: RSAPrivateKey { files.privateKey("services-key.der") }
  /// Key 84: checks terminal certificates.
  var terminalAuthority: TerminalAuthorityKey {
    let (modulus, exponent) = files.publicKey("terminal-authority.der")
    return TerminalAuthorityKey(
      modulus: modulus, exponent: exponent,
      reference: HexText.decode(text["terminal-authority-reference"]))
  }
}

extension Persona {
  /// Gelsomina Prova.
  public static let gemalto = Persona("gemalto")
  /// Giacinto Finzione.
  public static let gemalto2 = Persona("gemalto2")
  /// Norberto Fittizio.
  public static let nxp = Persona("nxp")
  /// Stella Esempio.
  public static let st = Persona("st")
  /// Italo Campione.
  public static let itj4 = Persona("itj4")
  /// Ugo Ignoto.
  public static let unknown = Persona("unknown")
  /// Serena Longeva: valid for fifty years, with one signer for both sides.
  public static let senior = Persona("senior")
  /// Ersilia Primizia: of 2018, with SHA-1 throughout and an expired certificate.
  public static let early = Persona("early")
  /// Renato Sbagliato: on the Ministry's deviation list of 2018.
  public static let recalled = Persona("recalled")

  /// Every persona, one for each chip family.
  public static let all: [Persona] = [.gemalto, .gemalto2, .nxp, .st, .itj4, .unknown]

  /// Cards for particular cases.
  public static let special: [Persona] = [.senior, .early, .recalled]

  /// All personas.
  public static var everyone: [Persona] { all + special }

  /// The persona with this identifier, case-insensitive.
  public static func named(_ identifier: String) -> Persona? {
    everyone.first { $0.identifier == identifier.lowercased() }
  }
}

extension Persona {
  /// The persona on whose card an example of an option has its effect.
  package static func showing(_ example: String) -> Persona {
    switch example.prefix(while: { $0 != "=" }) {
    case "combined-parameters": .nxp
    case "no-extended-length", "announced-length", "no-chip-key": .itj4
    case "active-authentication": example.hasSuffix("=der") ? .st : .gemalto2
    case "no-card-security": .unknown
    default: .gemalto
    }
  }
}

extension CardOptions {
  /// Requires that a card can do what these options make it announce.
  ///
  /// - Throws: `noKey`: chip authentication mapping without a key on the same parameters, a number that no key has, active
  ///   authentication by a key that the card does not have.
  public func require(of persona: Persona) throws(ParsingError) {
    let document = persona.travelDocument
    let keys = document.chipAuthenticationKeys
    let mapped = (paceProfiles ?? []).filter { $0.mapping == .chipAuthentication }
    let parameters = keys.map(\.parameterIdentifier)
    guard mapped.allSatisfy({ parameters.contains($0.parameterIdentifier) }) else {
      throw .noKey("pace")
    }
    guard missingChipKey.map({ keys.map(\.identifier).contains($0) }) ?? true else {
      throw .noKey("no-chip-key")
    }
    guard let activeSignature else { return }
    let isFit =
      switch document.activeAuthenticationKey {
      case .rsa: activeSignature != .der
      case .ecdsa: activeSignature == .der
      case nil: false
      }
    guard isFit else { throw .noKey("active-authentication") }
  }
}
