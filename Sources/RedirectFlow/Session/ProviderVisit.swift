internal import CIECard

/// A person's visit at the pages of a provider that asks for a user name, a password and perhaps a code, with the answers
/// given by a program: for test servers. At a real provider the person types into their own browser, and sees where.
///
/// Its calls block, so they run on a thread of their own.
package actor ProviderVisit {
  private let thread = CardThread()
  private let make: @Sendable () throws(HTTPError) -> any PageExchange
  private let service: RedirectURL.Origin
  private let origins: Set<RedirectURL.Origin>
  private var exchange: (any PageExchange)?
  private var page: LoadedPage?

  /// The executor of its thread.
  package nonisolated var unownedExecutor: UnownedSerialExecutor {
    thread.asUnownedSerialExecutor()
  }

  /// A visit that has not begun.
  ///
  /// - Parameters:
  ///   - service: who is told about the person at the end.
  ///   - origins: the only servers that it may lead to, that one among them.
  ///   - make: makes the user agent.
  package init(
    for service: RedirectURL.Origin, to origins: Set<RedirectURL.Origin>,
    _ make: @escaping @Sendable () throws(HTTPError) -> any PageExchange
  ) {
    self.service = service
    self.origins = origins
    self.make = make
  }

  /// What a page wants.
  package enum Stage: Sendable {
    /// User name and password; whether they were wrong before.
    case password(isWrong: Bool)
    /// The code that was sent; whether it was wrong before.
    case code(isWrong: Bool)
    /// Whether the provider may tell this, and to whom.
    case consent(ConsentRequest)
    /// Nothing: the service itself has answered.
    case end(HTTPResponse)
  }

  /// Brings a request to the provider.
  package func begin(
    _ form: HTTPForm, at url: RedirectURL
  ) throws(LoginError) -> Stage {
    try open(FormSubmission(url, .post(form)))
  }

  /// Fills in the form that has the fields, and sends it as its first button does.
  ///
  /// - Parameter values: by the names that test servers have for them: `user`, `password`, `code`.
  package func fill(_ values: [String: String]) throws(LoginError) -> Stage {
    guard let page, var form = page.form(asking: Set(values.keys)) else {
      throw .unexpectedPage(.identityProvider)
    }
    form.fields = form.fields.map { field in
      var field = field
      field.value = values[field.name] ?? field.value
      return field
    }
    let button = form.fields.first { $0.kind == .button }
    return try open(try page.submission(of: form, pressing: button, at: .identityProvider))
  }

  /// Agrees to what the page asks for.
  package func consent() throws(LoginError) -> Stage {
    guard let page else { throw .unexpectedPage(.consent) }
    return try open(try page.consent().accept)
  }

  private func open(_ submission: FormSubmission) throws(LoginError) -> Stage {
    var next = submission
    for _ in 0..<Browser.redirectLimit {
      let response = try send(next)
      if let redirect = next.request.redirected(by: response) {
        next = FormSubmission(
          try RedirectURL(judging: redirect.url, at: .identityProvider), redirect.method)
        continue
      }
      // Only the service itself answers in JSON: that is the end.
      if response.header("content-type")?.hasPrefix("application/json") == true {
        return .end(response)
      }
      let page = try loaded(response, at: next.url)
      guard let answer = try answer(on: page) else {
        self.page = page
        return try stage(of: page)
      }
      next = answer
    }
    throw .navigation(.tooManyHops, .identityProvider)
  }

  private func send(_ submission: FormSubmission) throws(LoginError) -> HTTPResponse {
    guard origins.contains(submission.url.origin) else {
      throw .navigation(.leftEnvironment(submission.url.origin), .identityProvider)
    }
    var request = submission.request
    // The service gives the data to programs as JSON.
    request.headers = [.init(name: "Accept", value: "application/json, text/html;q=0.9")]
    return try LoginError.at(.identityProvider) { () throws(HTTPError) in
      try agent().send(request)
    }
  }

  private func agent() throws(HTTPError) -> any PageExchange {
    if let exchange { return exchange }
    let agent = try make()
    exchange = agent
    return agent
  }

  /// Pages that ask again come with a status of their own.
  private func loaded(
    _ response: HTTPResponse, at url: RedirectURL
  ) throws(LoginError) -> LoadedPage {
    let page: LoadedPage
    do throws(PageError) { page = try LoadedPage(response, at: url) } catch {
      guard response.status < 400 else { throw .status(response.status, .identityProvider) }
      throw .page(error, .identityProvider)
    }
    if let error = page.errorPage { throw .errorPage(code: error.number, .identityProvider) }
    guard (200..<300).contains(page.status) || page.asksForSecret else {
      throw .status(page.status, .identityProvider)
    }
    return page
  }

  /// The form with the provider's response, when the page has it.
  ///
  /// - Throws: `.refusedByIdentityProvider` for any status but success: the person is not in, and nobody is told.
  private func answer(on page: LoadedPage) throws(LoginError) -> FormSubmission? {
    guard case .response(let submission) = try page.message(at: .identityProvider) else {
      return nil
    }
    let status: SAMLStatus
    do throws(SAMLProblem) { status = try SAMLResponse(submission.method).status } catch {
      throw .response(error)
    }
    guard status.isSuccess else { throw .refusedByIdentityProvider(status) }
    return submission
  }

  private func stage(of page: LoadedPage) throws(LoginError) -> Stage {
    let isWrong = page.status >= 400
    if page.form(asking: ["user", "password"]) != nil { return .password(isWrong: isWrong) }
    if page.form(asking: ["code"]) != nil { return .code(isWrong: isWrong) }
    let attributes = try page.consent().attributes
    return .consent(ConsentRequest(serviceProvider: service, attributes: attributes))
  }
}

extension LoadedPage {
  /// The only form that is posted and asks for all of these.
  fileprivate func form(asking names: Set<String>) -> PageForm? {
    let forms = content.forms.filter { form in
      form.method == .post
        && names == Set(form.fields.filter { $0.kind == .text }.map(\.name))
    }
    return forms.count == 1 ? forms.first : nil
  }

  fileprivate var asksForSecret: Bool {
    form(asking: ["user", "password"]) != nil || form(asking: ["code"]) != nil
  }
}
