extension RedirectURL {
  /// A place where a server wants a login to go: an address as browsers read it, and `https`.
  init(judging text: String, at stage: LoginStage) throws(LoginError) {
    do throws(URLProblem) { self = try RedirectURL(asBrowsersRead: text) } catch {
      throw .navigation(.url(error), stage)
    }
    guard scheme == .https else { throw .navigation(.notHTTPS, stage) }
  }
}

extension RedirectURL {
  /// Without what stays in the browser (RFC 9110 §4.2.5).
  var withoutFragment: RedirectURL {
    RedirectURL(
      origin: origin, path: path, query: query, fragment: nil, queryItems: queryItems)
  }
}

extension RedirectURL {
  /// What a form with method GET asks for: the fields in place of the query (HTML, form submission).
  func replacingQuery(_ form: HTTPForm) -> RedirectURL {
    RedirectURL(
      origin: origin, path: path, query: form.encoded, fragment: fragment,
      queryItems: form.fields.map { QueryItem($0.name, $0.value) })
  }
}
