// Deliberately written apart from CIECard.

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
  /// Ersilia Primizia: of 2018, with SHA-1 throughout and a certificate that has ended.
  public static let early = Persona("early")
  /// Renato Sbagliato: on the Ministry's deviation list of 2018.
  public static let recalled = Persona("recalled")

  /// Every persona, one for each chip family.
  public static let all: [Persona] = [.gemalto, .gemalto2, .nxp, .st, .itj4, .unknown]

  /// Cards with a story of their own.
  public static let special: [Persona] = [.senior, .early, .recalled]

  /// All of them.
  public static var everyone: [Persona] { all + special }

  /// The persona with this identifier, in any case of letters.
  public static func named(_ identifier: String) -> Persona? {
    everyone.first { $0.identifier == identifier.lowercased() }
  }
}
