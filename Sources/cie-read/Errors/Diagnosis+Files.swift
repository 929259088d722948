import CIECard

/// Trust anchors, recordings, inputs and outputs.
extension Diagnosis {
  init(_ error: TrustStoreError) {
    let (name, what) = Self.parts(of: error)
    self.init(
      .usage, "trust-\(name)", what: what,
      advice: Bilingual(
        it: "Con --trust va un file o una cartella di certificati CSCA, in PEM o DER.",
        en: "--trust takes a file or a folder of CSCA certificates, in PEM or DER."))
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
    }
  }

  init(_ problem: FileProblem) {
    switch problem {
    case .unreadable(let path, let code):
      self.init(
        .usage, "input-unreadable",
        what: Bilingual(
          it: "\(path) non si può leggere: \(systemMessage(code)).",
          en: "\(path) cannot be read: \(systemMessage(code))."),
        advice: Bilingual(
          it: "Controllare il nome e i permessi.", en: "Check the name and the permissions."))
    case .unwritable(let path, let code):
      self.init(
        .internalFailure, "output-unwritable",
        what: Bilingual(
          it: "\(path) non si può scrivere: \(systemMessage(code)).",
          en: "\(path) cannot be written: \(systemMessage(code))."),
        advice: Bilingual(
          it: "Controllare la cartella, i permessi e lo spazio; il file che c'era è intatto.",
          en: "Check the folder, its permissions and space; a file that was there is untouched."))
    case .configuration(let path, let line):
      self.init(
        .usage, "config-invalid",
        what: Bilingual(
          it: "\(path), riga \(line): non è NOME=VALORE con un nome noto, una volta sola.",
          en: "\(path), line \(line): not NAME=VALUE with a known name, once only."),
        advice: Bilingual(
          it: "I nomi: SP_URL, SP_URL_SCHEME, CIE_ENVIRONMENT.",
          en: "The names: SP_URL, SP_URL_SCHEME, CIE_ENVIRONMENT."))
    case .output(let code):
      self.init(
        .internalFailure, "output-failed",
        what: Bilingual(
          it: "Il risultato non si può scrivere: \(systemMessage(code)).",
          en: "The result cannot be written: \(systemMessage(code))."),
        advice: Bilingual(
          it: "Controllare dove va l'uscita del programma.",
          en: "Check where the output of the program goes."))
    }
  }

  init(_ error: TraceError) {
    self.init(
      .usage, "trace-malformed",
      what: Bilingual(
        it: "La registrazione non è valida alla riga \(error.line) (\(error.kind)).",
        en: "The recording is not valid at line \(error.line) (\(error.kind))."),
      advice: Bilingual(
        it: "Con --replay va un file nel formato di CardTraces/README.md.",
        en: "--replay takes a file in the format of CardTraces/README.md."))
  }
}
