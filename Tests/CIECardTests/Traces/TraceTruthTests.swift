import CIECard
import TestSupport
import Testing
import VirtualCIE
import Traces

/// The headers are true: compared with the personas' published data, not with the client's reading.
@Suite struct TraceTruthTests {
  private static func traces(of journey: String) throws -> [(persona: Persona, trace: Trace)] {
    let all = try TraceFile.all(in: "virtual").map { try Trace(parsing: $0.bytes()) }
    let found = try all.filter { $0.header.journey.name == journey }.map { trace in
      guard case .virtual(let name) = trace.header.source else { throw TraceWithoutPersona() }
      return (try #require(Persona.named(name)), trace)
    }
    try #require(Set(found.map(\.0.identifier)) == Set(Persona.all.map(\.identifier)))
    return found
  }

  private struct TraceWithoutPersona: Error {}

  /// The signature is verified with the certificate in the same trace, which is the persona's.
  @Test func signatures() throws {
    for (persona, trace) in try Self.traces(of: "sign") {
      guard case .sign(let pin, let digests) = trace.header.journey else { continue }
      var random = ReplayRandom(trace)
      var verified = try IdentityCard(over: ReplayChannel(trace))
        .authenticate(
          checking: .required(nil, at: TestClock.now, allowing: { _ in true }), random: &random
        )
        .verify(PIN(Secret([UInt8](pin.utf8))))
      let certificate = try verified.readCertificate()
      #expect(certificate.der == persona.certificate)
      var hashes: [Trace.Expectation.Value] = []
      for digest in digests {
        let signature = try verified.sign(digest).signature
        let fits = certificate.verify(
          signature: signature, digest: digest.bytes, algorithm: digest.algorithm.hash)
        #expect(fits)
        hashes.append(.signatureHash(try HashAlgorithm.sha256.hash(signature)))
      }
      #expect(hashes == trace.header.expectation.values)
      #expect(Set(digests.map(\.algorithm)).count == 3)
    }
  }

  /// The certificate is the persona's; the signatures were verified with it when they were made.
  @Test(arguments: ["login", "module", "documents"])
  func signatories(journey: String) throws {
    for (persona, trace) in try Self.traces(of: journey) {
      guard case .signatures(let signatory, _, let digests) = trace.header.journey else { continue }
      let values = trace.header.expectation.values
      #expect(
        values.contains(.certificateHash(try HashAlgorithm.sha256.hash(persona.certificate))))
      #expect(values.count { if case .signatureHash = $0 { true } else { false } } == digests.count)
      // The module looks at the card before the login, and the card is reset meanwhile.
      #expect(values.contains(.servicesNumber(persona.nis)) == (signatory == .module))
      #expect(trace.entries.contains(.powerCycle) == (signatory == .module))
    }
  }

  @Test func certificates() throws {
    for (persona, trace) in try Self.traces(of: "certificate") {
      let hash = try HashAlgorithm.sha256.hash(persona.certificate)
      #expect(trace.header.expectation.values == [.certificateHash(hash)])
      let name = try Certificate(der: persona.certificate).subject
      #expect(name.serialNumber == "IDCIT-" + persona.documentNumber)
    }
  }

  @Test func documentNumbers() throws {
    for (persona, trace) in try Self.traces(of: "document-number") {
      #expect(trace.header.expectation.values == [.documentNumber(persona.documentNumber)])
    }
  }

  /// EF.SN: 5A 0A, issuer prefix, the services number in BCD, check digit and filler.
  @Test func serialNumbers() throws {
    for (persona, trace) in try Self.traces(of: "serial-number") {
      guard case .serialNumber(let bytes)? = trace.header.expectation.values.first else {
        Issue.record("no serial number in \(trace.header.title)")
        continue
      }
      let text = Hex.text(bytes)
      #expect(text.count == 24)
      #expect(text.hasPrefix("5A0A938000" + persona.nis))
      #expect(text.hasSuffix("F"))
    }
  }

  @Test(arguments: ["info", "nis", "authenticity"])
  func servicesNumbers(journey: String) throws {
    for (persona, trace) in try Self.traces(of: journey) {
      #expect(trace.header.expectation.values.first == .servicesNumber(persona.nis))
    }
  }

  /// With the right anchor every point is proved; with another country's, or without, the chain is not.
  @Test func authenticity() throws {
    for (persona, trace) in try Self.traces(of: "authenticity") {
      guard case .authenticity(_, let anchors) = trace.header.journey else { continue }
      let isForeign = anchors != [persona.csca]
      for case .report(let point, let verdict) in trace.header.expectation.values {
        let isChain = ["signer-chain", "signer-validity", "issuing-state"].contains(point)
        #expect(verdict == (isForeign && isChain ? "could-not-check" : "proved"), "\(point)")
      }
      #expect(trace.header.expectation.values.count == 11)
    }
  }

  /// The right codes leave all tries; a wrong one costs one of three, or of ten.
  @Test func tries() throws {
    for (journey, left) in [("verify-pin", 2), ("unblock-pin", 9)] {
      let failed = try Self.traces(of: journey).filter {
        $0.trace.header.expectation.outcome != .ok
      }
      #expect(failed.count == Persona.all.count)
      for (_, trace) in failed { #expect(trace.header.expectation.values == [.triesLeft(left)]) }
    }
  }
}
