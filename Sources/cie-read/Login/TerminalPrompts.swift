import CIECard
import CardWork
import Glibc
import Messages
import RedirectFlow
import Synchronization
import Primitives

/// The answers that a login has in advance, and its ways to the app.
struct LoginAnswers: Sendable {
  var consent: ConsentOption?
  /// True if each step gets a line that stays.
  var showsSteps = false
  /// The file for the page at which a login failed.
  var pageFile: PageFile?
  /// The route by which the app's answer returns.
  var channel = ReturnOption.loopback
  /// The file for the QR code, instead of the terminal.
  var codeFile: String?
}

/// The person at the terminal, or the command line's answers in their place.
struct TerminalPrompts: LoginParticipant, LoginObserver {
  let answers: LoginAnswers
  let context: RunContext

  func examine(_ page: EndPage) {
    guard let pageFile = answers.pageFile else { return }
    do throws(Failure) { try pageFile.commit(page.body) } catch {
      // The reason of the failed login matters more.
      tell([Message("login.page-not-kept")])
    }
  }

  func follow(_ event: LoginEvent) {
    if case .answerSealed = event { return warn(event.text) }
    guard answers.showsSteps, !context.isQuiet else { return context.progress.show(event.text) }
    context.progress.clear()
    Stream.error.write(lines: ["- " + event.text(context.language)])
  }

  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool {
    context.progress.clear()
    let server = presentation.server.description
    let purpose = presentation.purpose?.display ?? "-"
    // The PIN entered after this, or already given, is the answer.
    let told = [
      Message("login.certificate-goes-to", ["server": server]),
      Message("login.purpose", ["purpose": purpose]),
    ]
    tell(told)
    for line in told { context.purpose.add(line(context.language)) }
    return true
  }

  func consents(to request: ConsentRequest) throws(Failure) -> Bool {
    switch answers.consent {
    case .yes: return true
    case .no: return false
    case .ask, nil:
      guard let terminal = QuestionTerminal(context) else { return false }
      context.progress.clear()
      return try terminal.ask(request)
    }
  }

  /// An answer in advance, by --consent, covers only the receivers of --allow-receiver.
  func accepts(_ receiver: UnannouncedReceiver) throws(Failure) -> Bool {
    guard [nil, .ask].contains(answers.consent), let terminal = QuestionTerminal(context) else {
      return false
    }
    context.progress.clear()
    return try terminal.ask(receiver)
  }

  private func warn(_ text: Message) {
    context.progress.clear()
    tell([text])
  }

  private func tell(_ text: [Message]) { context.tell(text.map { $0(context.language) }) }
}

extension TerminalPrompts: AppAccess {
  /// Hands a link to the identity provider's app through the person.
  func handOver(_ invitation: AppInvitation) throws(Failure) -> String? {
    if let file = answers.codeFile {
      try OutputFile(file, overwriting: context.mayOverwrite).commit(
        [UInt8](invitation.code.svg.utf8))
    }
    context.progress.clear()
    // There is no other access to the app, so this is shown even if standard error is kept clean.
    tell(of: invitation)
    switch answers.channel {
    case .loopback: return nil
    case .stdin: return try context.standardInputLine()
    }
  }

  private func tell(of invitation: AppInvitation) {
    let purpose = invitation.purpose?.display ?? "-"
    let opening = Message("app.continue", ["purpose": purpose])
    let closing =
      switch answers.channel {
      case .loopback:
        Message("app.waiting", ["returnAddress": invitation.returnAddress.text])
      case .stdin:
        Message("app.enter")
      }
    let picture =
      Stream.error.isTerminal && answers.codeFile == nil ? invitation.code.terminalText : ""
    Stream.error.write(lines: [
      opening(context.language), "  \(invitation.appLink)", "  \(invitation.link.text)",
    ])
    Stream.error.write(raw: picture)
    Stream.error.write(lines: [closing(context.language)])
  }
}

/// The file of --save-page: made before the login begins, written when it fails at a page, gone otherwise.
final class PageFile: Sendable {
  private let file: Mutex<OutputFile?>

  init(_ path: String, overwriting: Bool) throws(Failure) {
    file = Mutex(try OutputFile(path, mode: 0o600, overwriting: overwriting))
  }

  /// Releases it, unwritten, unless that is left to the end of the program.
  func discard() { file.withLock { $0 = nil } }

  func commit(_ bytes: [UInt8]) throws(Failure) {
    let file = self.file.withLock { $0.take() }
    try file?.commit(bytes)
  }
}

extension QuestionTerminal {
  borrowing func ask(_ request: ConsentRequest) throws(Failure) -> Bool {
    let names = ([request.serviceProvider] + request.alternatives).map(\.description)
    let title = Message("consent.title", ["names": names.joined(separator: ", ")])
    let lines = request.attributes.map {
      let line = Message("labelled", ["label": $0.label, "value": $0.value])
      return $0.value.isEmpty ? "  \($0.label)" : "  \(line(language))"
    }
    return try agrees(
      to: Message("consent.question"), [title(language)] + lines)
  }

  borrowing func ask(_ receiver: UnannouncedReceiver) throws(Failure) -> Bool {
    let title = Message(
      "receiver.title", ["start": receiver.start, "receiver": receiver.receiver])
    return try agrees(to: Message("receiver.question"), [title(language)])
  }
}
