import CIECard

/// Trust anchors and master lists.
extension Diagnosis {
  init(_ error: TrustStoreError) {
    if case .masterList(let path, let error) = error {
      self.init(error, path: path)
      return
    }
    let (name, what) = Self.parts(of: error)
    self.init(
      .usage, "trust-\(name)", what: what,
      advice: Bilingual(
        it:
          "Con --trust va un file o una cartella di certificati CSCA, in PEM o DER, o una master list.",
        en:
          "--trust takes a file or a folder of CSCA certificates, in PEM or DER, or a master list.")
    )
  }

  private static func parts(of error: TrustStoreError) -> (String, Bilingual) {
    switch error {
    case .empty:
      ("empty", Bilingual(it: "Non c'è alcun certificato.", en: "There is no certificate."))
    case .notFound(let path):
      ("not-found", Bilingual(it: "\(path) non esiste.", en: "\(path) does not exist."))
    case .unreadable(let path, let code):
      (
        "unreadable",
        Bilingual(
          it: "\(path) non si può leggere: \(systemMessage(code)).",
          en: "\(path) cannot be read: \(systemMessage(code)).")
      )
    case .notAFile(let path):
      (
        "not-a-file",
        Bilingual(
          it: "\(path) non è un file né una cartella.", en: "\(path) is no file and no folder.")
      )
    case .tooLarge(let path, let limit):
      (
        "too-large",
        Bilingual(
          it: "\(path) supera \(limit) byte.", en: "\(path) is larger than \(limit) bytes.")
      )
    case .tooManyFiles(let path, let limit):
      (
        "too-many-files",
        Bilingual(
          it: "\(path) contiene più di \(limit) file.", en: "\(path) has more than \(limit) files.")
      )
    case .notACertificate(let path, let reason):
      (
        "not-a-certificate",
        Bilingual(
          it: "\(path) non è un certificato (\(reason)).",
          en: "\(path) is no certificate (\(reason)).")
      )
    case .masterList(let path, let error): (error.name, error.what(path))
    }
  }

  private init(_ error: MasterListError, path: String) {
    self.init(
      error.exit, "trust-\(error.name)", what: error.what(path), advice: error.advice)
  }
}

extension MasterListError {
  fileprivate var exit: ExitStatus {
    switch self {
    case .notSignedData, .contentType, .noSigner, .malformedList, .empty: .usage
    case .contentsAltered, .signatureWrong, .notIssued, .chainRefused, .notASigner: .false
    case .unsupportedAlgorithm, .signerUnknown, .notInForce: .couldNotCheck
    }
  }

  fileprivate var name: String {
    switch self {
    case .notSignedData, .contentType, .noSigner: "not-a-master-list"
    case .malformedList, .empty: "master-list-malformed"
    case .contentsAltered, .signatureWrong: "master-list-false"
    case .unsupportedAlgorithm: "master-list-algorithm"
    case .signerUnknown: "master-list-signer-unknown"
    case .notIssued, .chainRefused, .notASigner: "master-list-signer-false"
    case .notInForce: "master-list-signer-ended"
    }
  }

  fileprivate var advice: Bilingual {
    switch self {
    case .notSignedData, .contentType, .noSigner, .malformedList, .empty, .contentsAltered,
      .signatureWrong:
      Bilingual(
        it: "Scaricarla di nuovo da chi la pubblica, ed estrarla dall'archivio.",
        en: "Fetch it anew from its publisher, and unpack it.")
    case .unsupportedAlgorithm:
      Bilingual(
        it: "Usare una versione più recente del programma, o un'altra master list.",
        en: "Use a newer version of the program, or another master list.")
    case .signerUnknown, .notIssued, .chainRefused, .notASigner, .notInForce:
      Bilingual(
        it: "Importarla con cie-read trust import, e con --signed-by la CSCA di chi la pubblica.",
        en: "Import it with cie-read trust import, and --signed-by the CSCA of its publisher.")
    }
  }

  fileprivate func what(_ path: String) -> Bilingual {
    switch self {
    case .notSignedData(let reason):
      Bilingual(
        it: "\(path) non è una master list (\(reason)).",
        en: "\(path) is no master list (\(reason)).")
    case .contentType(let type):
      Bilingual(
        it: "\(path) non è una master list (contenuto \(type)).",
        en: "\(path) is no master list (contents \(type)).")
    case .noSigner:
      Bilingual(
        it: "\(path) non ha un firmatario con il suo certificato.",
        en: "\(path) has no signer with a certificate.")
    case .contentsAltered:
      Bilingual(
        it: "La master list \(path) è stata cambiata dopo la firma.",
        en: "The master list \(path) was changed after signing.")
    case .signatureWrong:
      Bilingual(
        it: "La firma della master list \(path) è falsa.",
        en: "The signature of the master list \(path) is false.")
    case .unsupportedAlgorithm(let identifier):
      Bilingual(
        it:
          "La master list \(path) è firmata con un algoritmo o una curva sconosciuti (\(identifier)).",
        en: "The master list \(path) is signed with an unknown algorithm or curve (\(identifier)).")
    case .signerUnknown(let issuer):
      Bilingual(
        it:
          "Per la master list \(path) manca la CSCA che garantisce il firmatario: \(issuer.text).",
        en: "For the master list \(path) the CSCA behind its signer is missing: \(issuer.text).")
    case .notIssued(let issuer):
      Bilingual(
        it: "Il firmatario della master list \(path) non è stato emesso da \(issuer.text).",
        en: "The signer of the master list \(path) was not issued by \(issuer.text).")
    case .chainRefused(let reason):
      Bilingual(
        it: "Il firmatario della master list \(path) non è credibile (\(reason)).",
        en: "The signer of the master list \(path) is not believed (\(reason)).")
    case .notASigner:
      Bilingual(
        it: "La chiave che ha firmato \(path) non è per master list.",
        en: "The key that signed \(path) is not one for master lists.")
    case .notInForce(let signer):
      Bilingual(
        it: "I certificati di chi ha firmato \(path) non sono in vigore oggi; il suo va "
          + "dal \(UTCTime.text(signer.notBefore)) al \(UTCTime.text(signer.notAfter)).",
        en: "The certificates of who signed \(path) are not in force today; its own goes "
          + "from \(UTCTime.text(signer.notBefore)) to \(UTCTime.text(signer.notAfter)).")
    case .malformedList:
      Bilingual(
        it: "Il contenuto della master list \(path) non ha la forma prescritta.",
        en: "The contents of the master list \(path) do not have their form.")
    case .empty:
      Bilingual(
        it: "La master list \(path) non ha alcun certificato leggibile.",
        en: "The master list \(path) has no certificate that can be read.")
    }
  }
}
