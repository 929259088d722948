import CIECard

extension ChipFamily {
  /// The hint, for people.
  var text: Bilingual {
    switch self {
    case .gemalto: Bilingual(it: "Gemalto", en: "Gemalto")
    case .gemalto2: Bilingual(it: "Gemalto, seconda serie", en: "Gemalto, second series")
    case .stm: Bilingual(it: "STMicroelectronics", en: "STMicroelectronics")
    case .nxp: Bilingual(it: "NXP", en: "NXP")
    case .itj4: Bilingual(it: "JCOP 4 (ITJ4)", en: "JCOP 4 (ITJ4)")
    case .unknown: Bilingual(it: "chip sconosciuto", en: "unknown chip")
    }
  }
}

extension CardApplication {
  /// Its name, for people.
  var text: Bilingual {
    switch self {
    case .ias: Bilingual(it: "IAS ECC", en: "IAS ECC")
    case .masterFile: Bilingual(it: "file principale (MF)", en: "master file (MF)")
    case .cie: Bilingual(it: "CIE", en: "CIE")
    case .travelDocument:
      Bilingual(it: "documento di viaggio (eMRTD)", en: "travel document (eMRTD)")
    }
  }
}
