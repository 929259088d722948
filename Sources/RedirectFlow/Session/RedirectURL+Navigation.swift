extension RedirectURL {
  /// A place where a server wants a login to go: a URL, and `https`.
  init(judging text: String, at stage: LoginStage) throws(LoginError) {
    do throws(URLProblem) { self = try RedirectURL(text, allowingFragment: true) } catch {
      throw .navigation(.url(error), stage)
    }
    guard scheme == .https else { throw .navigation(.notHTTPS, stage) }
  }

  /// What a reference on this page leads to, likewise.
  func judged(_ reference: String, at stage: LoginStage) throws(LoginError) -> RedirectURL {
    let url: RedirectURL
    do throws(URLProblem) { url = try resolving(reference, allowingFragment: true) } catch {
      throw .navigation(.url(error), stage)
    }
    guard url.scheme == .https else { throw .navigation(.notHTTPS, stage) }
    return url
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
  func replacingQuery(_ items: [QueryItem]) -> RedirectURL {
    RedirectURL(
      origin: origin, path: path, query: nil, fragment: nil, queryItems: []
    ).adding(items)
  }
}
