import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

/// Signed documents, in the order of the inputs.
struct SignedDocuments: Sendable {
  var orders: [SigningOrder]
}

/// `sign --format`: signs documents, all of them after one VERIFY, each with one signature of the card.
struct DocumentSigningJob: Sendable {
  let orders: [SigningOrder]
  let pin: HeldCode
  let access: HolderAccess
  /// The level of the signatures; nil for B.
  var raised: RaisedLevel?
  /// True if a document may stay below the level.
  var isLevelOptional = false

  /// Signs what is fit to be signed, and goes on after a document that is not. Each is written as soon as it is signed; if
  /// the card is lost, the others are named as not signed.
  func run(on card: Conversation, in context: RunContext) throws(Failure) -> SignedDocuments {
    // The time would be in the signature, and before the certificate's beginning.
    if let problem = context.present.problem() { throw .found(problem) }
    var orders = orders
    // Made before the card is asked: no signature is spent on a full disk or a missing folder.
    var files: [(index: Int, file: OutputFile)] = []
    var needed: [UInt: Int] = [:]
    for index in orders.indices where orders[index].failure == nil {
      do throws(Failure) {
        let file =
          if let memory = orders[index].memory {
            try OutputFile(memory)
          } else {
            try SignedFile.output(orders[index].output, in: context)
          }
        try file.requireRoom(for: orders[index].outputLength, beside: &needed)
        files.append((index, file))
      } catch { orders[index].failure = error }
    }
    guard !files.isEmpty else { return SignedDocuments(orders: orders) }
    context.progress.clear()
    context.tell(
      SigningStatement.lines(files.map { orders[$0.index] }, context.language))
    SigningStatement.ask(files.count, named: files.map { orders[$0.index].path }, in: context)
    var pin = try pin.code()
    return try card.perform(in: context) { (card, random, context) throws(Failure) in
      var verified = try card.verified(with: &pin, access, random: &random, in: context)
      let certificate = try mapError(try verified.readCertificate()) { Failure.card($0) }
      guard certificate.notAfter >= context.time else {
        throw .found(.expired(certificate.notAfter))
      }
      context.warnOfRecoverableKey(of: certificate)
      context.progress.clear()
      context.tell([SigningStatement.signer(certificate)(context.language)])
      var end: Failure?
      for (number, (index, file)) in files.enumerated() {
        if files.count > 1 { context.item.add((number + 1, files.count)) { _ in true } }
        do throws(Failure) {
          if let end { throw end }
          orders[index].level = try sign(
            orders[index], into: file, with: &verified, certificate, in: context)
        } catch {
          orders[index].failure = error
          if case .card = error { end = error }
        }
      }
      return SignedDocuments(orders: orders)
    }
  }

  private func sign(
    _ order: SigningOrder, into file: OutputFile,
    with card: inout VerifiedCard<SessionChannel>, _ certificate: Certificate,
    in context: RunContext
  ) throws(Failure) -> SignatureLevel {
    guard let document = order.document else { return .b }
    func failure(_ error: DocumentError) -> Failure { .signing(error, path: order.path) }
    let prepared = try mapError(
      try document.prepared(for: certificate, at: context.time), failure)
    let assertion = try mapError(try card.sign(prepared.digest)) { Failure.card($0) }
    let client = AuthorityClient(context: context, server: raised?.server)
    var raised = raised
    while true {
      let steps = try mapError(
        try prepared.finish(assertion, raisedBy: raised?.addition(at: context.time)), failure)
      guard let error = try client.take(steps, to: file) else { break }
      // Nothing was written yet: the authorities come first.
      guard isLevelOptional, raised?.lower(after: error) == true else { throw failure(error) }
    }
    let judge = raised?.judge(at: context.time) ?? DocumentJudge(trust: nil, at: context.time)
    try Self.judge(file.temporary, order, certificate, judge)
    try file.commit([])
    return raised?.level ?? .b
  }

  /// Judges the signed file before it gets its name.
  private static func judge(
    _ path: String, _ order: SigningOrder, _ certificate: Certificate, _ judge: DocumentJudge
  ) throws(Failure) {
    let source = try SignedFile.open(path)
    let contents = try order.contents.map { (path) throws(Failure) in try SignedFile.open(path) }
    let report = try mapError(
      try judge.judge(source, content: contents, password: order.password)
    ) { Failure.signedFile($0, path: order.path) }
    guard report.holds(for: certificate) else { throw .found(.unsound(path: order.path)) }
  }
}

extension Diagnosis {
  /// The signer's certificate ended; a signature with it would be refused everywhere.
  fileprivate static func expired(_ end: UTCTime) -> Diagnosis {
    Diagnosis(.notCarried, "signer-certificate-expired", ["end": end])
  }
}
