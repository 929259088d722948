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
}
