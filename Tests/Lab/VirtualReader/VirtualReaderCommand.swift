import Arguments
import VirtualCIE

internal import Glibc
internal import Primitives

/// `cie-lab virtual-reader`: a software card behind the real pcscd.
struct VirtualReaderCommand: LabCommand {
  static let configuration = CommandConfiguration(
    "virtual-reader", "Put a software CIE into the virtual reader of a running pcscd.",
    discussion: """
      Needs pcscd with Debian's vsmartcard-vpcd, or with Debian's libccid, which drives a reader that this \
      program plays on a serial line; tools/lab virtual-reader starts all of it. Prints the line "inserted" when \
      pcscd has seen the card. The card stays until this is stopped, pcscd goes away, or a fault removes it. \
      Both readers carry APDUs of every length.
      """)

  @Option(help: "The driver in pcscd: vpcd, or ccid, which must find the line when pcscd starts.")
  var driver = Driver.vpcd

  @Option(help: "With --driver ccid: where the driver finds the serial line.")
  var link = "/run/pcscd/reader"

  @Option(
    help: """
      With --driver ccid: what goes wrong between reader and card, NAME@NUMBER or NAME@FROM-TO of the blocks \
      that it gets, separated by commas; \
      \(TransmissionFaults.Fault.allCases.map(\.rawValue).joined(separator: ", ")).
      """)
  var transmission: String?

  @Option(help: "Whose card: \(Persona.everyone.map(\.identifier).joined(separator: ", ")).")
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

  @Option(
    help: """
      A file that gets a line for each command: header, status word, and what the card has counted; never data.
      """)
  var diary: String?

  @Option(
    help: """
      With --driver vpcd: a file that gets the moments of the card: laid down, powered on, and when each command came and \
      was answered, in nanoseconds of the machine's clock.
      """)
  var times: String?

  func run() throws {
    guard let persona = Persona.named(persona) else {
      throw LabError("There is no persona \(persona).")
    }
    let faults = try fault.map { text in
      try mapError(try FaultPlan(parsing: text)) { (error: FaultPlan.ParsingError) in
        LabError("No fault plan: \(error).")
      }
    }
    let names = CardOptions.optionNames.joined(separator: ", ")
    let options =
      option.isEmpty
      ? CardOptions()
      : try mapError(try CardOptions(parsing: option)) { (error: CardOptions.ParsingError) in
        LabError("No options of a card: \(error). There are: \(names).")
      }
    let diary = try diary.map { path in CardDiary(file: try LineFile(path: path)) }
    let times = try times.map { path in CardTimes(file: try LineFile(path: path)) }
    @Sendable func card() -> CardInReader {
      CardInReader(
        VirtualCard(persona: persona, faults: faults ?? FaultPlan(), options: options),
        diary: diary)
    }
    func inserted() {
      print("inserted")
      // A program that waits for the line may read it through a pipe.
      fflush(nil)
    }
    switch driver {
    case .vpcd:
      guard transmission == nil else {
        throw LabError("--transmission goes with --driver ccid.")
      }
      let card = times?.noting(card()) ?? card()
      var isSeen = false
      while !isSeen {
        let link = try VPCDLink(port: port)
        times?.note("laid-down")
        isSeen = card.serve(link) {
          times?.note("powered")
          inserted()
        }
        // More than two of pcscd's polls, which then see the reader empty.
        if !isSeen { usleep(1_000_000) }
      }
    case .ccid:
      guard times == nil else { throw LabError("--times goes with --driver vpcd.") }
      let reader = try CCIDReader(link: link)
      let faults = try transmission.map { text in
        try mapError(try TransmissionFaults(parsing: text)) {
          (error: TransmissionFaults.ParsingError) in
          LabError("No fault of transmission: \(error.part).")
        }
      }
      reader.post(.faults(faults ?? TransmissionFaults()))
      reader.post(.insert(card))
      reader.serve(inserted: inserted)
    }
  }

  /// A driver in Debian whose reader is a program.
  enum Driver: String, ArgumentValue, CaseIterable {
    case vpcd
    case ccid
  }
}
