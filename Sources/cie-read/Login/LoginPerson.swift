import CIECard
import Glibc
import Messages
import RedirectFlow
import Synchronization
import System

/// The person at the terminal, or what the command line says in their place.
struct LoginPerson: LoginParticipant, LoginObserver {
  let consent: ConsentOption?
  let isJSON: Bool
  /// Whether each step gets a line that stays.
  let isTold: Bool
  /// Where the page goes at which a login failed.
  let pageFile: PageFile?
  let session: Session

  func examine(_ page: EndPage) {
    guard let pageFile else { return }
    do throws(Failure) { try pageFile.commit(page.body) } catch {
      // Why the login failed matters more.
      tell([Message("login.page-not-kept")])
    }
  }

  func follow(_ event: LoginEvent) {
    guard isTold, !session.isQuiet else { return session.progress.show(event.text) }
    session.progress.clear()
    Stream.error.write(lines: ["- " + event.text(session.language)])
  }

  func allows(_ presentation: LoginCard.CertificatePresentation) throws(LoginError) -> Bool {
    session.progress.clear()
    let server = presentation.server.description
    let purpose = presentation.purpose?.display ?? "-"
    // The PIN that is typed, or was given, after this is the answer.
    tell([
      Message("login.certificate-goes-to", ["server": server]),
      Message("login.purpose", ["purpose": purpose]),
    ])
    return true
  }

  func consents(to request: ConsentRequest) throws(LoginError) -> Bool {
    switch consent {
    case .yes: return true
    case .no: return false
    case .ask, nil:
      guard let terminal = QuestionTerminal(session) else { return false }
      session.progress.clear()
      do throws(Failure) { return try terminal.ask(request) } catch { throw LoginError(error) }
    }
  }

  /// On standard error; where that is kept clean, on the terminal, if there is one: who types a
  /// PIN must know for whom.
  func tell(_ text: [Message]) {
    let lines = text.map { $0(session.language) }
    guard session.isQuiet || isJSON && !Stream.error.isTerminal else {
      return Stream.error.write(lines: lines)
    }
    QuestionTerminal(session)?.write(lines: lines)
  }
}

/// Hands a link to the identity provider's app by way of the person.
struct LoginApp: AppAccess {
  let channel: ReturnOption
  let code: String?
  let session: Session

  func handOver(_ invitation: AppInvitation) throws(LoginError) -> String? {
    do throws(Failure) {
      if let code {
        try OutputFile(code, overwriting: session.mayOverwrite).commit(
          [UInt8](invitation.code.svg.utf8))
      }
      session.progress.clear()
      // There is no other way to reach the app, so this is shown even where standard error is kept clean.
      tell(of: invitation)
      switch channel {
      case .loopback: return nil
      case .stdin:
        return try session.standardInputLine()
      }
    } catch { throw LoginError(error) }
  }

  private func tell(of invitation: AppInvitation) {
    let purpose = invitation.purpose?.display ?? "-"
    let opening = Message("app.continue", ["purpose": purpose])
    let closing =
      switch channel {
      case .loopback:
        Message("app.waiting", ["returnAddress": invitation.returnAddress.text])
      case .stdin:
        Message("app.enter")
      }
    let picture = Stream.error.isTerminal && code == nil ? invitation.code.terminalText : ""
    Stream.error.write(lines: [
      opening(session.language), "  \(invitation.appLink)", "  \(invitation.link.text)",
    ])
    Stream.error.write(raw: picture)
    Stream.error.write(lines: [closing(session.language)])
  }
}

/// The file of --save-page: made before the login begins, written when it fails at a page, gone otherwise.
final class PageFile: Sendable {
  private let file: Mutex<OutputFile?>

  /// Makes sure that it can be written.
  init(_ path: String, overwriting: Bool) throws(Failure) {
    file = Mutex(try OutputFile(path, mode: 0o600, overwriting: overwriting))
  }

  /// Lets go of it, unwritten, as long as that is not left to the end of the program.
  func discard() { file.withLock { $0 = nil } }

  /// Writes it; once.
  func commit(_ bytes: [UInt8]) throws(Failure) {
    let file = self.file.withLock { $0.take() }
    try file?.commit(bytes)
  }
}

/// The terminal on which a person is asked something that may be seen.
struct QuestionTerminal: ~Copyable {
  private let descriptor: Int32
  private let session: Session

  /// The controlling terminal; `nil` without one.
  init?(_ session: Session) {
    descriptor = open("/dev/tty", O_RDWR | O_CLOEXEC)
    self.session = session
    guard descriptor >= 0 else { return nil }
  }

  /// Writes lines, whatever they hold, and what follows them on the same line.
  borrowing func write(lines: [String], question: String = "") {
    let bytes = [UInt8]((lines.map { $0.printable + "\n" }.joined() + question).utf8)
    _ = Glibc.write(descriptor, bytes, bytes.count)
  }

  /// Shows what would be told and asks; whatever is not a clear yes is a no.
  borrowing func ask(_ request: ConsentRequest) throws(Failure) -> Bool {
    let names = ([request.serviceProvider] + request.alternatives).map(\.description)
    let title = Message("consent.title", ["names": names.joined(separator: ", ")])
    let question = Message("consent.question")
    let lines = request.attributes.map {
      let line = Message("labelled", ["label": $0.label, "value": $0.value])
      return $0.value.isEmpty ? "  \($0.label)" : "  \(line(session.language))"
    }
    let answer = try answer(to: question, [title(session.language)] + lines, 16).lowercased()
    return Message("consent.yes")(session.language).split(separator: " ").contains { $0 == answer }
  }

  /// One line in answer to a question with lines above it, without the white space around it.
  borrowing func answer(
    to question: Message, _ lines: [String], _ limit: Int
  ) throws(Failure) -> String {
    write(lines: lines, question: question(session.language) + " ")
    let line = try session.interruption.line(descriptor, atMost: limit) {
      .file(.unreadable(path: "/dev/tty", errno: $0))
    }
    return line.split(separator: " ").joined(separator: " ")
  }

  /// Waits until the person has read what there is, or a signal comes.
  borrowing func waitForEnter() {
    let words = Message("terminal.stay")
    write(lines: [], question: words(session.language) + " ")
    var byte: UInt8 = 0
    while session.interruption.signal == nil {
      var descriptors = [pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)]
      guard poll(&descriptors, 1, 200) > 0 else { continue }
      guard read(descriptor, &byte, 1) == 1, byte != UInt8(ascii: "\n") else { return }
    }
  }

  deinit { if descriptor >= 0 { close(descriptor) } }
}
