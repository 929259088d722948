import VirtualCIE

/// Command lines that are not understood.
extension Diagnosis {
  init(_ problem: UsageProblem) {
    self.init(
      .usage, problem.name, what: problem.what,
      advice: Bilingual(
        it: "Vedere cie-read --help, o cie-read help COMANDO.",
        en: "See cie-read --help, or cie-read help COMMAND."))
  }
}

extension UsageProblem {
  fileprivate var name: String {
    switch self {
    case .parser(let problem): problem.name
    case .severalSources: "several-sources"
    case .genuineTwice: "genuine-twice"
    case .faultWithoutVirtual: "fault-without-virtual"
    case .recordOfReplay: "record-of-replay"
    case .unknownPersona: "unknown-persona"
    case .fault: "bad-fault"
    case .option: "bad-option"
    case .wait: "bad-wait"
    case .challenge: "bad-challenge"
    case .severalCodeSources(let role): "several-\(role.rawValue)-sources"
    case .standardInputTwice: "standard-input-twice"
    case .binaryToTerminal: "binary-to-terminal"
    case .outputTwice: "output-twice"
    case .noInput: "missing-option"
    case .inputTwice: "input-twice"
    case .outCount: "out-count"
    case .timeout: "bad-timeout"
    case .deadline: "bad-deadline"
    case .severalStarts: "several-starts"
    case .noStart: "no-start"
    case .otherStart: "wrong-start"
    case .expectation: "bad-expectation"
    case .receiver: "bad-receiver"
    case .noDesktopProgram: "no-desktop-program"
    case .scheme: "bad-scheme"
    case .noTrustFolder: "no-trust-folder"
    case .document(let problem): problem.name
    case .noCommand: "no-command"
    case .unknownCommand: "unknown-command"
    case .unknownTopic: "unknown-topic"
    }
  }

  fileprivate var what: Bilingual {
    switch self {
    case .parser(let problem): problem.what
    case .severalSources:
      Bilingual(
        it: "Si può dare una sola tra --reader, --virtual e --replay.",
        en: "Only one of --reader, --virtual and --replay can be given.")
    case .genuineTwice:
      Bilingual(
        it: "--require-genuine e --skip-genuine-check si contraddicono.",
        en: "--require-genuine and --skip-genuine-check contradict each other.")
    case .faultWithoutVirtual:
      Bilingual(
        it: "--fault e --option valgono solo con --virtual.",
        en: "--fault and --option go only with --virtual.")
    case .recordOfReplay:
      Bilingual(
        it: "--record non vale con --replay.", en: "--record does not go with --replay.")
    case .unknownPersona:
      Bilingual(
        it: "--virtual non conosce questa carta; ci sono: \(Self.personas).",
        en: "--virtual does not know this card; there are: \(Self.personas).")
    case .fault(let error): error.what
    case .option(let error): error.what
    case .wait:
      Bilingual(
        it: "--wait vuole un numero di secondi tra 0 e 86400.",
        en: "--wait takes a number of seconds from 0 to 86400.")
    case .challenge:
      Bilingual(
        it: "--challenge vuole da 8 a 102 byte in esadecimale.",
        en: "--challenge takes 8 to 102 bytes in hexadecimal.")
    case .severalCodeSources(let role):
      Bilingual(
        it: "Si può dare una sola tra --\(role.rawValue)-fd e --\(role.rawValue)-file.",
        en: "Only one of --\(role.rawValue)-fd and --\(role.rawValue)-file can be given.")
    case .standardInputTwice:
      Bilingual(
        it: "Lo standard input serve per due cose diverse.",
        en: "Standard input is wanted for two things.")
    case .binaryToTerminal:
      Bilingual(
        it: "Dati binari non vanno su un terminale: usare --out FILE.",
        en: "Binary data does not go to a terminal: use --out FILE.")
    case .outputTwice:
      Bilingual(
        it: "Lo standard output serve per due cose diverse.",
        en: "Standard output is wanted for two things.")
    case .noInput:
      Bilingual(it: "Manca il file da firmare.", en: "The file to sign is missing.")
    case .inputTwice:
      Bilingual(
        it: "I file da firmare vanno tutti con --in, o tutti senza.",
        en: "The files to sign are all given with --in, or all without.")
    case .outCount:
      Bilingual(
        it: "Serve un --out per ogni file, oppure nessuno.",
        en: "It takes one --out for each file, or none.")
    case .timeout:
      Bilingual(
        it: "--timeout vuole un numero di secondi tra 1 e 600.",
        en: "--timeout takes a number of seconds from 1 to 600.")
    case .deadline:
      Bilingual(
        it: "--deadline vuole un numero di secondi tra 1 e 86400.",
        en: "--deadline takes a number of seconds from 1 to 86400.")
    case .severalStarts:
      Bilingual(
        it: "Si può dare un link o --sp-url, non tutti e due.",
        en: "Either a link or --sp-url can be given, not both.")
    case .noStart:
      Bilingual(
        it: "Manca il link, o la pagina del servizio (--sp-url, SP_URL).",
        en: "The link is missing, or the service's page (--sp-url, SP_URL).")
    case .otherStart(let option, true):
      Bilingual(
        it: "\(option) vale solo con un LINK.", en: "\(option) goes only with a LINK.")
    case .otherStart(let option, false):
      Bilingual(
        it: "\(option) vale solo con --sp-url.", en: "\(option) goes only with --sp-url.")
    case .expectation:
      Bilingual(
        it: "--expect vuole text:TESTO, css:SELETTORE semplice, o url:INDIRIZZO.",
        en: "--expect takes text:TEXT, css:SELECTOR of the simple kinds, or url:ADDRESS.")
    case .receiver:
      Bilingual(
        it: "--allow-receiver vuole un indirizzo https.",
        en: "--allow-receiver takes an https address.")
    case .noDesktopProgram(let option):
      Bilingual(
        it: "Per \(option) manca il programma: wl-copy su Wayland, xclip o xsel su X11; xdg-open.",
        en:
          "The program for \(option) is missing: wl-copy on Wayland, xclip or xsel on X11; xdg-open."
      )
    case .scheme:
      Bilingual(
        it: "SP_URL_SCHEME non è uno schema di URL.", en: "SP_URL_SCHEME is no URL scheme.")
    case .noTrustFolder:
      Bilingual(
        it: "Serve --to: né XDG_DATA_HOME né HOME dicono dove importare.",
        en: "--to is needed: neither XDG_DATA_HOME nor HOME tells where to import.")
    case .document(let problem): problem.what
    case .noCommand:
      Bilingual(it: "Manca il comando.", en: "The command is missing.")
    case .unknownCommand:
      Bilingual(
        it: "Questo comando non esiste; PIN e PUK non si scrivono mai sulla riga di comando.",
        en: "There is no such command; PIN and PUK never go on the command line.")
    case .unknownTopic:
      Bilingual(
        it: "Su questo non c'è aiuto: ci sono i comandi, exit-codes ed environment.",
        en: "There is no help about this: there are the commands, exit-codes and environment.")
    }
  }

  private static var personas: String { Persona.everyone.map(\.identifier).joined(separator: ", ") }
}

extension ParserProblem {
  fileprivate var name: String {
    switch self {
    case .unknownOption: "unknown-option"
    case .missingValue: "missing-value"
    case .missingOption: "missing-option"
    case .badValue: "bad-value"
    case .unexpectedWords: "unexpected-argument"
    case .other: "usage"
    }
  }

  fileprivate var what: Bilingual {
    switch self {
    case .unknownOption(let name?, let meant?):
      Bilingual(
        it: "L'opzione \(name) non esiste; forse \(meant)?",
        en: "There is no option \(name); perhaps \(meant)?")
    case .unknownOption(let name?, nil):
      Bilingual(it: "L'opzione \(name) non esiste.", en: "There is no option \(name).")
    case .unknownOption(nil, _):
      Bilingual(it: "Un'opzione non esiste.", en: "There is no such option.")
    case .missingValue(let name):
      Bilingual(
        it: "Manca il valore di \(name ?? "un'opzione").",
        en: "The value of \(name ?? "an option") is missing.")
    case .missingOption(let name):
      Bilingual(
        it: "Manca \(name ?? "un'opzione necessaria").",
        en: "\(name ?? "A necessary option") is missing.")
    case .badValue(let name):
      Bilingual(
        it: "Il valore di \(name ?? "un'opzione") non va bene.",
        en: "The value of \(name ?? "an option") cannot be used.")
    case .unexpectedWords:
      Bilingual(
        it: "Ci sono parole di troppo; PIN e PUK non si scrivono mai sulla riga di comando.",
        en: "There are words too many; PIN and PUK never go on the command line.")
    case .other:
      Bilingual(
        it: "La riga di comando non è comprensibile.",
        en: "The command line is not understood.")
    }
  }
}

extension CardOptions.ParsingError {
  fileprivate var what: Bilingual {
    let names = CardOptions.optionNames.joined(separator: ", ")
    return switch self {
    case .unknownOption:
      Bilingual(
        it: "--option non conosce questa variante; ci sono: \(names).",
        en: "--option does not know this variant; there are: \(names).")
    case .badValue:
      Bilingual(
        it: "Il valore della variante non va bene; le forme: \(names).",
        en: "The value of the variant cannot be used; the forms: \(names).")
    }
  }
}

extension FaultPlan.ParsingError {
  fileprivate var what: Bilingual {
    let names = FaultPlan.faultNames.joined(separator: ", ")
    return switch self {
    case .unknownFault:
      Bilingual(
        it: "--fault non conosce questo guasto; ci sono: \(names).",
        en: "--fault does not know this fault; there are: \(names).")
    case .badValue:
      Bilingual(
        it: "Il valore del guasto non va bene; le forme: \(names).",
        en: "The value of the fault cannot be used; the forms: \(names).")
    case .badMoment:
      Bilingual(
        it: "Dopo @ va il numero di un APDU, o INS:N come 20:1.",
        en: "After @ goes the number of an APDU, or INS:N such as 20:1.")
    }
  }
}
