/// Login in the person's own browser: a page of this machine sends the request to the provider, and the service's last
/// page has the person's data. That page is on the service's own server (the kit's web view reads it there), or, with
/// our extension of the service, redirects to this machine with a code for the data.
extension SPIDWire {
  /// - Returns: `browserRequired`, with the address of the page, which is served once.
  func begin(at provider: SignInState.ProviderRequired.Provider) throws(SignInError) -> SignInState
  {
    let door = try BrowserReturn(
      context, at: method.place, state: try SignInContext.randomText(43), takesData: true)
    let request = try request(to: provider, door.parameters)
    let page = FormPage(
      sending: request.form, to: request.destination, context.returnWords)
    return .browserRequired(
      SignInState.BrowserRequired(context, door.listener.startAddress, until: door.end, door: door)
      {
        () throws(SignInError) in
        let answer = try door.answer(serving: page)
        if let word = answer["error"] { throw Self.failure(word, 403) }
        if let body = answer.body { return .completed(try account(json: body)) }
        if let address = answer.address { return .completed(try account(at: address)) }
        guard let code = answer["code"] else {
          throw SignInError(.exchange(.missingMember("code")))
        }
        return .completed(try account(code))
      })
  }
}
