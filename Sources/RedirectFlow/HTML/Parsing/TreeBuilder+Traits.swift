/// The elements at which a search through the open elements ends (HTML Living Standard §13.2.4.2).
extension TreeBuilder {
  /// Checks whether an element is of the structure of a page ("special").
  static func isSpecial(_ name: String, _ namespace: HTMLTree.Namespace) -> Bool {
    switch namespace {
    case .html: special.contains(name)
    case .svg, .mathML: isLimit(name, namespace)
    }
  }

  /// Checks whether an element begins a scope, within which its parent's elements are not closed.
  static func isLimit(_ name: String, _ namespace: HTMLTree.Namespace) -> Bool {
    switch namespace {
    case .html: limits.contains(name)
    case .svg: ["foreignobject", "desc", "title"].contains(name)
    case .mathML: name == "annotation-xml" || textPoints.contains(name)
    }
  }

  private static let limits: Set<String> = [
    "applet", "caption", "html", "table", "td", "th", "marquee", "object", "select", "template",
  ]
  private static let special: Set<String> = [
    "address", "applet", "area", "article", "aside", "base", "basefont", "bgsound", "blockquote",
    "body", "br", "button", "caption", "center", "col", "colgroup", "dd", "details", "dir", "div",
    "dl", "dt", "embed", "fieldset", "figcaption", "figure", "footer", "form", "frame", "frameset",
    "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hgroup", "hr", "html", "iframe", "img",
    "input", "keygen", "li", "link", "listing", "main", "marquee", "menu", "meta", "nav", "noembed",
    "noframes", "noscript", "object", "ol", "p", "param", "plaintext", "pre", "script", "search",
    "section", "select", "source", "style", "summary", "table", "tbody", "td", "template",
    "textarea", "tfoot", "th", "thead", "title", "tr", "track", "ul", "wbr", "xmp",
  ]
}
