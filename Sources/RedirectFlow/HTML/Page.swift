/// A page as a user agent without a screen needs it: its forms, links, texts, and the constants of its scripts.
///
/// Nothing in it is believed: where a form or a link leads has to be judged before anybody goes there.
struct Page: Sendable {
  /// A link with the text that people see.
  struct Link: Sendable, Equatable {
    /// Where it leads, absolute; an `href` with a scheme of its own is left as it is.
    var target: String
    /// What people see.
    var text: String
  }

  /// The page's own URL.
  let url: String
  /// Its title; empty when it has none.
  let title: String
  /// Its forms in order.
  let forms: [PageForm]
  /// Its links in order, those left out that lead nowhere.
  let links: [Link]
  /// The form that a browser would send at once; `nil` when the page waits for somebody.
  let autoSubmittedForm: PageForm?

  private let root: Element
  private let constants: [String: Set<String>]

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - body: HTML in UTF-8, or in ISO 8859-1.
  ///   - url: where it came from; relative references start there, or from its `base` element.
  init(body: [UInt8], url: String) throws(PageError) {
    root = try HTMLParser.parse(body)
    self.url = url
    let all = root.all
    let base =
      all.first { $0.name == "base" && $0.attributes["href"] != nil }
      .flatMap { CurlURL.resolve(Self.trim($0.attributes["href"] ?? ""), against: url) } ?? url
    let resolve = { CurlURL.resolve(Self.trim($0), against: base) }

    title = all.first { $0.name == "title" }?.text ?? ""
    let formElements = all.filter { $0.name == "form" }
    // A form without an action goes to the page itself, whatever its base.
    forms = formElements.map { form in
      PageForm(form) { Self.trim($0).isEmpty ? url : resolve($0) }
    }
    links = all.filter { $0.name == "a" || $0.name == "area" }.compactMap { link in
      guard let target = link.attributes["href"].flatMap(resolve) else { return nil }
      return Link(target: target, text: link.text)
    }
    let scripts = all.filter { $0.name == "script" }.map { PageScript($0.ownText) }
    constants = scripts.reduce(into: [:]) { $0.merge($1.constants) { $0.union($1) } }
    let onload = all.first { $0.name == "body" }?.attributes["onload"].map { PageScript($0) }
    autoSubmittedForm = Self.autoSubmittedForm(
      forms, formElements,
      ([onload].compactMap { $0 } + scripts).lazy.compactMap(\.submission).first)
  }

  /// The elements of this name that have this class.
  func elements(named name: String, withClass className: String? = nil) -> [Element] {
    guard let className else { return root.elements(named: name) }
    return root.elements(named: name, withClass: className)
  }

  /// The string that the page's scripts assign to a name; `nil` when they assign none, or different ones.
  func constant(_ name: String) -> String? {
    constants[name].flatMap { $0.count == 1 ? $0.first : nil }
  }

  /// - Parameter submission: what the scripts submit.
  private static func autoSubmittedForm(
    _ forms: [PageForm], _ elements: [Element], _ submission: PageScript.Submission?
  ) -> PageForm? {
    switch submission {
    case .index(let index): return forms.indices.contains(index) ? forms[index] : nil
    case .name(let name):
      // A variable says nothing; then there is only one form that it can hold.
      return forms.first { $0.identifier == name } ?? (forms.count == 1 ? forms.first : nil)
    case nil:
      // The HTTP-POST binding's usual page (SAML 2.0 Bindings §3.5.4): hidden fields, and a button for browsers
      // without scripts.
      guard forms.count == 1, let form = forms.first, let element = elements.first,
        form.fields.allSatisfy({ $0.kind == .hidden || $0.kind == .button }),
        form.fields.contains(where: { $0.name == "SAMLRequest" || $0.name == "SAMLResponse" }),
        !element.elements(named: "noscript").isEmpty
      else { return nil }
      return form
    }
  }

  /// Without the white space around a URL, and the line ends in it (URL Living Standard §4.4).
  private static func trim(_ reference: String) -> String {
    let kept = reference.unicodeScalars.filter { !["\t", "\n", "\r"].contains($0) }
    var text = Substring(String(String.UnicodeScalarView(kept)))
    while text.first == " " { text.removeFirst() }
    while text.last == " " { text.removeLast() }
    return String(text)
  }
}

extension Page: Redacted {
  /// How much there is in it.
  var description: String { "page of \(forms.count) forms and \(links.count) links" }
}

extension Page.Link: Redacted {
  /// That it is a link: both its parts may be personal.
  var description: String { "link" }
}
