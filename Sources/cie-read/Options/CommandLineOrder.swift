/// Lets the options that all commands share stand before the command: `cie-read --virtual nxp nis`.
///
/// ArgumentParser knows them only after the command; here they are moved there.
enum CommandLineOrder {
  private static let commands = [
    "readers", "info", "nis", "verify", "cert", "pin", "sign", "login", "demo", "help",
  ]
  private static let pinCommands = ["verify", "change", "unblock", "help"]
  private static let withValue = [
    "--reader", "--replay", "--wait", "--fault", "--record", "--language",
  ]

  private static let withEqualsSign = (withValue + ["--virtual"]).map { $0 + "=" }

  /// The arguments with those before the command moved behind it.
  ///
  /// - Throws: `unknownCommand`; ArgumentParser would blame an option.
  static func normalized(_ arguments: [String]) throws(UsageProblem) -> [String] {
    var leading: [String] = []
    var command: [String] = []
    var rest = arguments[...]
    while let next = rest.first {
      if !next.hasPrefix("-") {
        let known = command.isEmpty ? commands : pinCommands
        guard known.contains(next) else { throw .unknownCommand }
        command.append(next)
        rest = rest.dropFirst()
        // `pin` has commands of its own.
        if next != "pin" { break }
      } else if withValue.contains(next) {
        leading += rest.prefix(2)
        rest = rest.dropFirst(2)
      } else if next == "--virtual" {
        leading.append(next)
        rest = rest.dropFirst()
        if let persona = rest.first, !persona.hasPrefix("-"),
          !(commands + pinCommands).contains(persona)
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
    let isWhole = !command.isEmpty && command != ["pin"]
    return command + (isWhole ? leading : []) + rest
  }
}
