internal import CIECard
public import RedirectFlow
package import System

/// What is known of a person who has signed in: names and values as the provider tells them, and under the field names
/// of `AccountField` where they fit. Personal.
public struct AccountClaims: Sendable, Equatable {
  /// One of them.
  public struct Claim: Sendable, Equatable {
    /// Its name, such as `given_name` or `fiscalNumber`.
    public let name: String
    /// Its values, at least one.
    public let values: [String]

    /// A name with its values.
    public init(_ name: String, _ values: [String]) {
      self.name = name
      self.values = values
    }
  }

  /// All of them in the order in which they came.
  public let all: [Claim]

  /// Claims in their order; of several with one name the first counts.
  public init(_ claims: [Claim]) { all = claims }

  /// The attributes of an identity provider's response.
  public init(_ attributes: [SAMLAttribute]) {
    self.init(attributes.filter { !$0.values.isEmpty }.map { Claim($0.name, $0.values) })
  }

  /// All of them with their values, for a file or a script that asked for them.
  package var json: JSON {
    .array(
      all.map {
        .object([.init("name", $0.name), .init("values", .array($0.values.map(JSON.string)))])
      })
  }

  /// The values of a claim by the provider's own name.
  public subscript(name: String) -> [String] { all.first { $0.name == name }?.values ?? [] }

  /// A field, in the form that it has in all ways in: no prefix before the fiscal code, dates as in ISO 8601.
  ///
  /// - Returns: `nil` where no claim fits; sex and place of birth are then taken out of the fiscal code.
  public subscript(field: AccountField) -> String? {
    for name in field.names {
      if let value = self[name].first, !value.isEmpty { return field.form(value) }
    }
    guard field.isInFiscalCode else { return nil }
    return self[.codiceFiscale].flatMap(field.derived)
  }

}

extension AccountClaims: Redacted {
  /// The names.
  public var description: String { "claims " + all.map(\.name).joined(separator: ", ") }
}

extension AccountClaims.Claim: Redacted {
  /// The name.
  public var description: String { name }
}

/// The fields of a person's data that the users of the SPID kit know (spid-ios, its model of the user).
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

  /// The names under which providers tell it: that of SPID's and CIE's SAML attributes first, then OpenID Connect's
  /// (OIDC Core §5.1; the Italian profile's attribute names), then the field's own.
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

  /// A value in the field's one form.
  func form(_ value: String) -> String {
    switch self {
    case .codiceFiscale: FiscalCode.withoutPrefix(value)
    case .partitaIva: value.hasPrefix("VATIT-") ? String(value.dropFirst(6)) : value
    case .sesso:
      switch value.lowercased() {
      case "male", "m": "M"
      case "female", "f": "F"
      default: value
      }
    // The SPID kit's services put midnight behind the day.
    case .dataNascita, .dataScadenzaIdentita: String(value.prefix { $0 != "T" })
    case .codiceIdentificativo, .cognome, .documentoIdentita, .emailAddress, .emailPec,
      .indirizzoDomicilio, .indirizzoSedeLegale, .luogoNascita, .nome, .numeroTelefono,
      .provinciaNascita, .ragioneSociale:
      value
    }
  }

  /// Whether a fiscal code tells it.
  var isInFiscalCode: Bool { self == .sesso || self == .luogoNascita }

  /// What the fiscal code tells of it (decree of 23 December 1976, art. 2–5: the day is 40 higher for women; four
  /// characters name the municipality or State).
  func derived(from fiscalCode: String) -> String? {
    guard isInFiscalCode, let code = FiscalCode(fiscalCode) else { return nil }
    return self == .sesso ? code.sex : code.placeOfBirth
  }
}

/// A person's fiscal code, as far as something can be read out of it.
private struct FiscalCode {
  /// `M` or `F`.
  let sex: String
  /// The code of the place, such as `H501`.
  let placeOfBirth: String

  /// `nil` for what does not have the form of one. A digit may be replaced by one of LMNPQRSTUV (omocodia).
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

  /// SAML and OpenID Connect put the issuer before it: `TINIT-…`.
  static func withoutPrefix(_ value: String) -> String {
    value.hasPrefix("TINIT-") ? String(value.dropFirst(6)) : value
  }
}
