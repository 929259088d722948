@testable import Primitives
@testable import CIECard
internal import TestSupport
@testable import VirtualCIE

/// TLV, DER, and the files and answers with which a card describes itself.
extension FuzzTarget {
  static let cardBytes = [tlv, der, answerToReset, cardLimits, securityInfos]

  private static let tlv = FuzzTarget("tlv") {
    try Seeds.vectors("securityinfos", ["encoded"]) + Seeds.vectors("lds-td1-cie-like", ["files"])
  } play: { probe in
    let objects = try TLVCursor(probe.bytes).all()
    probe.require(objects.flatMap(\.encoded) == probe.bytes, "objects are the whole input")
    for object in objects {
      var again = TLVCursor(TLV.encode(object.tag, object.bytes))
      let read = try? again.next()
      probe.require(
        read?.tag == object.tag && read?.value == object.value, "what is encoded is read")
      probe.require(
        (try? TLVCursor.encodedLength(of: [UInt8](object.encoded))) == object.encoded.count,
        "the length that is announced")
    }
    _ = objects.filter(\.isConstructed).map { try? $0.contents.all() }
  }

  private static let der = FuzzTarget("der") {
    try Seeds.vectors("securityinfos", ["encoded"])
      + Persona.everyone.flatMap { [$0.holderKey.publicKeyDER, $0.certificate] }
  } play: { probe in
    if let key = RSAPublicKey(cuttingPKCS1: probe.bytes) {
      probe.require(RSAPublicKey.modulusLengths.contains(key.modulus.count), "a bounded key")
    }
    _ = RSAPublicKey(subjectPublicKeyInfo: probe.bytes)
    _ = SubjectPublicKey(probe.bytes)
    var cursor = try TLVCursor(probe.bytes).first(DER.sequence).contents
    while !cursor.isAtEnd {
      var copy = cursor
      let object = try cursor.next()
      switch object.tag {
      case DER.integer:
        var same = copy
        let bytes = try copy.nextUnsigned()
        let number = try? same.nextNumber()
        probe.require((number == nil) == (bytes.count > 4), "a number of at most four bytes")
      case DER.bitString: _ = try copy.nextWholeBits()
      default: continue
      }
    }
  }

  private static let answerToReset = FuzzTarget("atr") {
    Persona.everyone.map { VirtualCard(persona: $0).answerToReset }
  } play: { probe in
    let family = ChipFamily(atr: probe.bytes)
    guard family != .unknown else { throw Unfit() }
  }

  private static let cardLimits = FuzzTarget("ef-atr") {
    Persona.everyone.map(\.family.profile.answerToResetFile)
  } play: { probe in
    let limits = CardLimits(information: probe.bytes)
    probe.require((0...65_536).contains(limits.response ?? 0), "a bounded length")
    let reader = ChannelTraits.ExtendedLength.carried(maximumDataLength: 65_536)
    var form = LengthForm(reader: reader, cardTakesExtended: nil)
    form.learn(limits, reader: reader)
    probe.require(
      form.maximumResponse >= CommandAPDU.maximumShortResponse, "no less than a short answer")
    guard limits.response != nil else { throw Unfit() }
  }

  private static let securityInfos = FuzzTarget("security-infos") {
    try Seeds.behind(
      [[0], [1]],
      Seeds.vectors("securityinfos", ["encoded"]) + Seeds.vectors("explicit-curves", ["encoded"])
        + Persona.everyone.flatMap { persona in
          let document = persona.travelDocument
          return [document.cardAccess] + [document.dataGroups[14]].compactMap { $0 }
        })
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let infos =
      choices[0] & 1 == 0 ? try SecurityInfos(rest) : try SecurityInfos(dataGroup14: rest)
    let offer = AccessOffer(cardAccess: choices[0] & 1 == 0 ? rest : infos.encoded)
    _ = try offer.selection(over: .carried(maximumDataLength: 65_536))
    let chips = try ChipAuthenticationOffer.all(in: infos)
    probe.require(chips.count <= 64, "a bounded number of keys")
  }
}
