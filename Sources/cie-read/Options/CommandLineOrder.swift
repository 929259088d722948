import VirtualCIE

/// Lets the options that all commands share stand before the command: `cie-read --virtual nxp nis`.
///
/// ArgumentParser knows them only after the command; here they are moved there.
enum CommandLineOrder {
  private static let commands = [
    "readers", "info", "nis", "verify", "read", "cert", "pin", "sign", "login", "trust", "demo",
    "help",
  ]
  /// The commands that have commands of their own.
  private static let subcommands = [
    "pin": ["verify", "change", "unblock", "help"], "trust": ["list", "import", "help"],
  ]
  private static let withValue = [
    "--reader", "--replay", "--wait", "--fault", "--record", "--language",
  ]

  private static let withEqualsSign = (withValue + ["--virtual"]).map { $0 + "=" }

  /// `--virtual LINK` means the usual persona: no persona is called like a URL. Neither is one called like a file that
  /// is to be signed.
  private static func withoutLinkAsPersona(_ arguments: [String]) -> [String] {
    let isSign = arguments.first == "sign"
    return zip(arguments, arguments.dropFirst() + [""]).map { argument, next in
      let isNoPersona =
        next.contains(":")
        || isSign && !next.isEmpty && !next.hasPrefix("--") && Persona.named(next) == nil
      return argument == "--virtual" && isNoPersona ? "--virtual=gemalto" : argument
    }
  }

  /// The arguments with those before the command moved behind it.
  ///
  /// - Throws: `unknownCommand`; ArgumentParser would blame an option.
  static func normalized(_ arguments: [String]) throws(UsageProblem) -> [String] {
    var leading: [String] = []
    var command: [String] = []
    var rest = arguments[...]
    while let next = rest.first {
      if !next.hasPrefix("-") {
        let known = command.first.flatMap { subcommands[$0] } ?? commands
        guard known.contains(next) else { throw .unknownCommand }
        command.append(next)
        rest = rest.dropFirst()
        if command.count > 1 || subcommands[next] == nil { break }
      } else if withValue.contains(next) {
        leading += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if next == "--virtual" {
        leading.append(next)
        rest = rest.dropFirst()
        if let persona = rest.first, !persona.hasPrefix("-"),
          !(commands + subcommands.values.joined()).contains(persona)
        {
          leading.append(persona)
          rest = rest.dropFirst()
        }
      } else if next == "--json" || withEqualsSign.contains(where: next.hasPrefix) {
        leading.append(next)
        rest = rest.dropFirst()
      } else {
        break
      }
    }
    // Without a command those options mean nothing: `--language it --help`, or `--json` alone.
    let isWhole = command.count > 1 || command.first.map { subcommands[$0] == nil } ?? false
    return withoutLinkAsPersona(command + (isWhole ? leading : []) + rest)
  }
}
