internal import Primitives

/// A page as a user agent without a screen needs it: its forms, links, texts, and the constants of its scripts.
///
/// Nothing in it is trusted: the target of a form or a link is checked before it is followed.
struct Page: Sendable {
  struct Link: Sendable, Equatable {
    /// Its target, absolute; an `href` with another scheme is left unchanged.
    var target: String
    var text: String
  }

  let url: String
  let title: String
  let forms: [PageForm]
  /// Its links in order, without those that lead nowhere.
  let links: [Link]
  let controls: [PageControl]
  /// The form that a browser would send at once; `nil` when the page waits for the person.
  let autoSubmittedForm: PageForm?
  /// The target to which a browser would go after a while, or at once, absolute; `nil` when the page stays.
  let refresh: PageRefresh?

  let work: Int

  private let root: HTMLElement
  private let size: Int
  private let scripts: [PageScript]
  /// The targets of its scripts, absolute, in order; without addresses that they put together.
  let scriptTargets: [String]

  /// - Parameters:
  ///   - body: HTML in UTF-8, UTF-16, or ISO 8859-1.
  ///   - url: its address; relative references start there, or from its `base` element.
  init(body: [UInt8], url: String) throws(PageError) {
    self.url = url
    root = try HTMLParser.parse(body)
    size = body.count
    let own = try? RedirectURL(asBrowsersRead: url)
    var reader = PageReader(own, PageBudget(size: size))
    try reader.read(root)
    title = reader.title
    forms = reader.forms
    links = reader.links
    controls = try reader.controls()
    let scripts = reader.scripts.map { PageScript($0) }
    self.scripts = scripts
    let running = [reader.onload].compactMap { $0.map { PageScript($0) } } + scripts
    autoSubmittedForm = reader.autoSubmittedForm(running.lazy.compactMap(\.submission).first)
    // A script that runs at once precedes a refresh.
    let gone = running.lazy.compactMap(\.navigation).first.map { PageRefresh(delay: 0, target: $0) }
    if let wish = gone ?? reader.refresh, let target = try reader.resolve(wish.target),
      target != own?.text
    {
      refresh = PageRefresh(delay: wish.delay, target: target)
    } else {
      refresh = nil
    }
    let pressed = root.all.compactMap { $0.attributes["onclick"].map { PageScript($0) } }
    var targets: [String] = []
    for target in (scripts + pressed).flatMap(\.targets) {
      if let target = try reader.resolve(target) { targets.append(target) }
    }
    scriptTargets = targets
    work = reader.budget.spent
  }

  init(emptyAt url: String) {
    self.url = url
    root = HTMLElement(name: "html", attributes: [:], children: [])
    (title, forms, links, controls) = ("", [], [], [])
    (autoSubmittedForm, refresh) = (nil, nil)
    (scripts, scriptTargets) = ([], [])
    (work, size) = (0, 0)
  }

  var budget: PageBudget { PageBudget(size: size) }

  func elements(named name: String) -> [HTMLElement] { root.elements(named: name) }

  func outermost(named name: String) -> [HTMLElement] { root.outermost(named: name) }

  /// The visible text; the title counts. Empty when that is more work than the page is worth.
  var text: String {
    var budget = budget
    return (try? root.text(&budget)) ?? ""
  }

  /// Checks whether this text, which has one space between its words, is visible; the title counts.
  func shows(_ text: String) -> Bool { self.text.includes(text) }

  func contains(_ selector: Selector) -> Bool { selector.matches(in: root) }

  /// The string that the page's scripts assign to a name; `nil` when they assign no string, or different ones.
  func constant(_ name: String) -> String? {
    let values = scripts.reduce(into: Set<String>()) { $0.formUnion($1.constants[name] ?? []) }
    return values.count == 1 ? values.first : nil
  }

  /// Checks whether the page's scripts percent-encode this constant before they put it into an address.
  func encodes(_ name: String) -> Bool {
    scripts.contains { $0.encodedNames.contains(name) }
  }
}

extension Page: Redacted {
  var description: String { "page of \(forms.count) forms and \(links.count) links" }
}

extension Page.Link: Redacted {
  /// Omits both parts because they may be personal.
  var description: String { "link" }
}

/// The work that reading a page may take, in elements and bytes looked at: in proportion to its size, whatever its
/// shape.
///
/// A short page can cause much work by a text that is collected again for each element around it, or by a long base
/// address against which each link is resolved.
struct PageBudget: Sendable {
  private let limit: Int
  private(set) var spent = 0

  init(size: Int) { limit = 2 << 20 + 16 * size }

  /// - Throws: `.tooComplicated` once the work is more than the page is worth.
  mutating func spend(_ work: Int) throws(PageError) {
    spent += work
    guard spent <= limit else { throw .tooComplicated(limit: limit) }
  }
}

/// A page cannot be read. Its content is not repeated here.
package enum PageError: Error, Sendable, Equatable {
  case tooLarge(limit: Int)
  case tooDeep(limit: Int)
  case tooManyElements(limit: Int)
  case tooManyAttributes(limit: Int)
  /// Reading it takes more work than this, for its size: texts in texts in texts.
  case tooComplicated(limit: Int)
  case empty
}
