import ArgumentParser

/// Where the PIN comes from.
struct PINOptions: ParsableArguments {
  @Option(
    help: .text("option.pin-fd", value: "n"))
  var pinFd: Int32?

  @Option(
    help: .text("option.pin-file", value: "file"))
  var pinFile: String?

  func code(_ session: Session) throws(Failure) -> AwaitedCode {
    try AwaitedCode(.pin, descriptor: pinFd, file: pinFile, in: session)
  }
}

/// Where the PUK comes from.
struct PUKOptions: ParsableArguments {
  @Option(
    help: .text("option.puk-fd", value: "n"))
  var pukFd: Int32?

  @Option(
    help: .text("option.puk-file", value: "file"))
  var pukFile: String?

  func code(_ session: Session) throws(Failure) -> AwaitedCode {
    try AwaitedCode(.puk, descriptor: pukFd, file: pukFile, in: session)
  }
}

/// Where the new PIN comes from.
struct NewPINOptions: ParsableArguments {
  @Option(
    help: .text("option.new-pin-fd", value: "n"))
  var newPinFd: Int32?

  @Option(
    help: .text("option.new-pin-file", value: "file"))
  var newPinFile: String?

  func code(_ session: Session) throws(Failure) -> AwaitedCode {
    try AwaitedCode(.newPIN, descriptor: newPinFd, file: newPinFile, in: session)
  }
}

/// The guard of the last try.
struct TryOptions: ParsableArguments {
  @Flag(
    help: .text("option.allow-last-try"))
  var allowLastTry = false
}
