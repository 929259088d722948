import ArgumentParser

/// Where the PIN comes from.
struct PINOptions: ParsableArguments {
  @Option(
    help: .text(
      it: "Legge il PIN dal descrittore N.", en: "Read the PIN from descriptor N.", value: "n"))
  var pinFd: Int32?

  @Option(
    help: .text(
      it: "Legge il PIN da un file che nessun altro può leggere.",
      en: "Read the PIN from a file that nobody else can read.", value: "file"))
  var pinFile: String?

  func code(_ session: Session) throws(Failure) -> AwaitedCode {
    try AwaitedCode(.pin, descriptor: pinFd, file: pinFile, in: session)
  }
}

/// Where the PUK comes from.
struct PUKOptions: ParsableArguments {
  @Option(
    help: .text(
      it: "Legge il PUK dal descrittore N.", en: "Read the PUK from descriptor N.", value: "n"))
  var pukFd: Int32?

  @Option(
    help: .text(
      it: "Legge il PUK da un file che nessun altro può leggere.",
      en: "Read the PUK from a file that nobody else can read.", value: "file"))
  var pukFile: String?

  func code(_ session: Session) throws(Failure) -> AwaitedCode {
    try AwaitedCode(.puk, descriptor: pukFd, file: pukFile, in: session)
  }
}

/// Where the new PIN comes from.
struct NewPINOptions: ParsableArguments {
  @Option(
    help: .text(
      it: "Legge il nuovo PIN dal descrittore N.", en: "Read the new PIN from descriptor N.",
      value: "n"))
  var newPinFd: Int32?

  @Option(
    help: .text(
      it: "Legge il nuovo PIN da un file che nessun altro può leggere.",
      en: "Read the new PIN from a file that nobody else can read.", value: "file"))
  var newPinFile: String?

  func code(_ session: Session) throws(Failure) -> AwaitedCode {
    try AwaitedCode(.newPIN, descriptor: newPinFd, file: newPinFile, in: session)
  }
}

/// The guard of the last try.
struct TryOptions: ParsableArguments {
  @Flag(
    help: .text(
      it: "Consente di usare l'ultimo tentativo.", en: "Allow the last try to be spent."))
  var allowLastTry = false
}
