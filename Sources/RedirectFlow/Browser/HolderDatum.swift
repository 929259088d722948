/// A datum of the holder that an identity provider may release, by all its names: on a consent page, in Italian or
/// English, or as the name of a SAML attribute (cie-eid-saml-docs: the four of the minimum set, e-mail and telephone;
/// SPID's table of attributes; X.500 and LDAP, where the name is an object identifier).
enum HolderDatum: CaseIterable {
  case name
  case familyName
  case dateOfBirth
  case placeOfBirth
  case countyOfBirth
  case gender
  case fiscalNumber
  case email
  case digitalAddress
  case phone
  case address
  case nationality
  case spidCode
  case document
  case expirationDate
  case companyName
  case registeredOffice
  case vatNumber

  /// The data that a text names exclusively; empty for a text that names no datum. Case, spaces and punctuation do not
  /// matter.
  static func named(_ text: String) -> Set<HolderDatum> {
    // All names are shorter, so longer texts are not looked up.
    guard text.utf8.count <= 200 else { return [] }
    return table[String(text.lowercased().filter { $0.isLetter || $0.isNumber })] ?? []
  }

  private static let table: [String: Set<HolderDatum>] = {
    var table: [String: Set<HolderDatum>] = [:]
    for datum in allCases {
      for word in datum.words.split(separator: " ") { table[String(word), default: []] = [datum] }
    }
    for word in ["nomeecognome", "cognomeenome", "nominativo", "fullname", "cn", "commonname"]
      + ["urnoid2543"]
    {
      table[word] = [.name, .familyName]
    }
    return table
  }()

  /// Its names, written as `named` compares them.
  private var words: String {
    switch self {
    case .name: "nome name givenname firstname currentgivenname urnoid25442"
    case .familyName: "cognome surname familyname lastname sn currentfamilyname urnoid2544"
    case .dateOfBirth: "datadinascita dateofbirth birthdate"
    case .placeOfBirth: "luogodinascita comunedinascita placeofbirth"
    case .countyOfBirth: "provinciadinascita countyofbirth"
    case .gender: "sesso genere gender sex"
    case .fiscalNumber:
      "codicefiscale fiscalcode fiscalnumber taxcode taxidentificationnumber personidentifier"
    case .email:
      "email mail indirizzoemail indirizzodipostaelettronica postaelettronica emailaddress "
        + "urnoid0923421920030010013"
    case .digitalAddress:
      "domiciliodigitale indirizzopec pec indirizzodipostaelettronicacertificata digitaladdress"
    case .phone:
      "telefono numeroditelefono numeroditelefonomobile cellulare numerodicellulare phone "
        + "phonenumber telephone mobile mobilephone"
    case .address:
      "indirizzo indirizzodidomicilio indirizzodiresidenza residenza domicilio domiciliofisico "
        + "address domicilestreetaddress domicilepostalcode domicilemunicipality "
        + "domicileprovince domicilenation"
    case .nationality: "cittadinanza nationality"
    case .spidCode: "codiceidentificativo codiceidentificativospid codicespid spidcode"
    case .document: "documentodidentità documentodiidentità idcard"
    case .expirationDate: "datadiscadenzaidentità datadiscadenza expirationdate"
    case .companyName: "ragionesociale denominazione ragioneodenominazionesociale companyname"
    case .registeredOffice: "sedelegale indirizzosedelegale registeredoffice"
    case .vatNumber: "partitaiva ivacode"
    }
  }
}
