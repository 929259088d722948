import ArgumentParser
import Messages

/// How results come out; every command has these.
struct OutputOptions: ParsableArguments {
  @Flag(
    help: .text("option.json"))
  var json = false

  // Read before parsing, too: whoever makes a file asks the session.
  @Flag(
    help: .text("option.force"))
  var force = false

  // Read before parsing, where help and errors need it already; here it is listed and checked.
  @Option(
    help: .text("option.language", value: "it|en"))
  var language: Language?
}
