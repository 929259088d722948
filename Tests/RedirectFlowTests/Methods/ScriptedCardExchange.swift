@testable import RedirectFlow
@testable import Web
import Synchronization

/// The identity provider's side of the card calls, as a list of answers.
final class ScriptedCardExchange: CardExchange {
  /// One call.
  struct Call: Equatable {
    let url: String
    let body: String
    let hasKey: Bool
  }

  private let state: Mutex<(answers: [Result<HTTPResponse, HTTPError>], calls: [Call])>

  init(_ answers: Result<HTTPResponse, HTTPError>...) { state = Mutex((answers, [])) }

  var calls: [Call] { state.withLock { $0.calls } }

  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int
  ) throws(HTTPError) -> HTTPResponse {
    try answer(Call(url: url.text, body: form.encoded, hasKey: false))
  }

  func post(
    _ url: RedirectURL, _ form: HTTPForm, bodyLimit: Int, with key: any LoginKey
  ) throws(LoginError) -> HTTPResponse {
    do throws(HTTPError) {
      return try answer(Call(url: url.text, body: form.encoded, hasKey: true))
    } catch {
      throw LoginError(error, at: .cardCall)
    }
  }

  private func answer(_ call: Call) throws(HTTPError) -> HTTPResponse {
    let answer = state.withLock { state in
      state.calls.append(call)
      return state.answers.isEmpty ? nil : state.answers.removeFirst()
    }
    guard let answer else { throw .disconnected }
    return try answer.get()
  }
}

extension HTTPResponse {
  /// An answer with a text.
  init(_ text: String, status: Int = 200, location: String? = nil) throws(HTTPError) {
    try self.init(
      status: status, url: "https://idp.test/",
      headers: location.map { [Header(name: "location", value: $0)] } ?? [],
      body: [UInt8](text.utf8))
  }
}
