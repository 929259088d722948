import CIECard
import Traces
import VirtualCIE

/// The bad traces of the IAS side: every command attacked in every way, and the faults that a card can have alone.
///
/// No two have the same effect; `AttackEffect` says when they would.
enum AttackScenarios {
  static func all() throws -> [Scenario] {
    let persona = Persona.gemalto
    let (pin, new) = (persona.pin, VirtualScenarios.newPIN)
    let digest = try Digest(.sha256, hashing: [UInt8]("A message that nobody sent.".utf8))
    let sign = AttackGround(
      persona: persona, journey: .sign(pin: pin, digests: [digest]), name: "sign",
      places: signingPlaces)
    let prove = AttackGround(
      persona: persona, journey: .authenticity(challenge: nil, trustAnchors: [persona.csca]),
      name: "authenticity", places: proofPlaces)
    let change = AttackGround(
      persona: persona, journey: .changePIN(pin: pin, newPIN: new), name: "change-pin",
      places: [
        .init("24:1", "the answer to the new PIN", AttackWay.protected, omitted: ["wrong-mac"])
      ])
    let unblock = AttackGround(
      persona: persona, journey: .unblockPIN(puk: persona.puk, newPIN: new), name: "unblock-pin",
      places: [
        .init("20:1", "the answer to VERIFY of the PUK", AttackWay.protected),
        .init("2c:1", "the answer to the new PIN", AttackWay.protected, omitted: ["wrong-mac"]),
      ])
    return [sign, prove, change, unblock].flatMap(\.scenarios)
      + signingFaults.map { sign.scenario($0, $1) } + proofChanges.map { prove.scenario($0, $1) }
  }

  /// Of READ BINARY the first reads the device key, the third the security object, the 12th the certificate.
  private static let signingPlaces: [AttackGround.Place] = [
    .init("a4:2", "SELECT of the CIE application", AttackWay.bare),
    .init(
      "cb:1", "the Diffie-Hellman parameters", AttackWay.clear, omitted: ["cut=8", "status=6985"]),
    .init("b0:1", "the device key", AttackWay.clear, omitted: ["cut=8", "status=6985"]),
    .init("cb:2", "the key of the authority", AttackWay.clear),
    .init("22:2", "the answer to the terminal's value", AttackWay.bare),
    .init("cb:3", "the card's value", AttackWay.clear),
    .init("22:3", "the first protected answer", AttackWay.protected),
    .init("2a:2", "the answer to the terminal's certificate", AttackWay.protected),
    .init("84:1", "the card's challenge", AttackWay.protectedData),
    .init("82:2", "the answer to the terminal's proof", AttackWay.protected),
    .init("88:1", "the chip's proof", AttackWay.protectedData),
    .init("b0:3", "the security object", AttackWay.protectedData, omitted: ["status=6985"]),
    .init(
      "cb:4", "the remaining tries", AttackWay.protectedData,
      omitted: ["status=6985", "bare-status=6988"]),
    .init("20:1", "the answer to VERIFY", AttackWay.protected),
    .init("a4:3", "SELECT of the certificate", AttackWay.protected),
    .init("b0:12", "the certificate", AttackWay.protectedData),
    .init("22:6", "the choice of the holder's key", AttackWay.protected),
    .init("88:2", "the signature", AttackWay.protectedData),
    .init("c0:6", "the end of the signature", AttackWay.clear, omitted: ["status=6985"]),
  ]

  /// Faults of the card during a signature that no change of one answer makes.
  private static let signingFaults: [(text: String, title: String)] = [
    ("truncated-answer=0@a4:1", "No byte at all comes back from the first SELECT"),
    ("truncated-answer=1@20:1", "Half a status word comes back from VERIFY"),
    ("cut-data@cb:1", "The Diffie-Hellman parameters miss their last byte"),
    ("flip=20@cb:1", "Another generator"),
    ("flip=100@b0:1", "Another device key"),
    ("wrong-authentication-signature", "The chip signs another hash in device authentication"),
    ("wrong-signature", "The holder's key signs another text"),
    ("trivial-dh=generator-one", "Diffie-Hellman with g = 1"),
    ("trivial-dh=generator-minus-one", "Diffie-Hellman with g = p - 1"),
    ("trivial-dh=card-value-zero", "The card's public value is 0"),
    ("trivial-dh=card-value-one", "The card's public value is 1"),
    ("trivial-dh=card-value-minus-one", "The card's public value is p - 1"),
    ("hidden-file=1004", "A chip that does not show the key with which it proves itself"),
    ("hidden-file=1006", "A chip that hides what the State has signed of it"),
    ("hidden-file=1006:bare-6A82", "A chip that ends the channel over what the State has signed"),
    ("card-removed@1", "The card goes before the first command"),
    ("card-removed@20:1", "The card goes during VERIFY"),
    ("card-removed@88:2", "The card goes during the signature"),
    ("card-mute@20:1", "The card stops answering during VERIFY"),
    ("delay=1@20:1", "The answer to VERIFY takes its time; nothing is wrong"),
    ("status=63C1@20:1", "A PIN called wrong, under protection"),
    ("status=6983@20:1", "A PIN called blocked, under protection"),
    ("bare-status=63C0@20:1", "The PIN called blocked by somebody without the keys"),
  ]

  /// Of READ BINARY the 4th reads the services number, the 7th the services key, the 9th to 17th the security object.
  private static let proofPlaces: [AttackGround.Place] = [
    .init(
      "b0:4", "the services number", AttackWay.clear,
      omitted: ["cut=8", "status=6985", "duplicate"]),
    .init("b0:7", "the services key", AttackWay.clear, omitted: ["cut=8", "status=6985"]),
    .init("b0:9", "the security object", AttackWay.clear, omitted: ["cut=8", "status=6985"]),
    .init("88:1", "the answer to the challenge", AttackWay.clear, omitted: ["duplicate"]),
  ]

  /// Changes on the wire during the chip's proof in clear, one for each signed thing: found by the report.
  private static let proofChanges: [(text: String, title: String)] = [
    ("flip=100@b0:1", "Other Diffie-Hellman parameters in the signed file"),
    ("flip=100@b0:5", "Another device key in its file"),
    ("flip=200@b0:9", "Another hash in the security object"),
    ("flip=100@b0:12", "A changed signer in the security object"),
    ("flip=-10@b0:17", "Another signature under the security object"),
  ]
}
