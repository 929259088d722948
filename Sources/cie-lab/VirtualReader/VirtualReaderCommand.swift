import ArgumentParser
import VirtualCIE

internal import Glibc

/// `cie-lab virtual-reader`: a software card behind the real pcscd.
struct VirtualReaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "virtual-reader",
    abstract: "Put a software CIE into the virtual reader of a running pcscd.",
    discussion: """
      Needs pcscd with Debian's vsmartcard-vpcd; tools/virtual-reader starts both. Prints the line \
      "inserted" when pcscd has seen the card. The card stays until this is stopped, pcscd goes away, or a \
      fault removes it. This reader carries APDUs of every length.
      """)

  @Option(help: "Whose card: \(Persona.all.map(\.identifier).joined(separator: ", ")).")
  var persona = Persona.gemalto.identifier

  @Option(
    help: """
      What the card does wrong, and when: NAME[=VALUE][@N|@INS:N], separated by commas; \
      \(FaultPlan.faultNames.joined(separator: ", ")).
      """)
  var fault: String?

  @Option(
    help: """
      How the card differs from what its persona says: NAME[=VALUE], repeatable, or separated by commas; \
      \(CardOptions.optionNames.joined(separator: ", ")). A PROFILE is MAPPING-CIPHER-NUMBER, such as \
      gm-aes128-13; a WORD four hexadecimal digits; a COMMAND one of \
      \(ExtendedCommand.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var option: [String] = []

  @Option(help: "Port on which the virtual reader listens: 35963, or 35964 for its second slot.")
  var port: UInt16 = 35963

  func run() throws {
    guard let persona = Persona.named(persona) else {
      throw ValidationError("There is no persona \(persona).")
    }
    let faults: FaultPlan
    do throws(FaultPlan.ParsingError) {
      faults =
        try fault.map { text throws(FaultPlan.ParsingError) in try FaultPlan(parsing: text) }
        ?? FaultPlan()
    } catch {
      throw ValidationError("No fault plan: \(error).")
    }
    let options: CardOptions
    do throws(CardOptions.ParsingError) {
      options =
        option.isEmpty ? CardOptions() : try CardOptions(parsing: option)
    } catch {
      throw ValidationError(
        "No options of a card: \(error). There are: \(CardOptions.optionNames.joined(separator: ", "))."
      )
    }
    let link = try VPCDLink(port: port)
    let card = VirtualCard(persona: persona, faults: faults, options: options)
    CardInReader(card).serve(link) {
      print("inserted")
      // Whoever waits for the line may read it through a pipe.
      fflush(nil)
    }
  }
}
