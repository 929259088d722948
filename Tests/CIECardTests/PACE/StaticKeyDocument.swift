import CIECard
import TestSupport
import Testing

@testable import VirtualCIE

extension TravelDocumentData {
  /// The document with a fresh static key on these domain parameters, which EF.CardSecurity announces. Its signature is
  /// that of other contents: enough for the mapping, not for the report.
  func withStaticKey(on parameters: UInt8) throws -> TravelDocumentData {
    let group = try #require(AgreementGroup(parameterIdentifier: parameters))
    var random = SystemRandom()
    // Below the order for any draw, and not zero.
    let scalar = try [0, 1] + random.bytes(group.order.count - 2)
    let value = try group.apply(scalar, to: group.generator)
    var document = self
    document.chipAuthenticationKeys = [
      ChipAuthenticationKey(identifier: nil, parameterIdentifier: parameters, scalar: scalar)
    ]
    document.cardSecurity = try Self.cardSecurity(announcing: value, on: parameters)
    return document
  }

  /// ChipAuthenticationPublicKeyInfo (Doc 9303-11 §9.2.6) with standardised parameters, as the contents of a persona's
  /// SignedData (RFC 5652 §5.1).
  private static func cardSecurity(announcing value: [UInt8], on number: UInt8) throws -> [UInt8] {
    let algorithm = BERObject.encode(
      0x30, try Hex.bytes("0607 04007F00070102"), BERObject.integer([number]))
    let key = BERObject.encode(0x30, algorithm, BERObject.encode(0x03, [0], value))
    let info = BERObject.encode(0x30, try Hex.bytes("0609 04007F000702020102"), key)
    let model = try #require(
      BERObject.single(0x30, Persona.unknown.travelDocument.cardSecurity))
    let outer = try #require(BERObject.list(model.value))
    let signed = try #require(outer.last.flatMap { BERObject.single(0x30, $0.value) })
    var fields = try #require(BERObject.list(signed.value)).map(\.encoded)
    let type = try #require(BERObject.list(fields[2]).flatMap { BERObject.list($0[0].value) })
    fields[2] = BERObject.encode(
      0x30, type[0].encoded,
      BERObject.encode(0xA0, BERObject.encode(0x04, BERObject.encode(0x31, info))))
    return BERObject.encode(
      0x30, outer[0].encoded,
      BERObject.encode(0xA0, BERObject.encode(0x30, fields.flatMap { $0 })))
  }
}
