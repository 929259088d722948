/// Reads a page's elements, each once, in the order of their start tags.
struct PageReader {
  private(set) var title = ""
  private(set) var links: [Page.Link] = []
  private(set) var scripts: [String] = []
  /// The script that the page runs when it is loaded.
  private(set) var onload: String?
  private(set) var refresh: PageRefresh?
  private var base: RedirectURL?
  private let own: RedirectURL?
  private var hasBase = false
  private var found: [FoundForm] = []
  /// The places of the forms among those found, by the numbers of their elements.
  private var formIndexes: [Int: Int] = [:]
  private var fields: [FoundField] = []
  private var pressables: [Pressable] = []
  private var identified: [String: HTMLElement] = [:]
  private var hasTitle = false
  private(set) var budget: PageBudget

  /// A form, before its controls are assigned.
  private struct FoundForm {
    let element: HTMLElement
    var form: PageForm
    /// True if it has content for browsers without scripts.
    var hasFallback = false
  }

  /// A field, before all forms are known that it may name.
  private struct FoundField {
    let element: HTMLElement
    let field: PageForm.Control
    /// The form around it.
    let form: Int?
    /// The place of a button among those that can be pressed.
    let pressable: Int?
  }

  /// A link or button, before all elements are known that may name it.
  private struct Pressable {
    let element: HTMLElement
    var form: Int?
    var field: PageForm.Control?
  }

  init(_ own: RedirectURL?, _ budget: PageBudget) {
    self.own = own
    self.budget = budget
    base = own
  }

  mutating func resolve(_ reference: String) throws(PageError) -> String? {
    let target = RedirectURL.target(of: reference, on: base)
    // Adding the base to each is work, too.
    try budget.spend(
      reference.utf8.count + (base?.path.utf8.count ?? 0) + (target?.utf8.count ?? 0))
    return target
  }

  mutating func read(_ root: HTMLElement) throws(PageError) {
    try visit(root, in: nil, isFallback: false)
    for field in fields { assign(field) }
    for index in found.indices { try resolveTargets(ofForm: index) }
    for index in pressables.indices {
      guard let action = pressables[index].field?.action else { continue }
      let target = try target(ofAction: action) ?? ""
      pressables[index].field?.action = target
    }
  }

  /// - Parameters:
  ///   - form: the enclosing form.
  ///   - isFallback: true if it is for browsers without scripts.
  private mutating func visit(
    _ element: HTMLElement, in form: Int?, isFallback: Bool
  ) throws(PageError) {
    var form = form
    var isFallback = isFallback
    if let identifier = element.attributes["id"], identified[identifier] == nil {
      identified[identifier] = element
    }
    switch element.name {
    case "base": takeBase(element)
    case "title" where !hasTitle:
      hasTitle = true
      title = try element.text(&budget)
    case "script", "svg script": scripts.append(element.ownText)
    case "body": onload = onload ?? element.attributes["onload"]
    case "meta" where !isFallback: takeRefresh(element)
    case "noscript":
      isFallback = true
      if let form { found[form].hasFallback = true }
    case "form":
      form = found.count
      formIndexes[element.identifier] = found.count
      found.append(FoundForm(element: element, form: PageForm(element)))
    case "a", "area", "svg a":
      try takeLink(element)
      pressables.append(Pressable(element: element, form: nil, field: nil))
    default: try takeControl(element, form)
    }
    for case .element(let child) in element.children {
      try visit(child, in: form, isFallback: isFallback)
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

  private mutating func takeLink(_ element: HTMLElement) throws(PageError) {
    guard let href = element.attributes["href"], let target = try resolve(href) else { return }
    let names = try element.names([:], &budget)
    links.append(Page.Link(target: target, text: names.joined(separator: " ")))
  }

  private mutating func takeControl(_ element: HTMLElement, _ form: Int?) throws(PageError) {
    if let field = try PageForm.field(element, &budget) {
      let isButton = field.kind == .button
      fields.append(
        FoundField(
          element: element, field: field, form: form, pressable: isButton ? pressables.count : nil))
      if isButton { pressables.append(Pressable(element: element, form: nil, field: field)) }
    } else if element.attributes["onclick"] != nil {
      pressables.append(Pressable(element: element, form: nil, field: nil))
    }
  }

  /// Gives a field to its form (HTML Living Standard §4.10.17.3): the one that it names from any place, or none; else
  /// the one that was open at its start tag; else the one around it.
  private mutating func assign(_ field: FoundField) {
    var owner = field.element.openForm.flatMap { formIndexes[$0] } ?? field.form
    if let name = field.element.attributes["form"] {
      owner = identified[name].flatMap { formIndexes[$0.identifier] }
    }
    if let owner { found[owner].form.fields.append(field.field) }
    if let pressable = field.pressable { pressables[pressable].form = owner }
  }
}

/// The results once the whole page has been read.
extension PageReader {
  var forms: [PageForm] { found.map(\.form) }

  /// Resolves the targets of a form and its buttons, now that the base is known.
  private mutating func resolveTargets(ofForm index: Int) throws(PageError) {
    let action = found[index].element.attributes["action"] ?? ""
    let target = try target(ofAction: action)
    found[index].form.action = target
    for (number, field) in found[index].form.fields.enumerated() {
      guard let action = field.action else { continue }
      let target = try self.target(ofAction: action) ?? ""
      found[index].form.fields[number].action = target
    }
  }

  /// The target of an `action` or a `formaction`. An empty one is the page itself, whatever its base.
  private mutating func target(ofAction action: String) throws(PageError) -> String? {
    guard action.allSatisfy(\.isWhitespace) else { return try resolve(action) }
    try budget.spend(own?.text.utf8.count ?? 0)
    return own?.text
  }

  mutating func controls() throws(PageError) -> [PageControl] {
    let forms = forms
    var controls: [PageControl] = []
    for pressable in pressables {
      guard let action = try action(of: pressable, in: forms) else { continue }
      controls.append(
        PageControl(names: try pressable.element.names(identified, &budget), action: action))
    }
    return controls
  }

  private mutating func action(
    of pressable: Pressable, in forms: [PageForm]
  ) throws(PageError) -> PageControl.Action? {
    let element = pressable.element
    if let field = pressable.field, let index = pressable.form {
      return .submit(forms[index].sent(by: field), pressing: field)
    }
    // A link without target is pressed for its script.
    let href = element.attributes["href"] ?? ""
    if !href.isEmpty, !href.hasPrefix("#"), let target = try resolve(href),
      !target.lowercased().hasPrefix("javascript:")
    {
      return .follow(target)
    }
    guard let text = element.attributes["onclick"] ?? Self.script(href) else { return nil }
    let script = PageScript(text)
    if let navigation = script.navigation, let target = try resolve(navigation) {
      return .follow(target)
    }
    guard let submission = script.submission else { return nil }
    try budget.spend(forms.count)
    return form(submission, in: forms).map { .submit($0, pressing: nil) }
  }

  private func form(_ submission: PageScript.Submission, in forms: [PageForm]) -> PageForm? {
    switch submission {
    case .index(let index): forms.indices.contains(index) ? forms[index] : nil
    // The form held by a variable is unknown, unless there is only one.
    case .name(let name):
      forms.first { $0.identifier == name } ?? (forms.count == 1 ? forms.first : nil)
    }
  }

  /// The script of a `javascript:` link.
  private static func script(_ href: String) -> String? {
    href.lowercased().hasPrefix("javascript:") ? String(href.dropFirst("javascript:".count)) : nil
  }

  /// The form that a browser would send at once.
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
