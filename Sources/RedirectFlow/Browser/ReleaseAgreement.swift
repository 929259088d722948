internal import Primitives

/// The person's agreement. Every answer of an identity provider is compared with it before this program posts it, in
/// every mode of login.
struct ReleaseAgreement {
  /// The attributes that the person saw when agreeing.
  private let attributes: [ConsentRequest.Attribute]

  init(_ request: ConsentRequest) { attributes = request.attributes }

  /// Compares a response with the agreement, as far as it can be read: parts encrypted for the service provider cannot
  /// be.
  ///
  /// An attribute is agreed to when a label that was shown names it, or when all its values were shown. Its name
  /// counts; a `FriendlyName` only where the name is not known, because it may be any text.
  func check(_ response: SAMLResponse) throws(LoginError) {
    let data = attributes.reduce(into: Set<HolderDatum>()) {
      $0.formUnion(HolderDatum.named($1.label))
    }
    let labels = Set(attributes.map { $0.label.folded }.filter { !$0.isEmpty })
    let shown = attributes.map { " \($0.value.folded) " }
    let others = response.attributes.filter { attribute in
      let known = attribute.data
      let isNamed =
        known.isEmpty
        ? attribute.names.contains { labels.contains($0.folded) } : known.isSubset(of: data)
      return !isNamed && !attribute.isShown(among: shown)
    }
    guard others.isEmpty else {
      throw LoginError(.moreThanAgreed(others.map { UntrustedText($0.name) }))
    }
  }
}

extension SAMLResponse {
  /// The attributes in the response, for a person whom the identity provider did not ask.
  ///
  /// - Throws: `.consentUnlisted` when only the receiver can read it.
  func request(
    for receiver: RedirectURL.Origin, from identityProvider: RedirectURL.Origin
  ) throws(LoginError) -> ConsentRequest {
    guard !isEncrypted else { throw LoginError(.consentUnlisted(identityProvider)) }
    return ConsentRequest(
      serviceProvider: receiver, alternatives: [],
      attributes: attributes.map {
        .init(label: $0.label, value: $0.values.joined(separator: ", "))
      })
  }
}

extension SAMLAttribute {
  /// The data that it is by its name, else by the end of a name that is a URI, else by its name for people.
  fileprivate var data: Set<HolderDatum> {
    names.lazy.map { HolderDatum.named($0) }.first { !$0.isEmpty } ?? []
  }

  /// Its names, the most reliable first.
  fileprivate var names: [String] {
    let end = name.split { $0 == "/" || $0 == ":" }.last.map(String.init)
    return [name, name.contains(":") ? end : nil, friendlyName].compactMap { $0 }
  }

  /// The label shown to the person: its name for people, unless its own name is known to mean something else.
  fileprivate var label: String {
    guard let friendlyName else { return name }
    let known = HolderDatum.named(name)
    return known.isEmpty || known == HolderDatum.named(friendlyName) ? friendlyName : name
  }

  /// True if it has values, and all of them stand as whole words in the text that was shown.
  fileprivate func isShown(among shown: [String]) -> Bool {
    !values.isEmpty
      && values.allSatisfy { value in
        let words = value.folded
        return !words.isEmpty && shown.contains { $0.includes(" \(words) ") }
      }
  }
}

extension String {
  /// The letters and digits in lower case, with one space for all characters between them.
  fileprivate var folded: String {
    lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
  }
}
