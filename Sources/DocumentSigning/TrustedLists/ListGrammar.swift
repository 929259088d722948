internal import Primitives

/// The elements of a trusted list, in their order, by the schema of ETSI TS 119 612 V2.4.1 (annex C), which differs from that
/// of V2.1.1 in an attribute of ServiceSupplyPoint alone. So it is the one of version 5 and of version 6.
enum ListGrammar {
  /// Checks the root and all below it, except for extensions and the signature.
  ///
  /// - Throws: `form`, with the first element or attribute that does not fit.
  static func check(_ root: ListNode) throws(TrustedListProblem) {
    guard root.name == "TrustServiceStatusList", root.namespace == ListNamespace.list else {
      throw .form(root.name)
    }
    try checkContents(of: root)
  }

  /// The scan before the parser has limited the nesting, and therefore this recursion, too.
  private static func checkContents(of node: ListNode) throws(TrustedListProblem) {
    guard let rule = rules[node.name] else { throw .form(node.name) }
    try check(node.attributes, rule.attributes)
    switch rule.content {
    case .anything: return
    case .text(let kind):
      guard node.children.isEmpty, kind.fits(node.text) else { throw .form(node.name) }
    case .elements(let parts):
      guard node.text.isEmpty else { throw .form(node.name) }
      let children = node.children
      try check(children, parts, in: node.name)
      for child in children where child.namespace == ListNamespace.list {
        try checkContents(of: child)
      }
    }
  }

  private static func check(
    _ attributes: [String: String], _ wanted: [String: Bool]
  ) throws(TrustedListProblem) {
    for name in attributes.keys.sorted() where wanted[name] == nil { throw .form(name) }
    for (name, isRequired) in wanted where isRequired && attributes[name]?.isEmpty ?? true {
      throw .form(name)
    }
  }

  private static func check(
    _ children: [ListNode], _ parts: [Part], in parent: String
  ) throws(TrustedListProblem) {
    var rest = children[...]
    for part in parts {
      let count = rest.prefix(while: part.names).count
      guard count >= part.least, count <= part.most else {
        throw .form(count < part.least ? part.name : parent)
      }
      rest = rest.dropFirst(count)
    }
    if let other = rest.first { throw .form(other.name) }
  }
}

extension ListGrammar {
  struct Rule {
    /// The names of attributes, and whether each is required.
    var attributes: [String: Bool] = [:]
    var content: Content
  }

  enum Content {
    case elements([Part])
    case text(Text)
    case anything
  }

  /// A child and how often it may stand there.
  struct Part {
    let name: String
    let namespace: String
    let least: Int
    let most: Int

    /// - Parameter word: the name, with `ds:` in the namespace of signatures; then `?`, `*`, or `+`.
    init(_ word: Substring) {
      let sign = word.last.flatMap { "?*+".contains($0) ? $0 : nil }
      let name = sign == nil ? word : word.dropLast()
      let isSignature = name.hasPrefix("ds:")
      self.name = String(isSignature ? name.dropFirst(3) : name)
      namespace = isSignature ? ListNamespace.signature : ListNamespace.list
      least = sign == "?" || sign == "*" ? 0 : 1
      most = sign == "*" || sign == "+" ? .max : 1
    }

    func names(_ node: ListNode) -> Bool { node.name == name && node.namespace == namespace }
  }

  enum Text: String {
    case text = "=text"
    case address = "=uri"
    case number = "=number"
    case time = "=time"
    case bytes = "=base64"

    func fits(_ text: String) -> Bool {
      switch self {
      case .text: !text.isEmpty
      case .address:
        !text.isEmpty && !text.unicodeScalars.contains(where: \.properties.isWhitespace)
      case .number: ListValue.number(text) != nil
      case .time: ListValue.time(text) != nil
      case .bytes: ListValue.bytes(text) != nil
      }
    }
  }

  /// An element a line: its attributes, `?` for optional ones; then the type of its text, or its children.
  private static let rules: [String: Rule] = Dictionary(
    uniqueKeysWithValues: table.split(separator: "\n").map { line in
      let words = line.split(separator: " ")
      let attributes = words.dropFirst().filter { $0.hasPrefix("@") }.map {
        (
          $0.hasSuffix("?") ? String($0.dropFirst().dropLast()) : String($0.dropFirst()),
          !$0.hasSuffix("?")
        )
      }
      let rest = words.dropFirst().filter { !$0.hasPrefix("@") }
      let content: Content =
        if rest == ["=any"] {
          .anything
        } else if let kind = rest.first.flatMap({ Text(rawValue: String($0)) }) {
          .text(kind)
        } else {
          .elements(rest.map { Part($0) })
        }
      return (
        String(words[0]),
        Rule(attributes: Dictionary(uniqueKeysWithValues: attributes), content: content)
      )
    })

  private static let table = """
    TrustServiceStatusList @TSLTag @Id? SchemeInformation TrustServiceProviderList? ds:Signature*
    SchemeInformation TSLVersionIdentifier TSLSequenceNumber TSLType SchemeOperatorName SchemeOperatorAddress SchemeName \
    SchemeInformationURI StatusDeterminationApproach SchemeTypeCommunityRules? SchemeTerritory PolicyOrLegalNotice? \
    HistoricalInformationPeriod PointersToOtherTSL? ListIssueDateTime NextUpdate DistributionPoints? SchemeExtensions?
    TSLVersionIdentifier =number
    TSLSequenceNumber =number
    TSLType =uri
    SchemeOperatorName Name+
    Name @xml:lang =text
    SchemeOperatorAddress PostalAddresses ElectronicAddress
    PostalAddresses PostalAddress+
    PostalAddress @xml:lang StreetAddress Locality StateOrProvince? PostalCode? CountryName
    StreetAddress =text
    Locality =text
    StateOrProvince =text
    PostalCode =text
    CountryName =text
    ElectronicAddress URI+
    URI @xml:lang? =uri
    SchemeName Name+
    SchemeInformationURI URI+
    StatusDeterminationApproach =uri
    SchemeTypeCommunityRules URI+
    SchemeTerritory =text
    PolicyOrLegalNotice TSLPolicy* TSLLegalNotice*
    TSLPolicy @xml:lang =uri
    TSLLegalNotice @xml:lang =text
    HistoricalInformationPeriod =number
    PointersToOtherTSL OtherTSLPointer+
    OtherTSLPointer ServiceDigitalIdentities? TSLLocation AdditionalInformation?
    ServiceDigitalIdentities ServiceDigitalIdentity+
    ServiceDigitalIdentity DigitalId*
    DigitalId X509Certificate? X509SubjectName? ds:KeyValue? X509SKI? Other?
    X509Certificate =base64
    X509SubjectName =text
    X509SKI =base64
    Other =any
    TSLLocation =uri
    AdditionalInformation TextualInformation* OtherInformation* TextualInformation*
    TextualInformation @xml:lang =text
    OtherInformation =any
    ListIssueDateTime =time
    NextUpdate dateTime?
    dateTime =time
    DistributionPoints URI+
    SchemeExtensions Extension+
    Extension @Critical =any
    TrustServiceProviderList TrustServiceProvider+
    TrustServiceProvider TSPInformation TSPServices
    TSPInformation TSPName TSPTradeName? TSPAddress TSPInformationURI TSPInformationExtensions?
    TSPName Name+
    TSPTradeName Name+
    TSPAddress PostalAddresses ElectronicAddress
    TSPInformationURI URI+
    TSPInformationExtensions Extension+
    TSPServices TSPService+
    TSPService ServiceInformation ServiceHistory?
    ServiceInformation ServiceTypeIdentifier ServiceName ServiceDigitalIdentity ServiceStatus StatusStartingTime \
    SchemeServiceDefinitionURI? ServiceSupplyPoints? TSPServiceDefinitionURI? ServiceInformationExtensions?
    ServiceTypeIdentifier =uri
    ServiceName Name+
    ServiceStatus =uri
    StatusStartingTime =time
    SchemeServiceDefinitionURI URI+
    ServiceSupplyPoints ServiceSupplyPoint+
    ServiceSupplyPoint @type? =uri
    TSPServiceDefinitionURI URI+
    ServiceInformationExtensions Extension+
    ServiceHistory ServiceHistoryInstance*
    ServiceHistoryInstance ServiceTypeIdentifier ServiceName ServiceDigitalIdentity ServiceStatus StatusStartingTime \
    ServiceInformationExtensions?
    """
}
