import Testing

@testable import RedirectFlow
@testable import Web

/// Consent pages with foreign mark-up; attributes that cannot be listed are not asked about.
@Suite struct ConsentListTests {
  private static let form = """
    <form method=post action=/idp/consent><button type=submit name=_eventId_proceed value=Prosegui>Prosegui</button>
    <button type=submit name=_eventId_cancel value=Annulla>Annulla</button></form>
    """

  private func consent(_ list: String, _ form: String = form) throws -> ConsentForm {
    let page = try LoadedPage(
      try HTTPResponse("<title>Consenso</title><h2>Informativa</h2>" + list + form),
      at: try RedirectURL(Script.completed))
    return try page.consent()
  }

  @Test(arguments: [
    "<dl><dt>Nome</dt><dd>ADA</dd><dt>Cognome</dt><dd>PROVA</dd></dl>",
    "<dl><div><dt>Nome<dd>ADA</div><div><dt>Cognome<dd>PROVA</div></dl>",
    "<table><tr><th>Dato<th>Valore<tr><td>Nome<td>ADA<tr><td>Cognome<td>PROVA</table>",
    "<table><tr><th>Nome</th><td>ADA</td><td><input type=checkbox></td><tr><th>Cognome<td>PROVA</table>",
    "<ul><li><strong>Nome</strong>: ADA</li><li><strong>Cognome</strong>: PROVA</li></ul>",
    "<ul><li>Nome: ADA<li>Cognome: PROVA</ul>", "<p>Nome ADA</p><p>Cognome PROVA</p>",
    "<div><div class=r><span class=k>Nome</span><span class=v>ADA</span></div>"
      + "<div class=r><span>Cognome:</span><span data-v>PROVA</span></div></div>",
  ])
  func listsLabelsAndValues(_ list: String) throws {
    let attributes = try consent(list).attributes
    #expect(attributes.map(\.label) == ["Nome", "Cognome"])
    #expect(attributes.map(\.value) == ["ADA", "PROVA"])
  }

  @Test(arguments: [
    "<ul><li><a href=/privacy>Privacy</a><li>Nome<li>Codice fiscale</ul>",
    "<p>Saranno inviati: nome, codice fiscale.</p>", "<p>Dati: nome e codice fiscale</p>",
    "<form><label>Nome</label><input value=ADA readonly><label>Codice Fiscale:</label><input></form>",
    "<div>Nome</div><div>Codice fiscale</div>",
  ])
  func listsLabelsAlone(_ list: String) throws {
    let attributes = try consent(list).attributes
    #expect(attributes.map { $0.label.lowercased() } == ["nome", "codice fiscale"])
    #expect(attributes.allSatisfy { $0.value.isEmpty })
  }

  @Test(arguments: [
    "", "<p>Vuoi procedere?</p>", "<ul><li><a href=/a>Home</a><li>Contatti</ul>",
    "<p>I tuoi dati stanno per essere inviati al fornitore dei servizi</p>",
    "<table><tr><th>Nome<th>Valore</table>", "<dl><dt>Nome</dl>", "<dl><dd>ADA</dl>",
  ])
  func nothingListedIsNotAsked(_ list: String) throws {
    let error = #expect(throws: LoginError.self) { try consent(list) }
    guard case .consentUnlisted(let origin) = error?.cause else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect("\(origin)" == Script.idp)
  }

  @Test(arguments: [
    "<button name=choice value=accept>Va bene</button>", "<button>Sì, acconsento</button>",
    "<input type=submit value='ACCETTO'>", "<button name=_eventId_proceed>&gt;</button>",
    "<button>Autorizza</button><a href=/no>Annulla</a>", "<button>I agree</button>",
    "<button name=a value=deny>Rifiuta e prosegui</button><button name=a value=x>Continua</button>",
    "<button>Invia</button><button>Non accetto</button>",
  ])
  func yesInManyWords(_ buttons: String) throws {
    let list = "<dl><dt>Nome<dd>ADA</dl>"
    let form = try consent(list, "<form method=post action=/c>\(buttons)</form>")
    #expect(form.accept.url.text == Script.idp + "/c")
    guard case .post(let fields) = form.accept.method else {
      Issue.record("not posted")
      return
    }
    #expect(!fields.fields.contains { $0.value == "deny" })
  }
}
