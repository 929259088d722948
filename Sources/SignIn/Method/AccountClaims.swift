/// Claims about a signed-in person: names and values as the provider returned them, also found by the field names of
/// `AccountField` where these fit. Personal data.
public struct AccountClaims: Sendable, Equatable {
  /// Claim with a name and values.
  public struct Claim: Sendable, Equatable {
    /// Name, such as `given_name` or `fiscalNumber`.
    public let name: String
    /// Values, at least one.
    public let values: [String]

    /// Creates a claim.
    public init(_ name: String, _ values: [String]) {
      self.name = name
      self.values = values
    }
  }

  /// All claims, in the order received.
  public let all: [Claim]

  /// Keeps the claims in order; the first of several with one name counts.
  public init(_ claims: [Claim]) { all = claims }

  /// Takes the attributes of an identity provider's response.
  public init(_ attributes: [SAMLAttribute]) {
    self.init(attributes.filter { !$0.values.isEmpty }.map { Claim($0.name, $0.values) })
  }

  /// All claims with their values, for output that was asked for.
  var json: JSON {
    .array(
      all.map {
        .object([.init("name", $0.name), .init("values", .array($0.values.map(JSON.string)))])
      })
  }

  /// Values of the claim with the provider's name.
  public subscript(name: String) -> [String] { all.first { $0.name == name }?.values ?? [] }

  /// Value of a field, in one form for all methods: fiscal code without prefix, dates in ISO 8601.
  ///
  /// - Returns: `nil` if no claim fits; sex and place of birth are then derived from the fiscal code.
  public subscript(field: AccountField) -> String? {
    for name in field.names {
      if let value = self[name].first, !value.isEmpty { return field.form(value) }
    }
    guard field == .sesso || field == .luogoNascita,
      let code = self[.codiceFiscale].flatMap(FiscalCode.init)
    else { return nil }
    return field == .sesso ? code.sex : code.placeOfBirth
  }
}

extension AccountClaims: Redacted {
  /// Names of the claims, without values.
  public var description: String { "claims " + all.map(\.name).joined(separator: ", ") }
}

extension AccountClaims.Claim: Redacted {
  /// Name of the claim, without values.
  public var description: String { name }
}

/// Fields of a person's data in the SPID kit (spid-ios, its user model).
public enum AccountField: String, Sendable, Hashable, CaseIterable {
  case codiceFiscale
  case codiceIdentificativo
  case cognome
  case dataNascita
  case dataScadenzaIdentita
  case documentoIdentita
  case emailAddress
  case emailPec
  case indirizzoDomicilio
  case indirizzoSedeLegale
  case luogoNascita
  case nome
  case numeroTelefono
  case partitaIva
  case provinciaNascita
  case ragioneSociale
  case sesso

  private static let prefix = "https://attributes.eid.gov.it/"

  /// Claim names of the field: SPID's and CIE's SAML attributes first, then OpenID Connect's (OIDC Core §5.1; the
  /// Italian profile's attribute names), then the field's own name.
  var names: [String] {
    switch self {
    case .codiceFiscale: ["fiscalNumber", Self.prefix + "fiscal_number", "fiscal_number", rawValue]
    case .codiceIdentificativo: ["spidCode", Self.prefix + "spid_code", rawValue]
    case .cognome: ["familyName", "family_name", rawValue]
    case .dataNascita: ["dateOfBirth", "birthdate", rawValue]
    case .dataScadenzaIdentita: ["expirationDate", Self.prefix + "expiration_date", rawValue]
    case .documentoIdentita: ["idCard", "document_details", Self.prefix + "id_card", rawValue]
    case .emailAddress: ["email", rawValue]
    case .emailPec: ["digitalAddress", Self.prefix + "e_delivery_service", rawValue]
    case .indirizzoDomicilio: ["address", rawValue]
    case .indirizzoSedeLegale: ["registeredOffice", Self.prefix + "registered_office", rawValue]
    case .luogoNascita: ["placeOfBirth", "place_of_birth", rawValue]
    case .nome: ["given_name", "name", rawValue]
    case .numeroTelefono: ["mobilePhone", "phone_number", rawValue]
    case .partitaIva: ["ivaCode", Self.prefix + "vat_number", rawValue]
    case .provinciaNascita: ["countyOfBirth", rawValue]
    case .ragioneSociale: ["companyName", Self.prefix + "company_name", rawValue]
    case .sesso: ["gender", rawValue]
    }
  }

  /// Normalizes a value to the one form of the field.
  func form(_ value: String) -> String {
    switch self {
    // The prefixes of SAML and OpenID Connect.
    case .codiceFiscale: value.hasPrefix("TINIT-") ? String(value.dropFirst(6)) : value
    case .partitaIva: value.hasPrefix("VATIT-") ? String(value.dropFirst(6)) : value
    case .sesso:
      switch value.lowercased() {
      case "male", "m": "M"
      case "female", "f": "F"
      default: value
      }
    // The SPID kit's services append midnight to the day.
    case .dataNascita, .dataScadenzaIdentita: String(value.prefix { $0 != "T" })
    case .codiceIdentificativo, .cognome, .documentoIdentita, .emailAddress, .emailPec,
      .indirizzoDomicilio, .indirizzoSedeLegale, .luogoNascita, .nome, .numeroTelefono,
      .provinciaNascita, .ragioneSociale:
      value
    }
  }
}

/// Fiscal code (decree of 23 December 1976, art. 2–5: the day is 40 higher for women; four characters name the
/// municipality or State).
private struct FiscalCode {
  /// `M` or `F`.
  let sex: String
  /// Code of the place, such as `H501`.
  let placeOfBirth: String

  /// `nil` for text without the form of a fiscal code. A digit may be replaced by one of LMNPQRSTUV (omocodia).
  init?(_ text: String) {
    let characters = [UInt8](text.utf8)
    guard characters.count == 16 else { return nil }
    func digit(_ byte: UInt8) -> Int? {
      if (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) { return Int(byte - 0x30) }
      return [UInt8]("LMNPQRSTUV".utf8).firstIndex(of: byte)
    }
    let place = characters[11...14]
    guard let tens = digit(characters[9]), let units = digit(characters[10]),
      let letter = place.first, (UInt8(ascii: "A")...UInt8(ascii: "Z")).contains(letter)
    else { return nil }
    let digits = place.dropFirst().compactMap(digit)
    let day = tens * 10 + units
    guard digits.count == 3, (1...31).contains(day) || (41...71).contains(day) else { return nil }
    sex = day > 40 ? "F" : "M"
    placeOfBirth = String(UnicodeScalar(letter)) + digits.map(String.init).joined()
  }
}
