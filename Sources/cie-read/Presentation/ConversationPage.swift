import CIECard
import CardWork
import Messages
import Primitives
import Traces

extension ShownConversation {
  /// The conversation as a sequence diagram: one HTML page without script, picture or address, for the screen, in the dark
  /// too, and for paper.
  func page(_ language: Language) -> String {
    let lines = head(language)
    var body = "<h1>\(Self.escaped(lines[0]))</h1>\n"
    body += lines.dropFirst().map { "<p>\(Self.escaped($0))</p>\n" }.joined()
    let (program, card) = (Message("trace.program")(language), Message("trace.card")(language))
    body += "<main>\n<div class=\"ends\"><b>\(program)</b><b>\(card)</b></div>\n"
    var step: String?
    for row in exchanges {
      if row.exchange.step != step {
        step = row.exchange.step
        body += "<h2>\(Self.escaped(step.map { Row.title(ofStep: $0, language) } ?? ""))</h2>\n"
      }
      body += diagram(of: row, language)
    }
    return """
      <!DOCTYPE html>
      <html lang="\(language.rawValue)">
      <head>
      <meta charset="utf-8">
      <meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">
      <meta name="viewport" content="width=device-width">
      <title>\(Self.escaped(lines[0]))</title>
      <style>
      \(Self.style)
      </style>
      </head>
      <body>
      \(body)</main>
      </body>
      </html>

      """
  }

  /// An arrow to the card, and one back.
  private func diagram(of row: Row, _ language: Language) -> String {
    guard !row.exchange.header.isEmpty else {
      return "<p class=\"cut\">\(row.number) \(Message("trace.power-cycle")(language))</p>\n"
    }
    let name = [row.marks, row.command, row.file ?? ""].filter { !$0.isEmpty }
      .joined(separator: " ")
    let reply = row.exchange.reply
    let time = row.exchange.milliseconds.map { "\($0) ms" }
    let count = { (count: Int) in Message("trace.bytes", ["count": count])(language) }
    // Done, with more to fetch, or with a warning (ISO/IEC 7816-4 §5.6).
    let isGood = reply.map { [0x61, 0x62, 0x90].contains($0.status.rawValue >> 8) } ?? false
    return "<div class=\"x\"><p class=\"c\"><i>\(row.number)</i> \(Self.escaped(name))"
      + " <small>\(count(row.exchange.sent))</small></p>"
      + Self.code(row.sent.text(language))
      + "<p class=\"\(isGood ? "a" : "a bad")\">\(Self.escaped(row.answer(language)))"
      + " <small>\([reply.map { count($0.received) }, time].compactMap { $0 }.joined(separator: ", "))"
      + "</small></p>" + Self.code(row.received.text(language)) + "</div>\n"
  }

  private static func code(_ text: String?) -> String {
    text.map { "<code>\(escaped($0))</code>" } ?? ""
  }

  static func escaped(_ text: String) -> String {
    text.printable.exchanging("&", for: "&amp;").exchanging("<", for: "&lt;")
      .exchanging(">", for: "&gt;").exchanging("\"", for: "&quot;")
  }

  /// The arrows are borders, because they are printed, unlike backgrounds.
  private static let style = """
    :root { color-scheme: light dark; --line: #667; --good: #186a3b; --bad: #b00020; }
    @media (prefers-color-scheme: dark) { :root { --line: #99a; --good: #7bd88f; --bad: #ff8a80; } }
    body { font: 15px/1.4 system-ui, sans-serif; max-width: 54rem; margin: 1rem auto; padding: 0 1rem; }
    h1 { font-size: 1.3rem; } h2 { font-size: 1rem; margin: 1.4rem 1rem .4rem; } p { margin: .2rem 0; }
    main { border: solid var(--line); border-width: 0 2px; }
    .ends { display: flex; justify-content: space-between; padding: 0 .5rem; }
    .x { margin: .5rem 0; break-inside: avoid; }
    .c, .a { position: relative; border-bottom: 1.5px solid var(--line); margin: 0; padding: 0 1rem; }
    .c { color: inherit; } .a { text-align: right; border-color: var(--good); border-bottom-style: dashed; }
    .a.bad { border-color: var(--bad); color: var(--bad); }
    .c::after, .a::before { position: absolute; bottom: -.75em; content: "\\25B6"; right: -.1em; color: var(--line); }
    .a::before { content: "\\25C0"; right: auto; left: -.1em; color: var(--good); } .a.bad::before { color: var(--bad); }
    .cut { text-align: center; border-top: 2px dotted var(--line); }
    i { font-style: normal; opacity: .6; } small { opacity: .75; }
    code { display: block; font: 12px/1.5 ui-monospace, monospace; padding: .2rem 1.5rem; overflow-wrap: anywhere; }
    .a + code { text-align: right; }
    @media print { body { font-size: 10pt; max-width: none; } h2 { break-after: avoid; } }
    """
}
