import ArgumentParser

/// How results come out; every command has these.
struct OutputOptions: ParsableArguments {
  @Flag(
    help: .text(
      it: "Scrive un solo oggetto JSON sullo standard output.",
      en: "Print one JSON object on standard output."))
  var json = false

  // Read before parsing, too: whoever makes a file asks the session.
  @Flag(
    help: .text(
      it: "Sovrascrive i file che ci sono già.", en: "Overwrite files that exist already."))
  var force = false

  // Read before parsing, where help and errors need it already; here it is listed and checked.
  @Option(
    help: .text(
      it: "Lingua dei messaggi: it o en (altrimenti dal locale).",
      en: "Language of the messages: it or en (else from the locale).", value: "it|en"))
  var language: Language?
}
