import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives
import RedirectFlow

/// The answers of the authorities that were asked about one file, each by its address.
struct AuthorityAnswers: Sendable {
  var list: [AuthorityAnswer] = []
  /// Number of addresses that were left out because the budget was spent.
  var unasked = 0
}

/// Exchanges of one run with the authorities of time stamps and certificates.
///
/// Their answers are signed, so http serves as well as https. The library judges them.
struct AuthorityClient: Sendable {
  let context: RunContext
  /// The authority of time stamps; nil without time stamps.
  var server: TimeStampServer?

  /// The longest time for an answer, and the longest CRL in bytes.
  private static let patience = Duration.seconds(30)
  private static let longestList = 16 << 20

  /// Gets the answer to a request that is wanted, or states why there is none.
  ///
  /// - Throws: an interruption.
  func take(
    _ request: AuthorityRequest, for authorities: inout AuthorityExchanges
  ) throws(Failure) {
    do throws(Failure) { authorities.answer(try answer(to: request)) } catch {
      guard !error.isInterruption else { throw error }
      authorities.fail(Diagnosis(error))
    }
  }

  /// Takes the steps to a signed file.
  ///
  /// - Returns: the error of the document that ended them; nil if the file is whole.
  func take(
    _ steps: consuming SigningSteps, to file: OutputFile
  ) throws(Failure) -> DocumentError? {
    while true {
      let step: SigningSteps.Step?
      do throws(DocumentError) { step = try steps.next() } catch { return error }
      switch step {
      case .ask(let request): try take(request, for: &steps.authorities)
      case .write(let block): try file.write(block)
      case nil: return nil
      }
    }
  }

  private func answer(to request: AuthorityRequest) throws(Failure) -> [UInt8] {
    switch request {
    case .timeStamp(let body):
      guard let server else { return [] }
      let request = Self.post(
        body, "application/timestamp-query", to: server.url.withoutFragment.text,
        server.authorization)
      return try Self.body(
        of: try context.exchange(request, Message("wait.time-stamp"), within: Self.patience))
    case .get(let url):
      return try redirectedAnswer(
        to: HTTPRequest(url: url, method: .get, bodyLimit: Self.longestList))
    case .post(let url, let body):
      return try redirectedAnswer(to: Self.post(body, "application/ocsp-request", to: url))
    }
  }

  private static func post(
    _ body: [UInt8], _ type: String, to url: String, _ authorization: String? = nil
  ) -> HTTPRequest {
    var request = HTTPRequest(url: url, method: .postBytes(body))
    if let authorization {
      request.headers.append(.init(name: "Authorization", value: authorization))
    }
    request.headers.append(.init(name: "Content-Type", value: type))
    return request
  }

  private func redirectedAnswer(to request: HTTPRequest) throws(Failure) -> [UInt8] {
    try Self.body(
      of: try context.follow(request, Message("wait.issuer"), within: Self.patience))
  }

  private static func body(of response: HTTPResponse) throws(Failure) -> [UInt8] {
    guard response.status == 200 else {
      throw .found(.refused(response.url, status: response.status))
    }
    return response.body
  }
}

extension Diagnosis {
  /// An answer with another status than 200.
  static func refused(_ url: String, status: Int) -> Diagnosis {
    Diagnosis(.serverRefused, "authority-status", ["host": host(of: url), "status": status])
  }
}
