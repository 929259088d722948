import CIECard
import Primitives

@testable import DocumentSigning

/// The authorities of a test, which answer as their faults say; a request to another address has no answer.
struct Authorities {
  var stamps: StampServer?
  var issuers: [TestIssuer] = []

  /// Ends the exchange that is wanted.
  func end(_ authorities: inout AuthorityExchanges) {
    guard let request = authorities.wanted else { return }
    let answer: [UInt8]? =
      if case .timeStamp(let query) = request {
        try? stamps?.answer(to: query)
      } else {
        issuers.first { $0.owns(request) }?.answer(request)
      }
    if let answer { authorities.answer(answer) } else { authorities.fail() }
  }

  /// Works until nothing is wanted.
  func serve<Value>(
    _ work: (inout AuthorityExchanges) throws(DocumentError) -> Value
  ) throws(DocumentError) -> Value {
    var exchanges = AuthorityExchanges(RevocationService(at: TestIssuer.time))
    while true {
      if let value = try exchanges.pass(work) { return value }
      end(&exchanges)
    }
  }
}

/// A level, with the authorities for it.
struct Raising {
  let rule: SignatureExtension
  let authorities: Authorities

  /// - Parameter answering: the authorities of revocations; nil for the issuer.
  init(
    _ level: SignatureExtension.Level, _ server: StampServer, _ issuer: TestIssuer? = nil,
    issuers: TrustStore? = nil, answering: [TestIssuer]? = nil
  ) {
    rule = SignatureExtension(
      level, stampedBy: server.authority, issuers: issuers,
      evidence: RevocationService(at: TestIssuer.time))
    authorities = Authorities(stamps: server, issuers: answering ?? [issuer].compactMap { $0 })
  }
}

extension Signed {
  /// All steps to a signed file.
  static func file(
    _ steps: consuming SigningSteps, _ authorities: Authorities = Authorities()
  ) throws(DocumentError) -> [UInt8] {
    var file: [UInt8] = []
    while let step = try steps.next() {
      switch step {
      case .ask: authorities.end(&steps.authorities)
      case .write(let block): file += block
      }
    }
    return file
  }

  /// A signed file of a higher level.
  static func extended(
    _ source: [UInt8], content: [UInt8]? = nil, _ level: Raising
  ) throws(DocumentError) -> [UInt8] {
    try file(
      level.rule.steps(for: ByteSource(source), content: content.map { ByteSource($0) }),
      level.authorities)
  }

  /// The contents of an attached signature; nil for a detached one.
  static func contents(_ file: [UInt8]) throws(DocumentError) -> [UInt8]? {
    guard var blocks = try DocumentJudge(trust: nil).contents(of: ByteSource(file)) else {
      return nil
    }
    var contents: [UInt8] = []
    while let block = try blocks.next() { contents += block }
    return contents
  }
}
