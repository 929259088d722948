import Web
import Primitives
import Testing

@testable import SignIn

@Suite struct AccountClaimsTests {
  private static let prefix = "https://attributes.eid.gov.it/"

  /// Fields with their names: in SAML, with an OpenID provider, and in the SPID kit; a value, and its normalized form.
  static let fields: [(field: AccountField, names: [String], value: String, form: String)] = [
    (
      .codiceFiscale, ["fiscalNumber", prefix + "fiscal_number", "fiscal_number", "codiceFiscale"],
      "TINIT-PRVGSM80X99Z999G", "PRVGSM80X99Z999G"
    ),
    (
      .codiceIdentificativo, ["spidCode", prefix + "spid_code", "codiceIdentificativo"],
      "SAND123", "SAND123"
    ),
    (.cognome, ["familyName", "family_name", "cognome"], "PROVA", "PROVA"),
    (.dataNascita, ["dateOfBirth", "birthdate", "dataNascita"], "1980-01-11", "1980-01-11"),
    (
      .dataScadenzaIdentita,
      ["expirationDate", prefix + "expiration_date", "dataScadenzaIdentita"],
      "2030-01-01", "2030-01-01"
    ),
    (
      .documentoIdentita, ["idCard", "document_details", prefix + "id_card", "documentoIdentita"],
      "cartaIdentita CA00000AA", "cartaIdentita CA00000AA"
    ),
    (.emailAddress, ["email", "emailAddress"], "g@example.invalid", "g@example.invalid"),
    (
      .emailPec, ["digitalAddress", prefix + "e_delivery_service", "emailPec"],
      "pec@example.invalid", "pec@example.invalid"
    ),
    (
      .indirizzoDomicilio, ["address", "indirizzoDomicilio"], "Via della Sabbia 1",
      "Via della Sabbia 1"
    ),
    (
      .indirizzoSedeLegale,
      ["registeredOffice", prefix + "registered_office", "indirizzoSedeLegale"], "Via 2", "Via 2"
    ),
    (.luogoNascita, ["placeOfBirth", "place_of_birth", "luogoNascita"], "H501", "H501"),
    (.nome, ["name", "given_name", "nome"], "GELSOMINA", "GELSOMINA"),
    (.numeroTelefono, ["mobilePhone", "phone_number", "numeroTelefono"], "+39000", "+39000"),
    (
      .partitaIva, ["ivaCode", prefix + "vat_number", "partitaIva"], "VATIT-00000000000",
      "00000000000"
    ),
    (.provinciaNascita, ["countyOfBirth", "provinciaNascita"], "RM", "RM"),
    (
      .ragioneSociale, ["companyName", prefix + "company_name", "ragioneSociale"], "S.r.l.",
      "S.r.l."
    ),
    (.sesso, ["gender", "sesso"], "female", "F"),
  ]

  @Test func `the 17 fields are found under the names of each kind of provider`() {
    #expect(Self.fields.map(\.field) == AccountField.allCases && Self.fields.count == 17)
    for (field, names, value, form) in Self.fields {
      for name in names {
        let claims = AccountClaims([.init(name, [value])])
        #expect(claims[field] == form, "\(name)")
        #expect(claims[name] == [value])
      }
      #expect(AccountClaims([.init("somethingElse", [value])])[field] == nil)
      // An empty value counts as missing.
      #expect(AccountClaims([.init(names[0], [""])])[field] == nil)
    }
  }

  @Test func `the SAML name goes before the others, and the first of several values counts`() {
    let claims = AccountClaims([
      .init("family_name", ["B"]), .init("familyName", ["A", "C"]), .init("familyName", ["D"]),
    ])
    #expect(claims[.cognome] == "A" && claims["familyName"] == ["A", "C"])
  }

  @Test func `sex in the words of either family is one letter`() {
    for (value, form) in [
      ("male", "M"), ("Male", "M"), ("m", "M"), ("M", "M"), ("female", "F"), ("f", "F"),
      ("F", "F"), ("X", "X"),
    ] {
      #expect(AccountClaims([.init("gender", [value])])[.sesso] == form)
    }
  }

  /// Fiscal codes, with the derived sex and place.
  static let codes: [(String, sex: String?, place: String?)] = [
    ("RSSMRA80A01H501U", "M", "H501"), ("RSSMRA80A41H501Y", "F", "H501"),
    ("RSSMRA80A31H501A", "M", "H501"), ("RSSMRA80A71H501A", "F", "H501"),
    // Digits replaced by letters, because two people had the same code.
    ("RSSMRA80A01H50MA", "M", "H501"), ("RSSMRAULALMHRLMA", "M", "H501"),
    ("RSSMRA80ALMH501A", "M", "H501"), ("RSSMRA80AQMH501A", "F", "H501"),
    ("TINIT-RSSMRA80A41H501Y", "F", "H501"), ("RSSMRA80A01Z404A", "M", "Z404"),
    // Invalid codes, and codes of companies.
    ("RSSMRA80A00H501A", nil, nil), ("RSSMRA80A32H501A", nil, nil), ("RSSMRA80A40H501A", nil, nil),
    ("RSSMRA80A72H501A", nil, nil), ("RSSMRA80A01H501", nil, nil), ("RSSMRA80A01H501UU", nil, nil),
    ("RSSMRA80A01H5A1U", nil, nil), ("RSSMRA80AXXH501U", nil, nil), ("RSSMRA80A011501U", nil, nil),
    ("00000000000", nil, nil), ("", nil, nil), ("TINIT-", nil, nil), ("àààààààà", nil, nil),
    ("rssmra80a01h501u", nil, nil),
  ]

  @Test func `sex and place of birth are taken out of the fiscal code where no claim tells them`() {
    for (code, sex, place) in Self.codes {
      let claims = AccountClaims([.init("fiscalNumber", [code])])
      #expect(claims[.sesso] == sex && claims[.luogoNascita] == place, "\(code)")
    }
    let told = AccountClaims([
      .init("fiscalNumber", ["RSSMRA80A01H501U"]), .init("gender", ["F"]),
      .init("placeOfBirth", ["F205"]),
    ])
    #expect(told[.sesso] == "F" && told[.luogoNascita] == "F205")
    // No other field is derived.
    let others = AccountField.allCases.filter {
      ![.sesso, .luogoNascita, .codiceFiscale, .nome].contains($0)
    }
    let alone = AccountClaims([.init("fiscalNumber", ["RSSMRA80A01H501U"])])
    #expect(others.allSatisfy { alone[$0] == nil } && alone[.nome] == nil)
  }

  @Test func `claims of a token are told as texts, without what the token says of itself`() throws {
    let text =
      #"{"iss":"i","aud":"a","exp":1,"iat":1,"nonce":"n","sub":"s","acr":"l2","given_name":"A","#
      + #""email_verified":true,"updated_at":12,"middle_name":null,"groups":["x","y"],"empty":[],"#
      + #""address":{"formatted":"Via 1","locality":"Roma"},"company":{"vat":"1","seat":{"cap":"00"}}}"#
    let claims = AccountClaims(try TokenClaims([UInt8](text.utf8)))
    let told = Dictionary(claims.all.map { ($0.name, $0.values) }) { first, _ in first }
    #expect(
      told == [
        "sub": ["s"], "acr": ["l2"], "given_name": ["A"], "email_verified": ["true"],
        "updated_at": ["12"], "groups": ["x", "y"], "address": ["Via 1"], "company.vat": ["1"],
        "company.seat.cap": ["00"],
      ])
    #expect(claims[.indirizzoDomicilio] == "Via 1")
  }

  @Test func `somebody without a fiscal code has none`() {
    let claims = AccountClaims([.init("name", ["A"])])
    #expect(AccountField.allCases.filter { claims[$0] != nil } == [.nome])
  }
}
