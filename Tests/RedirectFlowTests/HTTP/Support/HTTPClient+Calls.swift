@testable import RedirectFlow
@testable import Web

extension HTTPClient {
  /// Fetches a page.
  func get(
    _ url: String, bodyLimit: Int = HTTPRequest.usualBodyLimit
  ) throws(HTTPError) -> HTTPResponse {
    try send(HTTPRequest(url: url, method: .get, bodyLimit: bodyLimit))
  }

  /// Posts a form.
  func post(
    _ url: String, form: HTTPForm, bodyLimit: Int = HTTPRequest.usualBodyLimit
  ) throws(HTTPError) -> HTTPResponse {
    try send(HTTPRequest(url: url, method: .post(form), bodyLimit: bodyLimit))
  }
}
