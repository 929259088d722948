import ArgumentParser
internal import Glibc

/// `cie-lab virtual-reader`: a software card behind the real pcscd.
struct VirtualReaderCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "virtual-reader",
    abstract: "Put a software CIE into the virtual reader of a running pcscd.",
    discussion: """
      Needs pcscd with Debian's vsmartcard-vpcd; tools/virtual-reader starts both. Prints the line \
      "inserted" when pcscd has seen the card, and runs until it is stopped or pcscd goes away.
      """)

  @Option(help: "Port on which the virtual reader listens: 35963, or 35964 for its second slot.")
  var port: UInt16 = 35963

  func run() throws {
    let link = try VPCDLink(port: port)
    let card = CardInReader(answerToReset: [0x3B, 0x80, 0x01, 0x81], reset: {}) { _ in
      .answer([0x6D, 0x00])
    }
    card.serve(link) {
      print("inserted")
      // Whoever waits for the line may read it through a pipe.
      fflush(nil)
    }
  }
}
