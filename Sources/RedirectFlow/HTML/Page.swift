/// A page as a user agent without a screen needs it: its forms, links, texts, and the constants of its scripts.
///
/// Nothing in it is trusted: where a form or a link leads is checked before it is followed.
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
  /// Its links and buttons in order.
  let controls: [PageControl]
  /// The form that a browser would send at once; `nil` when the page waits for somebody.
  let autoSubmittedForm: PageForm?
  /// Where a browser would go after a while, or at once, absolute; `nil` when the page stays.
  let refresh: PageRefresh?

  private let root: HTMLElement
  private let constants: [String: Set<String>]
  private let encodedNames: Set<String>
  /// Where its scripts would lead, absolute, in order; not where they put an address together.
  let scriptTargets: [String]

  /// Reads a page.
  ///
  /// - Parameters:
  ///   - body: HTML in UTF-8, UTF-16, or ISO 8859-1.
  ///   - url: where it came from; relative references start there, or from its `base` element.
  init(body: [UInt8], url: String) throws(PageError) {
    self.init(try HTMLParser.parse(body), url: url)
  }

  /// A page that holds nothing.
  init(emptyAt url: String) {
    self.init(HTMLElement(name: "html", attributes: [:], children: []), url: url)
  }

  private init(_ root: HTMLElement, url: String) {
    self.root = root
    self.url = url
    let own = try? RedirectURL(asBrowsersRead: url)
    var reader = PageReader(own)
    reader.read(root)
    title = reader.title
    forms = reader.forms
    links = reader.links
    controls = reader.controls
    let scripts = reader.scripts.map { PageScript($0) }
    constants = scripts.reduce(into: [:]) { $0.merge($1.constants) { $0.union($1) } }
    let running = [reader.onload].compactMap { $0.map { PageScript($0) } } + scripts
    autoSubmittedForm = reader.autoSubmittedForm(running.lazy.compactMap(\.submission).first)
    // What a script does at once comes before what a refresh does later.
    let gone = running.lazy.compactMap(\.navigation).first.map { PageRefresh(delay: 0, target: $0) }
    refresh = (gone ?? reader.refresh).flatMap { refresh in
      guard let target = reader.resolve(refresh.target), target != own?.text else { return nil }
      return PageRefresh(delay: refresh.delay, target: target)
    }
    encodedNames = scripts.reduce(into: []) { $0.formUnion($1.encodedNames) }
    let pressed = root.all.compactMap { $0.attributes["onclick"].map { PageScript($0) } }
    scriptTargets = (scripts + pressed).flatMap(\.targets).compactMap(reader.resolve)
  }

  /// The elements of this name that have this class.
  func elements(named name: String, withClass className: String? = nil) -> [HTMLElement] {
    guard let className else { return root.elements(named: name) }
    return root.elements(named: name, withClass: className)
  }

  /// The elements of this name that are in no other of that name.
  func outermost(named name: String) -> [HTMLElement] { root.outermost(named: name) }

  /// Whether a reader sees this text, which has one space between its words; the title counts.
  func shows(_ text: String) -> Bool { root.text.contains(text) }

  /// Whether there is an element that the selector means.
  func contains(_ selector: Selector) -> Bool { selector.matches(in: root) }

  /// The string that the page's scripts assign to a name; `nil` when they assign none, or different ones.
  func constant(_ name: String) -> String? {
    constants[name].flatMap { $0.count == 1 ? $0.first : nil }
  }

  /// Whether the page's scripts percent-encode this constant before they put it into an address.
  func encodes(_ name: String) -> Bool { encodedNames.contains(name) }
}

extension Page: Redacted {
  /// How much there is in it.
  var description: String { "page of \(forms.count) forms and \(links.count) links" }
}

extension Page.Link: Redacted {
  /// That it is a link: both its parts may be personal.
  var description: String { "link" }
}
