import Messages

extension ServicePage {
  /// The words of the page, by the names that its template and script have for them.
  static var words: [(name: String, text: Message)] {
    [
      ("title", Message("page.title")), ("state", Message("page.state")),
      ("connecting", Message("page.connecting")),
      ("disconnected", Message("page.disconnected")), ("no-reader", Message("page.no-reader")),
      ("no-card", Message("page.no-card")), ("card", Message("page.card")),
      ("reading", Message("page.reading")), ("nis", Message("page.nis")),
      ("verify", Message("page.verify")), ("can", Message("page.can")),
      ("read", Message("page.read")), ("login", Message("page.login")),
      ("link", Message("page.link")), ("pin", Message("page.pin")),
      ("pin-elsewhere", Message("page.pin-elsewhere")), ("log-in", Message("page.log-in")),
      ("go-on", Message("page.go-on")), ("cancel", Message("page.cancel")),
      ("working", Message("page.working")), ("done", Message("page.done")),
      ("failed", Message("page.failed")), ("result", Message("page.result")),
      ("access", Message("page.access")), ("token", Message("page.token")),
      ("use-token", Message("page.use-token")), ("token-wrong", Message("page.token-wrong")),
      ("languages", Message("page.language")), ("proved", Message("page.outcome-proved")),
      ("false", Message("page.outcome-false")),
      ("known-production-fault", Message("page.outcome-fault")),
      ("could-not-check", Message("page.outcome-unchecked")),
      ("surname", Message("document.surname")), ("given-names", Message("document.given-names")),
      ("birth-date", Message("document.date-of-birth")),
      ("birth-place", Message("document.place-of-birth")),
      ("nationality", Message("document.nationality")),
      ("fiscal-code", Message("document.fiscal-code")), ("address", Message("document.address")),
      ("document", Message("document.document")),
      ("expiry-date", Message("document.date-of-expiry")),
    ]
  }
}
