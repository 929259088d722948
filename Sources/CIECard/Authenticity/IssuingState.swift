/// State codes: three letters in the machine readable zone, two in certificates.
enum IssuingState {
  static let italy = "ITA"

  /// The countries that the name of a state's CSCA may have.
  ///
  /// - Parameter code: the issuing state of the zone, without fillers (Doc 9303-3 §5).
  /// - Returns: two-letter codes in capitals; empty for an unknown code.
  static func countries(of code: String) -> [String] {
    if let special = special[code] { return special }
    let pairs = pairs.split { $0 == " " || $0 == "\n" }
    return pairs.first { $0.count == 5 && $0.hasPrefix(code) && code.count == 3 }
      .map { [String($0.suffix(2))] } ?? []
  }

  /// Doc 9303-3 §5, parts B to D, and states with more than one CSCA: Hong Kong and Macao have
  /// separate ones; the British codes are kinds of nationality; Kosovo is written in several ways.
  private static let special = [
    "D": ["DE"], "CHN": ["CN", "HK", "MO"], "GBD": ["GB"], "GBN": ["GB"], "GBO": ["GB"],
    "GBP": ["GB"], "GBS": ["GB"], "RKS": ["KS", "XK", "RK"], "EUE": ["EU"], "UNO": ["UN"],
    "UNA": ["UN"], "UNK": ["UN"],
  ]

  /// ISO 3166-1: the three-letter and two-letter code of each country.
  private static let pairs = """
    ABWAW AFGAF AGOAO AIAAI ALAAX ALBAL ANDAD AREAE ARGAR ARMAM ASMAS ATAAQ ATFTF ATGAG
    AUSAU AUTAT AZEAZ BDIBI BELBE BENBJ BESBQ BFABF BGDBD BGRBG BHRBH BHSBS BIHBA BLMBL
    BLRBY BLZBZ BMUBM BOLBO BRABR BRBBB BRNBN BTNBT BVTBV BWABW CAFCF CANCA CCKCC CHECH
    CHLCL CHNCN CIVCI CMRCM CODCD COGCG COKCK COLCO COMKM CPVCV CRICR CUBCU CUWCW CXRCX
    CYMKY CYPCY CZECZ DEUDE DJIDJ DMADM DNKDK DOMDO DZADZ ECUEC EGYEG ERIER ESHEH ESPES
    ESTEE ETHET FINFI FJIFJ FLKFK FRAFR FROFO FSMFM GABGA GBRGB GEOGE GGYGG GHAGH GIBGI
    GINGN GLPGP GMBGM GNBGW GNQGQ GRCGR GRDGD GRLGL GTMGT GUFGF GUMGU GUYGY HKGHK HMDHM
    HNDHN HRVHR HTIHT HUNHU IDNID IMNIM INDIN IOTIO IRLIE IRNIR IRQIQ ISLIS ISRIL ITAIT
    JAMJM JEYJE JORJO JPNJP KAZKZ KENKE KGZKG KHMKH KIRKI KNAKN KORKR KWTKW LAOLA LBNLB
    LBRLR LBYLY LCALC LIELI LKALK LSOLS LTULT LUXLU LVALV MACMO MAFMF MARMA MCOMC MDAMD
    MDGMG MDVMV MEXMX MHLMH MKDMK MLIML MLTMT MMRMM MNEME MNGMN MNPMP MOZMZ MRTMR MSRMS
    MTQMQ MUSMU MWIMW MYSMY MYTYT NAMNA NCLNC NERNE NFKNF NGANG NICNI NIUNU NLDNL NORNO
    NPLNP NRUNR NZLNZ OMNOM PAKPK PANPA PCNPN PERPE PHLPH PLWPW PNGPG POLPL PRIPR PRKKP
    PRTPT PRYPY PSEPS PYFPF QATQA REURE ROURO RUSRU RWARW SAUSA SDNSD SENSN SGPSG SGSGS
    SHNSH SJMSJ SLBSB SLESL SLVSV SMRSM SOMSO SPMPM SRBRS SSDSS STPST SURSR SVKSK SVNSI
    SWESE SWZSZ SXMSX SYCSC SYRSY TCATC TCDTD TGOTG THATH TJKTJ TKLTK TKMTM TLSTL TONTO
    TTOTT TUNTN TURTR TUVTV TWNTW TZATZ UGAUG UKRUA UMIUM URYUY USAUS UZBUZ VATVA VCTVC
    VENVE VGBVG VIRVI VNMVN VUTVU WLFWF WSMWS YEMYE ZAFZA ZMBZM ZWEZW
    """
}

/// documentTypeList: the types of documents that a signer may sign (Doc 9303-12 §7.1.1.6), as
/// written in the zone.
struct DocumentTypeList: Sendable, Equatable {
  /// One or two letters each.
  let types: [String]

  private static let identifier = "2.23.136.1.1.6.2"

  /// - Returns: `nil` if the certificate has none, as those of 2019, or an unreadable one.
  init?(of signer: Certificate) {
    guard let encoded = signer.handle.extension(Self.identifier),
      let list = try? DocumentTypeList(encoded)
    else { return nil }
    self = list
  }

  /// `SEQUENCE { version INTEGER { v0(0) }, SET OF PrintableString }`.
  private init(_ encoded: [UInt8]) throws(TLVError) {
    var fields = try TLVCursor(inside: DER.sequence, of: encoded)
    _ = try fields.next(DER.integer)
    let list = try fields.next(DER.set).contents.all()
    types = list.map { String(decoding: $0.value.filter { $0 != MRZ.filler }, as: UTF8.self) }
  }

  /// True if documents with this code are included. The second letter of a code is the state's
  /// choice (Doc 9303-3 §4.7), so if only one of the two has it, the first one decides.
  func allows(_ code: String) -> Bool {
    types.contains { !$0.isEmpty && (code.hasPrefix($0) || !code.isEmpty && $0.hasPrefix(code)) }
  }
}
