/// One way to prove at the identity provider who the person is, once its page has handed the login over.
///
/// It knows nothing of pages and cookies: a judged link in, the URL out with which the page goes on.
protocol LoginMethod {
  /// The kind of link that it takes.
  associatedtype Request

  /// Does it.
  ///
  /// - Returns: the completed URL: a bearer secret for one use, in the browser in which the login began.
  /// - Throws: `LoginError`; nothing of the request is then good any more.
  func complete(_ request: Request) throws(LoginError) -> RedirectURL
}
