import Arguments
import CIECard
import CardWork
import Messages
import RedirectFlow
import SignIn
import Primitives

/// `cie-read status`: the signed-in account, without a request to a server.
struct StatusCommand: CardCommand {
  static let configuration = CommandConfiguration("status", "command.status")

  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    var outcome = CommandOutcome()
    do throws(Failure) {
      let account = try AccountSession.current()
      let way = Message("method.\(account.method)")
      outcome.lines = [
        Message("signed-in", ["service": account.service, "method": way])(context.language),
        Message("signed-in-since", ["time": LocalMoment(account.begun)])(context.language),
      ]
      if let end = account.expires {
        let row =
          end > context.time
          ? Message("token-until", ["time": LocalMoment(end)]) : Message("token-over")
        outcome.lines.append(row(context.language))
      }
      outcome.members = account.members(nil, showsClaims: false)
    } catch {
      guard error.signIn?.cause == .notSignedIn else { throw error }
      outcome.members = [.init("state", "signed-out")]
      outcome.failure = error
    }
    return outcome
  }
}

/// `cie-read claims`: the provider's data about the person.
struct ClaimsCommand: CardCommand {
  static let configuration = CommandConfiguration("claims", "command.claims")

  @Argument(help: .text("option.claims.name", value: "name")) var name: String?
  @Option(help: .text("option.claims.out", value: "file"), completion: .file()) var out: String?
  @OptionGroup var overwriting: OverwriteOption
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard out == nil || name != nil else { throw .optionNeeded("NAME") }
    let claims = try AccountSession.unlocked().claims
    guard let name else {
      return CommandOutcome(lines: claims.lines(context.language), members: claims.members)
    }
    let field = AccountField(rawValue: name).flatMap { claims[$0] }
    let values = field.map { [$0] } ?? claims[name]
    guard !values.isEmpty else { throw .usage("no-such-claim") }
    guard let out else {
      return CommandOutcome(
        lines: values, members: [.init("name", name), .init("values", values)])
    }
    // A picture is base64 text, with or without the prefix that a browser needs.
    let text = values.first.map { $0.split(separator: ",").last.map(String.init) ?? $0 } ?? ""
    guard let bytes = Base64.decode([UInt8](text.utf8)) else { throw .usage("claim-not-binary") }
    try OutputFile(out, mode: 0o600, overwriting: context.mayOverwrite).commit(bytes)
    return CommandOutcome(members: [.init("name", name), .init("out", out)])
  }
}

/// `cie-read token`: a token of the account, for another program. A secret, and on standard output on request.
struct TokenCommand: CardCommand {
  static let configuration = CommandConfiguration("token", "command.token")

  @Flag(help: .text("option.token.identity")) var identity = false
  @Flag(help: .text("option.token.refresh")) var refresh = false
  @Option(help: .text("option.timeout", value: "seconds")) var timeout = 30
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard (1...600).contains(timeout) else { throw .usage("bad-timeout") }
    var account = try AccountSession.unlocked()
    guard let tokens = account.tokens else { throw .above(SignInError(.notOffered)) }
    let isOver = tokens.expires.map { $0 <= context.time } ?? false
    if refresh || (isOver && !identity) {
      let limit = Duration.seconds(timeout)
      account = try AwaitedWork.signingIn(context, cancel: {}) { () async throws(SignInError) in
        try await AccountSession.keeper(limit).refresh()
      }
    }
    let current = account.tokens
    guard let token = identity ? current?.identity : current?.access else {
      throw .above(SignInError(.notOffered))
    }
    return CommandOutcome(
      lines: [token],
      members: [
        .init("kind", identity ? "identity" : "access"), .init("token", token),
        .init("expires", identity ? nil : current?.expires?.description),
      ])
  }
}

/// `cie-read logout`: signs out, here and at the provider.
struct LogoutCommand: CardCommand {
  static let configuration = CommandConfiguration("logout", "command.logout")

  @Option(help: .text("option.timeout", value: "seconds")) var timeout = 30
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    guard (1...600).contains(timeout) else { throw .usage("bad-timeout") }
    let limit = Duration.seconds(timeout)
    let isTold = try AwaitedWork.signingIn(context, cancel: {}) { () async throws(SignInError) in
      try await AccountSession.keeper(limit).signOut()
    }
    return CommandOutcome(
      lines: [Message(isTold ? "signed-out" : "signed-out-here")(context.language)],
      members: [.init("state", "signed-out"), .init("providerTold", isTold)])
  }
}

/// `cie-read reset`: deletes all data of the account, and the requests that wait for the network.
struct ResetCommand: CardCommand {
  static let configuration = CommandConfiguration("reset", "command.reset")

  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    try mapError(try AccountSession.keeper().reset()) { (error: SignInError) in Failure.above(error)
    }
    return CommandOutcome(
      lines: [Message("reset.done")(context.language)], members: [.init("state", "signed-out")])
  }
}
