internal import Primitives

/// Extensions of a state of a service (ETSI TS 119 612 §5.5.9).
struct ServiceExtensions {
  private(set) var uses: Set<TrustedService.Use> = []
  private(set) var qualifications: [TrustedService.Qualification] = []
  private(set) var keepsExpiredSince: UTCTime?
  /// True if a critical one has contents that are not known.
  private(set) var hasUnknown = false

  init(_ extensions: [ListNode]) {
    for node in extensions {
      let isCritical = ["true", "1"].contains(node.attributes["Critical"])
      let contents = node.children
      let isKnown = contents.map { read($0) }.allSatisfy { $0 }
      if isCritical, !isKnown || contents.isEmpty { hasUnknown = true }
    }
  }

  /// - Returns: false if the contents have no meaning here.
  private mutating func read(_ node: ListNode) -> Bool {
    switch (node.namespace, node.name) {
    case (ListNamespace.list, "AdditionalServiceInformation"):
      let word = ListValue.lastWord(node.first("URI")?.text ?? "")
      guard let use = TrustedService.Use(rawValue: word) else { return word == "RootCA-QC" }
      uses.insert(use)
      return true
    case (ListNamespace.list, "ExpiredCertsRevocationInfo"):
      keepsExpiredSince = ListValue.time(node.text)
      return keepsExpiredSince != nil
    case (ListNamespace.qualifications, "Qualifications"):
      let elements = node.all("QualificationElement", in: ListNamespace.qualifications)
      qualifications += elements.map { TrustedService.Qualification($0) }
      return elements.count == node.children.count
    case (ListNamespace.additional, "TakenOverBy"): return true
    default: return false
    }
  }
}

extension TrustedService.Qualification {
  fileprivate init(_ node: ListNode) {
    let names = (node.first("Qualifiers", in: ListNamespace.qualifications)?.children ?? [])
      .map { ListValue.lastWord($0.attributes["uri"] ?? "") }
    qualifiers = Set(names.map { TrustedService.Qualifier(rawValue: $0) ?? .other })
    criterion =
      node.first("CriteriaList", in: ListNamespace.qualifications)
      .map { TrustedService.Criterion(list: $0) } ?? .unknown
  }
}

extension TrustedService.Criterion {
  fileprivate init(list node: ListNode) {
    let criteria = node.children.flatMap { Self.all(in: $0) }
    self =
      switch criteria.isEmpty ? nil : node.attributes["assert"] {
      case "all": .all(criteria)
      case "atLeastOne": .any(criteria)
      case "none": .none(criteria)
      default: .unknown
      }
  }

  /// The criteria of an element of a list; the Description is for people.
  private static func all(in node: ListNode) -> [Self] {
    switch (node.namespace, node.name) {
    case (ListNamespace.qualifications, "Description"): []
    case (ListNamespace.qualifications, "CriteriaList"): [Self(list: node)]
    case (ListNamespace.qualifications, "KeyUsage"): [keyUsage(in: node)]
    case (ListNamespace.qualifications, "PolicySet"):
      [
        identifiers(in: node).map { .policies($0) } ?? .unknown
      ]
    case (ListNamespace.qualifications, "otherCriteriaList"): node.children.map { other($0) }
    default: [.unknown]
    }
  }

  private static func other(_ node: ListNode) -> Self {
    switch (node.namespace, node.name) {
    case (ListNamespace.additional, "ExtendedKeyUsage"):
      identifiers(in: node).map { .extendedKeyUsages($0) } ?? .unknown
    case (ListNamespace.additional, "CertSubjectDNAttribute"):
      identifiers(in: node).map { .subjectAttributes($0) } ?? .unknown
    default: .unknown
    }
  }

  private static func keyUsage(in node: ListNode) -> Self {
    var bits: [Int: Bool] = [:]
    for child in node.children {
      guard let bit = bitNames.firstIndex(of: child.attributes["name"] ?? ""),
        ["true", "false", "1", "0"].contains(child.text)
      else { return .unknown }
      bits[bit] = ["true", "1"].contains(child.text)
    }
    return .keyUsage(bits)
  }

  /// By their numbers in RFC 5280 §4.2.1.3.
  private static let bitNames = [
    "digitalSignature", "nonRepudiation", "keyEncipherment", "dataEncipherment", "keyAgreement",
    "keyCertSign", "crlSign", "encipherOnly", "decipherOnly",
  ]

  /// Object identifiers (ObjectIdentifierType of XAdES); nil if one is malformed, or there are none.
  private static func identifiers(in node: ListNode) -> [String]? {
    let identifiers = node.children.map { child in
      child.first("Identifier", in: ListNamespace.properties)
        .flatMap { ListValue.identifier($0.text) }
    }
    let known = identifiers.compactMap { $0 }
    return known.isEmpty || known.count < identifiers.count ? nil : known
  }
}
