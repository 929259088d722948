extension RedirectURL {
  /// This URL with further query items, each strictly encoded; the fragment is dropped.
  public func adding(_ items: [QueryItem]) -> RedirectURL {
    let query = [query, items.encoded].compactMap { $0 }.filter { !$0.isEmpty }
    return RedirectURL(
      origin: origin, path: path, query: query.isEmpty ? nil : query.joined(separator: "&"),
      fragment: nil, queryItems: queryItems + items)
  }

  /// A path below this one, from this module's own tables; query and fragment are dropped.
  func appending(_ path: StaticString) -> RedirectURL {
    RedirectURL(
      origin: origin, path: self.path + "\(path)", query: nil, fragment: nil, queryItems: [])
  }

  /// The URL that a reference on this page leads to (RFC 3986 §5.2), judged like any other.
  ///
  /// - Parameters:
  ///   - reference: as a `Location` header, a form or an anchor gives it.
  ///   - allowingFragment: whether a `#…` may end it.
  public func resolving(
    _ reference: String, allowingFragment: Bool = false
  ) throws(URLProblem) -> RedirectURL {
    guard let first = reference.utf8.first else {
      return RedirectURL(
        origin: origin, path: path, query: query, fragment: nil, queryItems: queryItems)
    }
    // What follows works on characters, and one of those can hide a slash under an accent.
    guard reference.utf8.allSatisfy({ $0 < 0x80 }) else { throw .notASCII }
    let text: String
    if Self.hasScheme(reference) {
      text = reference
    } else if reference.hasPrefix("//") {
      text = scheme.rawValue + ":" + reference
    } else {
      switch first {
      case UInt8(ascii: "/"): text = "\(origin)" + Self.removingDots(from: reference)
      case UInt8(ascii: "?"): text = "\(origin)" + path + reference
      case UInt8(ascii: "#"):
        text = "\(origin)" + path + (query.map { "?" + $0 } ?? "") + reference
      default:
        let folder = path[...(path.lastIndex(of: "/") ?? path.startIndex)]
        text = "\(origin)" + Self.removingDots(from: folder + reference)
      }
    }
    return try RedirectURL(text, allowingFragment: allowingFragment)
  }

  /// Whether a `:` comes before anything that would make it part of a path.
  private static func hasScheme(_ reference: String) -> Bool {
    reference.utf8.first { [UInt8]("/?#:".utf8).contains($0) } == UInt8(ascii: ":")
  }

  /// RFC 3986 §5.2.4, on the path alone.
  private static func removingDots(from reference: some StringProtocol) -> String {
    let end = reference.firstIndex { $0 == "?" || $0 == "#" } ?? reference.endIndex
    let segments = reference[..<end].split(separator: "/", omittingEmptySubsequences: false)
      .dropFirst()
    var kept: [Substring] = []
    for (number, segment) in segments.enumerated() {
      if segment == ".." { kept = kept.dropLast() }
      if segment != ".", segment != ".." {
        kept.append(Substring(segment))
      } else if number == segments.count - 1 {
        kept.append("")
      }
    }
    return "/" + kept.joined(separator: "/") + reference[end...]
  }
}
