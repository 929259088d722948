import Glibc
import Messages
import RedirectFlow

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
      case .stdin: return try LoginSettings.line(session)
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
