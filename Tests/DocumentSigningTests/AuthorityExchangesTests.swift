import CIECard
import Primitives
import Testing

@testable import DocumentSigning

/// Exchanges in passes: each is made once, in order, whatever the number of passes.
@Suite struct AuthorityExchangesTests {
  private let issuer: TestIssuer
  private let server: StampServer

  init() throws {
    issuer = try TestIssuer()
    server = try StampServer(issuedBy: issuer)
  }

  private func signed(_ form: UnsignedDocument.Form, _ content: [UInt8]) throws -> [UInt8] {
    try Signed.finish(Signed.prepared(content, form, issuer.certificate), issuer.sign)
  }

  /// A responder that is asked about two certificates has two answers, each with its own nonce.
  @Test func onceInOrder() throws {
    for file in [
      try signed(.attached, Signed.text), try signed(.pdf(), SamplePDF().bytes),
    ] {
      let before = (issuer.requests.count, server.requests)
      var steps = try Raising(.lta, server, issuer).rule.steps(for: ByteSource(file))
      let authorities = Authorities(stamps: server, issuers: [issuer])
      var asked: [AuthorityRequest] = []
      while case .ask(let request)? = try steps.next() {
        asked.append(request)
        #expect(steps.authorities.wanted == request)
        authorities.end(&steps.authorities)
      }
      #expect(issuer.requests.count - before.0 == steps.authorities.answers.count)
      #expect(asked.compactMap(\.address) == steps.authorities.answers.map(\.address))
      #expect(server.requests - before.1 == 2)
      #expect(steps.authorities.answers.map(\.outcome.word) == ["taken", "taken", "taken"])
      #expect(
        asked.compactMap(\.address).sorted() == [
          "http://issuer.test/ca", "http://issuer.test/ocsp", "http://issuer.test/ocsp",
        ])
    }
  }

  /// Addresses that were left out stay so when later exchanges are added.
  @Test func spentBudget() throws {
    var budget = RevocationService.Budget()
    budget.requests = 1
    var exchanges = AuthorityExchanges(RevocationService(at: TestIssuer.time, budget: budget))
    let urls = ["http://a.test/", "http://b.test/"]
    var passes = 0
    while true {
      passes += 1
      let authority = server.authority
      let done = try exchanges.pass { (exchanges) throws(DocumentError) in
        let bodies = urls.map { exchanges.body(from: $0) }
        return (bodies, try exchanges.token(for: [1], by: authority))
      }
      if let done {
        #expect(done.0 == [[7], nil])
        break
      }
      switch exchanges.wanted {
      case .timeStamp: Authorities(stamps: server).end(&exchanges)
      case .get: exchanges.answer([7])
      case .post, nil: Issue.record("\(String(describing: exchanges.wanted))")
      }
    }
    #expect(passes == 3 && exchanges.unasked == 1)
    #expect(exchanges.answers.map(\.address) == ["http://a.test/"])
  }

  /// The caller's reason comes back in the error.
  @Test func reason() throws {
    let reason = Diagnosis(.network, "full-moon")
    var steps = try Raising(.t, server).rule.steps(for: ByteSource(signed(.attached, Signed.text)))
    _ = try steps.next()
    steps.authorities.fail(reason)
    let error = #expect(throws: DocumentError.self) { _ = try steps.next() }
    #expect(error == .timeStamp(.unreachable(reason)))
    #expect(error.map { Diagnosis($0, path: "x", isSigning: true).name } == "full-moon")
  }
}
