/// The page on which the identity provider asks for consent.
struct ConsentForm {
  /// What would be told; never empty.
  let attributes: [ConsentRequest.Attribute]
  /// Yes.
  let accept: FormSubmission
}

extension LoadedPage {
  /// The consent page: the one form with one button for yes, and a list of what it is a yes to.
  ///
  /// - Throws: `.unexpectedPage` when it is none, `.consentUnlisted` when what it asks for cannot be told; guessing
  ///   would be consenting.
  func consent() throws(LoginError) -> ConsentForm {
    let stage = LoginStage.completion
    var found: [FormSubmission] = []
    for form in content.forms where form.method == .post {
      // Something has to be typed in first: that is another question.
      let isAsking = form.fields.contains { $0.kind == .text && $0.value.isEmpty }
      let buttons = form.fields.filter {
        $0.kind == .button && ConsentButton.agrees($0) && !isAsking
      }
      guard let button = buttons.first else { continue }
      guard buttons.count == 1 else { throw .unexpectedPage(stage) }
      found.append(try submission(of: form, pressing: button, at: stage))
    }
    guard let accept = found.first, found.count == 1 else { throw .unexpectedPage(stage) }
    let attributes = content.consentList
    guard !attributes.isEmpty else { throw .consentUnlisted(url.origin) }
    return ConsentForm(attributes: attributes, accept: accept)
  }
}

/// How a button says yes: by its value, by its name (Shibboleth IdP, attribute release), or by its text.
private enum ConsentButton {
  private static let values: Set<String> = ["accept", "consent", "allow", "agree"]
  private static let names: Set<String> = ["_eventId_proceed"]
  private static let words: Set<String> = [
    "acconsento", "acconsenti", "accetto", "accetta", "autorizzo", "autorizza", "consenti",
    "conferma", "confermo", "prosegui", "procedi", "continua", "invia", "si", "sì", "ok", "accept",
    "agree", "allow", "authorize", "authorise", "consent", "confirm", "proceed", "continue",
    "submit", "yes",
  ]
  /// In whatever company: "non acconsento", "rifiuta e prosegui".
  private static let refusals: Set<String> = [
    "non", "no", "rifiuto", "rifiuta", "nego", "nega", "annulla", "esci", "not", "don't", "deny",
    "reject", "decline", "refuse", "cancel", "disagree",
  ]

  static func agrees(_ button: PageForm.Control) -> Bool {
    let spoken = Set(
      button.label.lowercased().split { !$0.isLetter && $0 != "'" }.map(String.init))
    guard spoken.isDisjoint(with: refusals), !refusals.contains(button.value.lowercased()) else {
      return false
    }
    return values.contains(button.value.lowercased()) || names.contains(button.name)
      || !spoken.isDisjoint(with: words)
  }
}

/// What a consent page lists.
///
/// Its real mark-up is not published. Definition lists and tables say by what they are that they are lists; anything
/// else counts only where it names data that identity providers have.
extension Page {
  /// The holder's data that the page names, with values where it shows them; empty when no list is recognised.
  var consentList: [ConsentRequest.Attribute] {
    let marked = definitions + rows
    return marked.isEmpty ? lines : marked
  }

  /// Terms with their descriptions.
  private var definitions: [ConsentRequest.Attribute] {
    var found: [(label: String, values: [String])] = []
    for part in outermost(named: "dl").flatMap(\.all) {
      if part.name == "dt" { found.append((part.text, [])) }
      if part.name == "dd", let last = found.indices.last { found[last].values.append(part.text) }
    }
    return found.filter { !$0.label.isEmpty && !$0.values.isEmpty }
      .map { .init(label: $0.label, value: $0.values.joined(separator: ", ")) }
  }

  /// Table rows: the first cell says what the second one is. A row of headings alone is none.
  private var rows: [ConsentRequest.Attribute] {
    // A table around tables is no list; and nothing is read twice.
    elements(named: "tr").filter { !$0.holds(["tr"]) }.compactMap { row in
      let cells = row.all.filter { $0.name == "td" || $0.name == "th" }
      guard cells.contains(where: { $0.name == "td" }), let label = cells.first?.text,
        let value = cells.dropFirst().first?.text, !label.isEmpty
      else { return nil }
      return .init(label: label, value: value)
    }
  }

  /// Items and paragraphs: "Nome: ADA", "Nome ADA", "Nome", or "nome, cognome e codice fiscale"; also with the parts in
  /// elements of their own, and nothing between them.
  private var lines: [ConsentRequest.Attribute] {
    ["li", "p", "div", "label"].flatMap { elements(named: $0) }
      .filter { !$0.holds(Self.blocks) }
      .flatMap { Self.pair($0).map { [$0] } ?? Self.attributes(in: $0.text) }
  }

  private static let blocks: Set<String> = [
    "li", "p", "div", "label", "ul", "ol", "table", "form", "section", "nav",
  ]
  /// Longer lines are prose.
  private static let lineLimit = 200

  /// A known label in the first element, its value in what follows.
  private static func pair(_ line: HTMLElement) -> ConsentRequest.Attribute? {
    let parts = line.children.compactMap { node -> String? in
      switch node {
      case .element(let element): element.text
      case .text(let text): text.collapsed
      }
    }.filter { !$0.isEmpty }
    guard let first = parts.first, parts.count > 1, line.text.unicodeScalars.count <= lineLimit
    else { return nil }
    let label = trim(Substring(first.hasSuffix(":") ? first.dropLast() : first[...]))
    guard ConsentLabels.isKnown(label) else { return nil }
    let value = parts.dropFirst().joined(separator: " ")
    return .init(label: label, value: trim(value.drop { $0 == ":" || $0 == " " }))
  }

  private static func attributes(in line: String) -> [ConsentRequest.Attribute] {
    guard line.unicodeScalars.count <= lineLimit else { return [] }
    let halves = line.split(separator: ":", maxSplits: 1).map(trim)
    if let label = halves.first, ConsentLabels.isKnown(label) {
      return [.init(label: label, value: halves.dropFirst().first ?? "")]
    }
    let items = (halves.last ?? "").replacing(" e ", with: ",").replacing(" and ", with: ",")
      .split { ",;.•".contains($0) }.map(trim).filter { !$0.isEmpty }
    if !items.isEmpty, items.allSatisfy(ConsentLabels.isKnown) {
      return items.map { .init(label: $0, value: "") }
    }
    return ConsentLabels.start(of: line).map { label in
      [.init(label: label, value: trim(line.dropFirst(label.count)))]
    } ?? []
  }

  private static func trim(_ text: Substring) -> String {
    text.split(separator: " ").joined(separator: " ")
  }
}

/// What people and documents call the data that an identity provider has: cie-eid-saml-docs (the four of the minimum
/// set, e-mail and telephone), SPID's attribute table, in Italian, English and as SAML names.
private enum ConsentLabels {
  private static let known: Set<String> = [
    "nome", "cognome", "nome e cognome", "nominativo", "data di nascita", "luogo di nascita",
    "comune di nascita", "provincia di nascita", "sesso", "genere", "codice fiscale", "email",
    "e-mail", "indirizzo email", "indirizzo e-mail", "indirizzo di posta elettronica",
    "posta elettronica", "telefono", "numero di telefono", "cellulare", "numero di cellulare",
    "indirizzo", "residenza", "domicilio", "cittadinanza", "name", "given name", "first name",
    "surname", "family name", "last name", "full name", "date of birth", "birth date",
    "place of birth", "gender", "sex", "fiscal code", "fiscal number", "tax code",
    "tax identification number", "phone", "phone number", "telephone", "mobile", "mobile phone",
    "address", "nationality", "familyname", "dateofbirth", "placeofbirth", "fiscalnumber",
    "mobilephone", "spidcode", "idcard", "digitaladdress",
  ]

  static func isKnown(_ text: String) -> Bool { known.contains(text.lowercased()) }

  /// The longest known label that a line of few words begins with.
  static func start(of line: String) -> String? {
    let words = line.split(separator: " ")
    guard words.count <= 10 else { return nil }
    return (1...max(1, min(5, words.count))).reversed().lazy
      .map { words.prefix($0).joined(separator: " ") }.first(where: isKnown)
  }
}
