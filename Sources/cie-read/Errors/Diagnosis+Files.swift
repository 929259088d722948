import CIECard
import Traces

/// Recordings, inputs and outputs.
extension Diagnosis {
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
    case .notPlain(let path):
      self.init(
        .usage, "input-not-a-file",
        what: Bilingual(it: "\(path) non è un file.", en: "\(path) is no file."),
        advice: Bilingual(
          it: "Ci vuole un file, non una cartella, una pipe o un dispositivo.",
          en: "It takes a file, not a folder, a pipe or a device."))
    case .noSecurityObject(let path):
      let file = DocumentFile.securityObject.fileName
      self.init(
        .usage, "no-security-object",
        what: Bilingual(
          it: "In \(path) non c'è \(file): non c'è nulla con cui confrontare.",
          en: "There is no \(file) in \(path): nothing to compare with."),
        advice: Bilingual(
          it: "Con --from va una cartella scritta da cie-read read --out.",
          en: "--from takes a folder that cie-read read --out wrote."))
    case .exists(let path):
      self.init(
        .usage, "output-exists",
        what: Bilingual(
          it: "\(path) c'è già, e non è stato toccato.",
          en: "\(path) exists already, and was not touched."),
        advice: Bilingual(
          it: "Dare un altro nome, o sovrascriverlo con --force.",
          en: "Give another name, or overwrite it with --force."))
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
