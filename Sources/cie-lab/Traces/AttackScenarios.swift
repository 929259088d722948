import CIECard
import VirtualCIE
import Traces

/// The bad traces: every fault that the software card can show, and changes on the wire.
///
/// The place of a fault is one where an attacker could gain: before the keys, in the authentication, at the PIN, in the
/// certificate, at the signature.
enum AttackScenarios {
  static func all() throws -> [Scenario] {
    let persona = Persona.gemalto
    let digest = try Digest(.sha256, hashing: [UInt8]("A message that nobody sent.".utf8))
    let sign = Trace.Journey.sign(pin: persona.pin, digests: [digest])
    let prove = Trace.Journey.authenticity(challenge: nil, trustAnchors: [persona.csca])
    let faults = signingFaults.map { fault in
      scenario(named: "sign", sign, .fault(fault.plan), fault.plan, fault.title)
    }
    let changesToSigning = signingChanges.map { change in
      scenario(named: "sign", sign, change)
    }
    let changesToProof = proofChanges.map { change in
      scenario(named: "authenticity", prove, change)
    }
    return faults + changesToSigning + changesToProof
  }

  private typealias Change = (mutation: TraceMutation, moment: String, title: String)

  private static func scenario(
    named journeyName: String, _ journey: Trace.Journey, _ change: Change
  ) -> Scenario {
    scenario(
      named: journeyName, journey, .mutation(change.mutation, at: change.moment),
      "\(change.mutation)@\(change.moment)", change.title)
  }

  /// The fault's text is the file's name, as far as file names go: `wrong-mac-20-1-sign`.
  private static func scenario(
    named journeyName: String, _ journey: Trace.Journey, _ disturbance: Scenario.Disturbance,
    _ text: String, _ title: String
  ) -> Scenario {
    let name = text.split { !$0.isLetter && !$0.isNumber }.joined(separator: "-")
    return Scenario(
      section: .attack, name: "\(name)-\(journeyName)", title: title, persona: .gemalto,
      journey: journey, disturbance: disturbance)
  }

  /// Faults of the card during a signature; moments are APDU numbers or INS:occurrence.
  private static let signingFaults: [(plan: String, title: String)] = [
    ("wrong-mac@22:3", "Wrong MAC on the first protected answer"),
    ("wrong-mac@84:1", "Wrong MAC on the card's challenge"),
    ("wrong-mac@88:1", "Wrong MAC on the chip's proof"),
    ("wrong-mac@b0:3", "Wrong MAC on a piece of the security object"),
    ("wrong-mac@cb:4", "Wrong MAC on the answer that tells the tries"),
    ("wrong-mac@20:1", "Wrong MAC on the answer to VERIFY"),
    ("wrong-mac@b0:12", "Wrong MAC on a piece of the certificate"),
    ("wrong-mac@88:2", "Wrong MAC on the signature"),
    ("stripped-protection@22:3", "The first protected command answered in clear"),
    ("stripped-protection@84:1", "The card's challenge in clear"),
    ("stripped-protection@20:1", "VERIFY answered in clear"),
    ("stripped-protection@b0:12", "A piece of the certificate in clear"),
    ("stripped-protection@88:2", "The signature in clear"),
    ("stale-counter@84:1", "The card's challenge under an old counter"),
    ("stale-counter@20:1", "The answer to VERIFY under an old counter"),
    ("stale-counter@88:2", "The signature under an old counter"),
    ("truncated-answer=0@a4:1", "No byte at all comes back from the first SELECT"),
    ("truncated-answer=1@20:1", "Half a status word comes back from VERIFY"),
    ("truncated-answer=9@84:1", "The protected challenge breaks off"),
    ("cut-data@cb:1", "The Diffie-Hellman parameters miss their last byte"),
    ("cut-data=2@88:2", "The protected signature misses two bytes"),
    ("wrong-authentication-signature", "The chip signs another hash in device authentication"),
    ("wrong-signature", "The holder's key signs another text"),
    ("trivial-dh=generator-one", "Diffie-Hellman with g = 1"),
    ("trivial-dh=generator-minus-one", "Diffie-Hellman with g = p - 1"),
    ("trivial-dh=card-value-zero", "The card's public value is 0"),
    ("trivial-dh=card-value-one", "The card's public value is 1"),
    ("trivial-dh=card-value-minus-one", "The card's public value is p - 1"),
    ("endless-61xx@cb:1", "The parameters never end, and nothing comes"),
    ("endless-61xx=16@88:2", "The signature never ends"),
    ("hidden-file=1004", "A chip that does not show the key with which it proves itself"),
    ("hidden-file=1006", "A chip that hides what the State has signed of it"),
    ("hidden-file=1006:bare-6A82", "A chip that ends the channel over what the State has signed"),
    ("endless-6cxx@b0:1", "The right length is always another one"),
    ("card-removed@1", "The card goes before the first command"),
    ("card-removed@20:1", "The card goes during VERIFY"),
    ("card-removed@88:2", "The card goes during the signature"),
    ("card-mute@20:1", "The card stops answering during VERIFY"),
    ("delay=1@20:1", "The answer to VERIFY takes its time; nothing is wrong"),
    ("status=6A82@a4:2", "No CIE application"),
    ("status=6985@82:2", "The card refuses the terminal's proof"),
    ("status=63C1@20:1", "A PIN called wrong, under protection"),
    ("status=6983@20:1", "A PIN called blocked, under protection"),
    ("status=6982@b0:12", "The certificate refused after VERIFY"),
    ("status=6985@88:2", "The signature refused"),
    ("bare-status=9000@20:1", "VERIFY called successful by somebody without the keys"),
    ("bare-status=63C0@20:1", "The PIN called blocked by somebody without the keys"),
    ("bare-status=6988@84:1", "Secure messaging called wrong in the middle of the authentication"),
  ]

  /// Changes on the wire during a signature: the answer to the n-th command with an instruction. GET RESPONSE 6 fetches
  /// the end of the signature.
  private static let signingChanges: [Change] = [
    (.flip(byte: 20), "cb:1", "Another generator"),
    (.flip(byte: 100), "b0:1", "Another device key"),
    (.flip(byte: 5), "84:1", "A changed cryptogram"),
    (.flip(byte: 2), "84:1", "A changed length"),
    (.flip(byte: -3), "84:1", "A changed MAC"),
    (.strip, "84:1", "Protection taken away, the challenge with it"),
    (.duplicate, "84:1", "The answer before it again"),
    (.cut(length: 20), "84:1", "An answer cut on the way"),
    (.strip, "20:1", "Protection taken from the answer to VERIFY"),
    (.duplicate, "20:1", "An older answer in place of that to VERIFY"),
    (.flip(byte: 4), "20:1", "Another status in the protected answer to VERIFY"),
    (.duplicate, "b0:13", "The same piece of the certificate twice"),
    (.flip(byte: 60), "b0:4", "A changed piece of the security object"),
    (.flip(byte: 100), "b0:14", "A changed piece of the certificate"),
    (.flip(byte: 200), "88:2", "A changed signature"),
    (.strip, "c0:6", "Only the first part of the signature"),
  ]

  /// Changes on the wire during the chip's proof in clear: found by the report.
  ///
  /// Of READ BINARY the first reads EF.DH, the 4th the services number, the 5th the device key, the 7th the services
  /// key, the 9th to 17th the security object.
  private static let proofChanges: [Change] = [
    (.flip(byte: 100), "b0:1", "Other Diffie-Hellman parameters in the signed file"),
    (.flip(byte: 12), "b0:4", "Another services number"),
    (.strip, "b0:4", "No services number"),
    (.flip(byte: 100), "b0:5", "Another device key in its file"),
    (.flip(byte: 100), "b0:7", "Another services key"),
    (.flip(byte: 200), "b0:9", "Another hash in the security object"),
    (.flip(byte: 1), "b0:9", "A security object under another tag"),
    (.flip(byte: 100), "b0:12", "A changed signer in the security object"),
    (.flip(byte: -10), "b0:17", "Another signature under the security object"),
    (.flip(byte: 100), "88:1", "A changed answer to the challenge"),
    (.cut(length: 100), "88:1", "Half an answer to the challenge"),
    (.strip, "88:1", "No answer to the challenge"),
  ]
}
