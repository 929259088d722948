import Glibc
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
    let opening = Bilingual(
      it: "Continuare nell'app CieID (il link dice che serve per: \(purpose)):",
      en: "Go on in the CieID app (the link says that it is for: \(purpose)):")
    let closing =
      switch channel {
      case .loopback:
        Bilingual(
          it: "Aspetto l'indirizzo di ritorno su \(invitation.returnAddress.text)?url=…",
          en: "Waiting for the address that it returns at \(invitation.returnAddress.text)?url=…")
      case .stdin:
        Bilingual(
          it: "Scrivere qui l'indirizzo con cui ritorna:",
          en: "Enter here the address with which it returns:")
      }
    let picture = Stream.error.isTerminal && code == nil ? invitation.code.terminalText : ""
    Stream.error.write(lines: [
      opening(session.language), "  \(invitation.appLink)", "  \(invitation.link.text)",
    ])
    Stream.error.write(raw: picture)
    Stream.error.write(lines: [closing(session.language)])
  }
}
