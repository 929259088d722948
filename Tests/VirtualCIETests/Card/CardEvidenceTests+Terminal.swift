import Primitives
import Testing
import VirtualCIE

@testable import CIECard

/// The terminal's word in evidence, and its keys.
extension CardEvidenceTests {
  /// A document without active authentication, whose chip's proof only its terminal has seen.
  @Test func theWordOfATerminalIsItsOwn() throws {
    var evidence = try Self.gather(.itj4, [.dg1])
    #expect(evidence.document?.chipAuthentication == .proved)
    let told = judge(try CardEvidence(evidence.bytes))
    #expect(told.document?[.chipAuthentication] == .couldNotCheck(.toldByTerminal))
    #expect(told.document?[.dataGroup(.dg1)] == .proved && told.ias?.outcome == .proved)
    #expect(told.outcome == .couldNotCheck)
    for pem in [Self.curveKey, Self.edwardsKey] {
      guard let key = SigningKey(pem: [UInt8](pem.utf8)) else {
        Issue.record("no key")
        continue
      }
      try evidence.sign(withTerminalKey: key)
      let publicKey = try key.publicKey()
      let signed = try CardEvidence(evidence.bytes)
      #expect(judge(signed, terminal: publicKey).outcome == .proved)
      #expect(judge(signed).points.last?.verdict == .couldNotCheck(.terminalNotNamed))
      #expect(judge(signed).outcome == .couldNotCheck)
      let other = judge(signed, terminal: [UInt8](publicKey.dropLast()) + [0])
      #expect(other.points.last?.verdict == .false(.otherTerminal))
      var altered = evidence
      altered.terminal?.signature[8] ^= 1
      let report = judge(try CardEvidence(altered.bytes), terminal: publicKey)
      #expect(report.points.last?.verdict == .false(.signatureWrong))
      altered = evidence
      altered.document?.chipAuthentication = .provedByMapping
      #expect(judge(altered, terminal: publicKey).outcome == .false)
    }
    evidence.terminal = nil
    let unsigned = judge(evidence, terminal: [1])
    #expect(unsigned.points.last?.verdict == .couldNotCheck(.notSigned))
  }

  /// Keys made for this test (`openssl genpkey`).
  private static let curveKey = """
    -----BEGIN PRIVATE KEY-----
    MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgQwky0OH1D8urcHrv
    otRPfMluh174hVQvFiwTghtlpiShRANCAARHSvk5v1qNDwbeKV5nVaxVoCwNS1Fr
    yKlTltcbN795JgTUZJPPJLRnAXqVl9iDnhTcA+FshWY5c9tzBdhP53xx
    -----END PRIVATE KEY-----
    """
  private static let edwardsKey = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VwBCIEIKfCL3v2T9o7aiMfMGX9HFXfL0tKyc7lQm6A5teVj0zQ
    -----END PRIVATE KEY-----
    """

  /// X25519, which does not sign.
  private static let agreementKey = """
    -----BEGIN PRIVATE KEY-----
    MC4CAQAwBQYDK2VuBCIEIIiEVdczyVZasq7tCThNtYYXja/tHpdxKp9Qt5qcUo5C
    -----END PRIVATE KEY-----
    """
  /// NIST P-192, its public key, and its signature of nothing (`openssl dgst -sha256 -sign`).
  private static let weakKey = """
    -----BEGIN PRIVATE KEY-----
    MG8CAQAwEwYHKoZIzj0CAQYIKoZIzj0DAQEEVTBTAgEBBBj6oq/Kd5M1NSauQGPe
    hGLy1v1u9D8VlA2hNAMyAASO+cZWsNX6JqELAZrAyAUm0LV8FCybfFl0mdsQp4b0
    V9rnqw5e8XOfD/+CUsuWTno=
    -----END PRIVATE KEY-----
    """
  private static let weakPublicKey =
    "MEkwEwYHKoZIzj0CAQYIKoZIzj0DAQEDMgAEjvnGVrDV+iahCwGawMgFJtC1"
    + "fBQsm3xZdJnbEKeG9Ffa56sOXvFznw//glLLlk56"
  private static let weakSignature =
    "MDYCGQCDv2cmTkLwK+L100ocTGEC64+Mb+sP8UQCGQDEliYUm8CY8o1VPc8h8oPv5iArhFoGp5c="

  private static let lockedKey = """
    -----BEGIN ENCRYPTED PRIVATE KEY-----
    MIGbMFcGCSqGSIb3DQEFDTBKMCkGCSqGSIb3DQEFDDAcBAiA+AEIwDEV2wICCAAw
    DAYIKoZIhvcNAgkFADAdBglghkgBZQMEASoEEHNDEYujCBUbpYjJZM7JwAcEQG4U
    zMHL04mnf+kBs2sRiFPtMZgerdss+kNNmCKTJSYe5O//tNLezzsbsVL6NHD13B+w
    tdF6cgQZ77wf9VT9o4E=
    -----END ENCRYPTED PRIVATE KEY-----
    """

  @Test func othersAreNoTerminalKeys() {
    for text in ["", "no key", Self.lockedKey, Self.weakKey, Self.agreementKey] {
      if SigningKey(pem: [UInt8](text.utf8)) != nil { Issue.record("read: \(text)") }
    }
  }

  /// The right signature of a key of 192 bits, which a stranger may have found.
  @Test func aWeakKeySignsNothing() throws {
    let signature = try #require(Base64.decode([UInt8](Self.weakSignature.utf8)))
    let encoded = try #require(Base64.decode([UInt8](Self.weakPublicKey.utf8)))
    guard let key = SubjectPublicKey(encoded) else {
      Issue.record("no key")
      return
    }
    let isBelieved = key.verify(signature, over: [])
    #expect(!isBelieved)
  }
}
