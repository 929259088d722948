internal import CIECard
internal import Primitives

/// Follows the application and the file that are selected, as far as a conversation shows it: a log has no identifiers,
/// but the length of a name in clear and short identifiers.
package struct SelectedFile: Sendable {
  private var application = Application.root
  private var current: String?

  private enum Application { case root, cie, travelDocument }

  package init() {}

  /// The application or file that a command is about; nil if it is about none, or if that is unknown.
  ///
  /// - Parameter data: the data field in clear; nil if it is unknown.
  package mutating func follow(_ exchange: RecordedExchange, data: [UInt8]?) -> String? {
    guard exchange.header.count == 4 else {
      self = SelectedFile()
      return nil
    }
    let before = self
    let name = name(of: exchange, data)
    // A refused selection leaves the file before it (ISO/IEC 7816-4 §11.2.2).
    if let reply = exchange.reply, reply.status.rawValue >= 0x6300, reply.status != .success {
      self = before
    }
    return name
  }

  private mutating func name(of exchange: RecordedExchange, _ data: [UInt8]?) -> String? {
    let first = exchange.header[2]
    switch exchange.header[1] {
    case 0xA4:
      return first == 0x04
        ? select(data, length: exchange.isProtected ? nil : exchange.sent - 1)
        : selectFile(data, isRoot: first == 0 && exchange.sent == 0)
    case 0xB0 where first & 0x80 != 0:
      current = name(short: first & 0x1F, isProtected: exchange.isProtected)
      return current
    case 0xB0, 0xB1: return current
    default: return nil
    }
  }

  /// SELECT by name: by the identifier, or by its length.
  private mutating func select(_ data: [UInt8]?, length: Int?) -> String? {
    current = nil
    switch (data, data?.count ?? length) {
    case ([0xA0, 0, 0, 0, 0, 0x39], _), (nil, 6): application = .cie
    case ([0xA0, 0, 0, 0x02, 0x47, 0x10, 0x01], _), (nil, 7): application = .travelDocument
    case ([0xA0, 0, 0, 0, 0x30, 0x80, 0, 0, 0, 0x09, 0x81, 0x60, 0x01], _), (nil, 13):
      application = .root
      return "IAS ECC"
    case (let data?, _): return data.hexadecimal
    // Under secure messaging alone the length is unknown, and the travel document is what is selected there.
    case (nil, nil): application = .travelDocument
    case (nil, _): return nil
    }
    return application == .cie ? "CIE" : "eMRTD"
  }

  private mutating func selectFile(_ data: [UInt8]?, isRoot: Bool) -> String? {
    if isRoot || data == [0x3F, 0x00] {
      application = .root
      current = nil
      return "MF"
    }
    current = data.flatMap { name(identifier: $0) }
    return current
  }

  private func name(identifier: [UInt8]) -> String {
    let text = identifier.hexadecimal
    let name: String? =
      switch (application, text) {
      case (_, "2F00"): "EF.DIR"
      case (_, "2F01"): "EF.ATR/INFO"
      case (_, "D003"): "EF.SN"
      case (_, "D004"): "EF.DH"
      case (_, "1001"): "EF.ID_Servizi"
      case (_, "1002"): "EF.Seriale"
      case (_, "1003"): "EF.Cert_CIE"
      case (_, "1004"): "EF.Int.Kpub"
      case (_, "1005"): "EF.Servizi_Int.Kpub"
      case (_, "1006"): "EF.SOD"
      case (_, "011C"): "EF.CardAccess"
      case (.travelDocument, "011D"): "EF.SOD"
      case (_, "011D"): "EF.CardSecurity"
      case (_, "011E"): "EF.COM"
      default: nil
      }
    if let name { return "\(name) \(text)" }
    guard identifier.count == 2, identifier[0] == 1, (1...16).contains(identifier[1]) else {
      return text
    }
    return "EF.DG\(identifier[1]) \(text)"
  }

  /// The file of a short identifier: that of the identifier whose last five bits it is in its application (Specifiche
  /// Chip, annex A; Doc 9303-10 §4).
  ///
  /// - Parameter isProtected: true under secure messaging, without which EF.CardSecurity cannot be read; EF.ATR/INFO of
  ///   IAS ECC has the same short identifier.
  private func name(short: UInt8, isProtected: Bool) -> String {
    switch application {
    case .cie: name(identifier: [0x10, short])
    case .travelDocument: name(identifier: [0x01, short])
    case .root where short == 0x1D && !isProtected: name(identifier: [0x2F, 0x01])
    case .root where short == 0x1C || short == 0x1D: name(identifier: [0x01, short])
    case .root: "SFI \([short].hexadecimal)"
    }
  }
}
