/// Reads a page's elements, each once, in the order of their start tags.
struct PageReader {
  private(set) var title = ""
  private(set) var links: [Page.Link] = []
  private(set) var scripts: [String] = []
  /// What the page does when it is loaded.
  private(set) var onload: String?
  private(set) var refresh: PageRefresh?
  private var base: RedirectURL?
  private let own: RedirectURL?
  private var hasBase = false
  private var found: [FoundForm] = []
  private var formIndexes: [String: Int] = [:]
  private var pressables: [Pressable] = []
  private var identified: [String: HTMLElement] = [:]

  /// A form, before it is known where its controls are.
  private struct FoundForm {
    let element: HTMLElement
    var form: PageForm
    /// Whether it says something to browsers without scripts.
    var hasFallback = false
  }

  /// A link or button, before all elements are known that may name it.
  private struct Pressable {
    let element: HTMLElement
    let form: Int?
    let field: PageForm.Control?
  }

  /// - Parameter own: the page's own address.
  init(_ own: RedirectURL?) {
    self.own = own
    base = own
  }

  /// Where a reference on the page leads.
  func resolve(_ reference: String) -> String? { RedirectURL.target(of: reference, on: base) }

  mutating func read(_ root: HTMLElement) { visit(root, in: nil, isFallback: false) }

  /// - Parameters:
  ///   - form: the form that it stands in; forms in forms are none (HTML Living Standard §13.2.6.4.7).
  ///   - isFallback: whether it is for browsers without scripts.
  private mutating func visit(_ element: HTMLElement, in form: Int?, isFallback: Bool) {
    var form = form
    var isFallback = isFallback
    if let identifier = element.attributes["id"], identified[identifier] == nil {
      identified[identifier] = element
    }
    switch element.name {
    case "base": takeBase(element)
    case "title" where title.isEmpty: title = element.text
    case "script": scripts.append(element.ownText)
    case "body": onload = onload ?? element.attributes["onload"]
    case "meta" where !isFallback: takeRefresh(element)
    case "noscript":
      isFallback = true
      if let form { found[form].hasFallback = true }
    case "template": return
    case "form" where form == nil:
      form = found.count
      if let name = element.attributes["id"], formIndexes[name] == nil {
        formIndexes[name] = found.count
      }
      found.append(FoundForm(element: element, form: PageForm(element)))
    case "a", "area":
      takeLink(element)
      pressables.append(Pressable(element: element, form: nil, field: nil))
    default: takeControl(element, form)
    }
    for case .element(let child) in element.children {
      visit(child, in: form, isFallback: isFallback)
    }
  }

  private mutating func takeBase(_ element: HTMLElement) {
    guard !hasBase, let reference = element.attributes["href"] else { return }
    hasBase = true
    if let url = try? RedirectURL(asBrowsersRead: reference, on: own) { base = url }
  }

  private mutating func takeRefresh(_ element: HTMLElement) {
    guard refresh == nil, element.attributes["http-equiv"]?.lowercased() == "refresh",
      let content = element.attributes["content"]
    else { return }
    refresh = PageRefresh(content)
  }

  private mutating func takeLink(_ element: HTMLElement) {
    guard let target = element.attributes["href"].flatMap(resolve) else { return }
    links.append(Page.Link(target: target, text: element.names { _ in nil }.joined(separator: " ")))
  }

  private mutating func takeControl(_ element: HTMLElement, _ form: Int?) {
    // A control may name its form from anywhere (§4.10.17.3).
    let owner = element.attributes["form"].flatMap { formIndexes[$0] } ?? form
    if let field = PageForm.field(element) {
      if let owner { found[owner].form.fields.append(field) }
      if field.kind == .button {
        pressables.append(Pressable(element: element, form: owner, field: field))
      }
    } else if element.attributes["onclick"] != nil {
      pressables.append(Pressable(element: element, form: nil, field: nil))
    }
  }
}

/// What is known when all has been read.
extension PageReader {
  /// The forms, with where they lead. One without an action goes to the page itself, whatever its base.
  var forms: [PageForm] {
    found.map { found in
      var form = found.form
      let action = found.element.attributes["action"] ?? ""
      form.action = action.allSatisfy(\.isWhitespace) ? own?.text : resolve(action)
      return form
    }
  }

  var controls: [PageControl] {
    let forms = forms
    return pressables.compactMap { pressable in
      action(of: pressable, in: forms).map { action in
        PageControl(names: pressable.element.names { identified[$0] }, action: action)
      }
    }
  }

  private func action(of pressable: Pressable, in forms: [PageForm]) -> PageControl.Action? {
    let element = pressable.element
    if let field = pressable.field, let index = pressable.form {
      var form = forms[index]
      // A button may send its form elsewhere, or otherwise (§4.10.19.6).
      if let action = element.attributes["formaction"] { form.action = resolve(action) }
      if let method = element.attributes["formmethod"] { form.method = .init(method) }
      return .submit(form, pressing: field)
    }
    // A link that leads nowhere is pressed for its script.
    let href = element.attributes["href"] ?? ""
    if !href.isEmpty, !href.hasPrefix("#"), let target = resolve(href),
      !target.lowercased().hasPrefix("javascript:")
    {
      return .follow(target)
    }
    guard let text = element.attributes["onclick"] ?? Self.script(href) else { return nil }
    let script = PageScript(text)
    if let target = script.navigation.flatMap(resolve) { return .follow(target) }
    return script.submission.flatMap { form($0, in: forms) }.map { .submit($0, pressing: nil) }
  }

  /// The form that a script submits.
  private func form(_ submission: PageScript.Submission, in forms: [PageForm]) -> PageForm? {
    switch submission {
    case .index(let index): forms.indices.contains(index) ? forms[index] : nil
    // A variable says nothing; then there is only one form that it can hold.
    case .name(let name):
      forms.first { $0.identifier == name } ?? (forms.count == 1 ? forms.first : nil)
    }
  }

  /// The script of a `javascript:` link.
  private static func script(_ href: String) -> String? {
    href.lowercased().hasPrefix("javascript:") ? String(href.dropFirst("javascript:".count)) : nil
  }

  /// The form that a browser would send at once.
  ///
  /// - Parameter submission: what the scripts submit.
  func autoSubmittedForm(_ submission: PageScript.Submission?) -> PageForm? {
    let forms = forms
    if let submission { return form(submission, in: forms) }
    // The HTTP-POST binding's usual page (SAML 2.0 Bindings §3.5.4): hidden fields, and a button for browsers
    // without scripts.
    guard forms.count == 1, let form = forms.first, found.first?.hasFallback == true,
      form.fields.allSatisfy({ $0.kind == .hidden || $0.kind == .button }),
      form.fields.contains(where: { $0.name == "SAMLRequest" || $0.name == "SAMLResponse" })
    else { return nil }
    return form
  }
}
