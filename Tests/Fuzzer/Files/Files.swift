internal import CIECard
internal import PKCS11Fuzzer
internal import TestSupport
@testable import Traces
@testable import CardWork
@testable import cie_read

/// Files of this machine that other programs write, and recorded conversations.
extension FuzzTarget {
  static let files = [trace, log, replay, moduleList, handlers, desktopEntry, pkcs11]

  private static let trace = FuzzTarget("trace") {
    try Seeds.traces("virtual", atMost: 6000) + Seeds.traces("attack", atMost: 4000)
  } play: { probe in
    let trace = try Trace(parsing: probe.bytes)
    let again = try? Trace(parsing: [UInt8](trace.text.utf8))
    probe.require(again == trace, "a trace that is written is read")
  }

  /// A log is read in blocks; where they end makes no difference.
  private static let log = FuzzTarget("log") {
    Seeds.lines(
      "diagnostic: x\natr: 3B8F\nextended: none\n\n# read\n> 00B08100 +1\n< 9000 +12 31 ms\n",
      "diagnostic: x\n\n> 00A4040C +7\n! pcsc SCardTransmit 80100016 5 ms\n~ power-cycle\n"
        + "diagnostic: x\n\n> 0CB08300 +15\n< 6A82 +0 1 ms\n")
  } play: { probe in
    var (whole, parts) = (LogReader(), LogReader())
    let exchanges = try whole.read(probe.bytes)
    try whole.finish()
    var again: [RecordedExchange] = []
    for start in stride(from: 0, to: probe.bytes.count, by: 7) {
      again += try parts.read([UInt8](probe.bytes[start...].prefix(7)))
    }
    probe.require(again == exchanges, "blocks of any length give the same")
    var difference = ConversationDifference()
    var selected = SelectedFile()
    for exchange in exchanges {
      difference.compare(exchange, exchange)
      _ = selected.follow(exchange, data: nil)
    }
    probe.require(difference.isEmpty, "a log equals itself")
  }

  /// A recorded conversation is run once more, whatever the recorded answers.
  private static let replay = FuzzTarget("replay") {
    try Seeds.traces("virtual", atMost: 9000)
  } play: { probe in
    let trace = try Trace(parsing: probe.bytes)
    var random = ReplayRandom(trace)
    let values = try JourneyRunner(trace.header.journey, at: trace.header.time ?? 1_767_225_600)
      .run(over: ReplayChannel(trace), random: &random)
    probe.require(values.count < 100, "a bounded result")
  }

  private static let moduleList = FuzzTarget("module-list") {
    Seeds.lines(
      "library=\nname=NSS Internal PKCS #11 Module\nparameters=configdir='sql:/a'\nNSS=Flags=internal\n\n"
        + "library=/usr/lib/cie-pkcs11.so\nname=cie-read\n\n",
      "library=/usr/lib/other.so\nname=other\n\n\nlibrary=b\nname=c\nNSS=x")
  } play: { probe in
    let list = NSSModuleList(probe.bytes)
    let added = list.adding("/a.so")
    probe.require(added.library == "/a.so", "what was added is there")
    probe.require(NSSModuleList(added.bytes) == added, "a list that is written is read")
    probe.require(list.removing().library == nil, "what was removed is not")
    probe.require(added.removing() == list.removing(), "others' entries stay")
    guard list.library != nil else { throw Unfit() }
  }

  private static let handlers = FuzzTarget("mimeapps") {
    Seeds.lines(
      "[Default Applications]\ntext/html=a.desktop\n",
      "# Made by: cie-read browser install\n[Default Applications]\nx-scheme-handler/cieid=cie-read.desktop\n",
      "[Added Associations]\na=b;\n[Default Applications]\nx-scheme-handler/cieid=other.desktop;x\n"
    )
  } play: { probe in
    let list = LinkHandlerList(probe.bytes)
    probe.require(list.bytes == probe.bytes, "others' lines stay")
    probe.require(list.adding().handler != nil, "what was added is there")
    if list.handler == nil {
      // A group that begins like ours counts as ours, and lines before the first group belong to no group. Lines are
      // told apart by bytes, because "\r\n" is one letter of a text.
      let first = probe.bytes.split(separator: UInt8(ascii: "\n"))
        .first { $0.first != UInt8(ascii: "#") }
      let belongsToNone = first.map { $0.first != UInt8(ascii: "[") } ?? false
      probe.require(
        list.adding().removing() == list || probe.bytes.starts(with: "# Made by".utf8)
          || belongsToNone, "what was added goes")
      throw Unfit()
    }
    _ = list.removing().bytes
  }

  private static let desktopEntry = FuzzTarget("desktop-entry") {
    Seeds.lines(
      DesktopEntry(program: "/usr/bin/cie-read").text, DesktopEntry(program: "/a \"b\\c$%").text)
  } play: { probe in
    if let entry = DesktopEntry(probe.text) {
      probe.require(entry.text == probe.text, "only what was written here is ours")
    }
    // Any path of a user.
    let written = DesktopEntry(program: probe.text.filter { !$0.isNewline })
    guard !written.program.utf8.contains(0x0A), !written.program.utf8.contains(0x0D) else {
      throw Unfit()
    }
    probe.require(DesktopEntry(written.text) == written, "an entry that is written is read")
  }

  private static let pkcs11 = FuzzTarget("pkcs11") {
    let path = Repository.path("Tests/PKCS11Fuzzer/seeds.txt")
    return try String(decoding: Repository.read(path), as: UTF8.self)
      .split(separator: "\n").filter { !$0.hasPrefix("#") }.map { try Hex.bytes(String($0)) }
  } play: { probe in
    guard probe.bytes.count <= 200 else { throw Unfit() }
    Host.play(probe.bytes)
  }
}
