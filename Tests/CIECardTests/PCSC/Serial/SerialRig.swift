import Dispatch
import Foundation
import Glibc
import TestSupport
import Testing

@testable import CIECard
@testable import cie_lab

/// A reader on a serial line behind Debian's CCID driver, in place of the virtual reader while it lives.
///
/// The driver opens the line when pcscd starts, so the service is stopped and started around it.
final class SerialRig {
  static let name = "CCID reader 00 00"
  let reader: CCIDReader
  private let folder: TemporaryDirectory

  /// - Parameters:
  ///   - card: the card in the reader; `nil` for an empty one.
  ///   - faults: the faults on the connection to it.
  ///   - driverOptions: ifdDriverOptions of the driver; bit 1 sets such a reader to short APDUs in place of blocks.
  init(
    _ card: (@Sendable () -> CardInReader)? = nil, faults: TransmissionFaults = .init(),
    driverOptions: String? = nil
  ) throws {
    try #require(PCSCRig.isUp, "CI is set, but there is no tools/with-pcscd around the tests")
    let link = "/run/pcscd/line"
    folder = try TemporaryDirectory()
    var variables: [String] = []
    if let driverOptions {
      let bundle = "drivers/ifd-ccid.bundle/Contents"
      try folder.makeFolder(bundle)
      let usual = try String(contentsOfFile: "/etc/libccid_Info.plist", encoding: .utf8)
      let key = "<key>ifdDriverOptions</key>"
      let halves = usual.components(separatedBy: key)
      let changed = halves.joined(separator: "\(key)<string>\(driverOptions)</string><key>x</key>")
      try folder.write("\(bundle)/Info.plist", [UInt8](changed.utf8))
      variables = ["PCSCLITE_HP_DROPDIR=\(folder.path("drivers"))"]
    }
    try folder.makeFolder("readers")
    try folder.write(
      "readers/ccid",
      [UInt8](
        """
        FRIENDLYNAME "CCID reader"
        DEVICENAME \(link):GemPCTwin
        LIBPATH /usr/lib/pcsc/drivers/serial/libccidtwin.so

        """.utf8))
    let reader = try CCIDReader(link: link)
    self.reader = reader
    reader.post(.faults(faults))
    if let card { reader.post(.insert(card)) }
    DispatchQueue(label: "reader").async { reader.serve() }
    try PCSCRig.stopService(SIGKILL)
    try PCSCRig.startService(
      ["--config", folder.path("readers")], variables: variables, readers: 1)
    if card != nil { try settle(isOccupied: true) }
  }

  /// Queues an event of the reader.
  func post(_ event: CCIDReader.Event) { reader.post(event) }

  /// Queues an event of the reader, and waits until it is handled.
  func perform(_ event: CCIDReader.Event) { reader.perform(event) }

  /// Exchanges the card.
  func exchange(_ card: @escaping @Sendable () -> CardInReader) throws {
    post(.remove)
    try settle(isOccupied: false)
    post(.insert(card))
    try settle(isOccupied: true)
  }

  /// Waits until pcscd has seen it.
  private func settle(isOccupied: Bool) throws {
    try PCSCRig.eventually("pcscd sees the card") {
      (try? PCSCContext().readers().first?.answerToReset?.isEmpty == false) == isOccupied
    }
  }

  deinit {
    // The service first: a driver whose line hangs up polls end-of-file for ever.
    #expect(throws: Never.self) { try PCSCRig.stopService(SIGKILL) }
    reader.stop()
    #expect(throws: Never.self) { try PCSCRig.startService() }
  }
}
