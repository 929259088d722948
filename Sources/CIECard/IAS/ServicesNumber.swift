/// NIS, the services number: twelve digits that identify the card, not the person (EF.ID_Servizi).
public struct ServicesNumber: Sendable, Hashable, CustomStringConvertible {
  /// The twelve digits.
  public let description: String

  /// - Returns: `nil` unless the bytes are twelve ASCII digits.
  public init?(_ bytes: [UInt8]) {
    guard bytes.count == 12, bytes.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
    description = String(decoding: bytes, as: UTF8.self)
  }
}

extension ServicesNumber: Encodable {
  /// Encodes the twelve digits as one string.
  public func encode(to encoder: any Encoder) throws { try description.encode(to: encoder) }
}

/// EF.SN, the serial number of the chip: twelve bytes, 5A 0A, an issuer prefix, the NIS in BCD and a check digit.
package struct ChipSerialNumber: Sendable, Hashable, CustomStringConvertible {
  /// The twelve bytes as read.
  package let bytes: [UInt8]

  init(_ bytes: [UInt8]) { self.bytes = bytes }

  /// Bytes 5 to 10 as digits: called PAN in the desktop middleware, equal to the NIS.
  var servicesNumber: ServicesNumber? {
    guard bytes.count == 12 else { return nil }
    return ServicesNumber([UInt8](Array(bytes[5..<11]).hexadecimal.utf8))
  }

  package var description: String { bytes.hexadecimal }
}

/// The number printed on the document: nine letters and digits (EF.Seriale).
public struct DocumentNumber: Sendable, Hashable, CustomStringConvertible {
  /// The nine characters.
  public let description: String

  /// - Returns: `nil` unless the bytes are nine upper-case ASCII letters or digits.
  public init?(_ bytes: [UInt8]) {
    let isFit = bytes.allSatisfy { (0x30...0x39).contains($0) || (0x41...0x5A).contains($0) }
    guard bytes.count == 9, isFit else { return nil }
    description = String(decoding: bytes, as: UTF8.self)
  }
}
