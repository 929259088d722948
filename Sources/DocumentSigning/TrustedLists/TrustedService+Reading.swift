internal import CIECard
internal import Primitives

/// Services of a provider, from a list whose elements are checked.
extension TrustedService {
  static func all(of provider: ListNode, in territory: String) -> [TrustedService] {
    let name = name(in: provider.first("TSPInformation")?.first("TSPName"))
    return (provider.first("TSPServices")?.all("TSPService") ?? [])
      .compactMap { TrustedService($0, territory: territory, provider: name) }
  }

  /// - Returns: nil for a service that never was of a kind that counts.
  private init?(_ node: ListNode, territory: String, provider: String) {
    guard let current = node.first("ServiceInformation") else { return nil }
    let history = node.first("ServiceHistory")?.all("ServiceHistoryInstance") ?? []
    let periods = Self.periods([current] + history)
    guard !periods.isEmpty else { return nil }
    self.territory = territory
    self.provider = provider
    let identities = (current.first("ServiceDigitalIdentity")?.all("DigitalId") ?? [])
    certificates = identities.compactMap { $0.first("X509Certificate") }
      .compactMap { ListValue.bytes($0.text) }.compactMap { try? Certificate(der: $0) }
    keyIdentifiers = identities.compactMap { $0.first("X509SKI") }
      .compactMap { ListValue.bytes($0.text) }
    self.periods = periods
  }

  /// The text in Italian, else in English, else the first one.
  fileprivate static func name(in names: ListNode?) -> String {
    let names = names?.all("Name") ?? []
    let chosen = ["it", "en"].lazy
      .compactMap { language in names.first { $0.attributes["xml:lang"]?.lowercased() == language }
      }
      .first
    return (chosen ?? names.first)?.text ?? ""
  }

  /// A state of another kind that followed one that counts ends it: it stays as one of the same kind with another status.
  private static func periods(_ nodes: [ListNode]) -> [Period] {
    var periods: [Period] = []
    for (start, node) in nodes.reversed().compactMap(dated).sorted(by: { $0.0 < $1.0 }) {
      let word = node.first("ServiceTypeIdentifier")?.text ?? ""
      if let kind = kind(word) {
        periods.append(Period(node, kind, status(of: node), from: start))
      } else if let last = periods.last {
        periods.append(Period(node, last.kind, .other, from: start))
      }
    }
    return periods.reversed()
  }

  private static func dated(_ node: ListNode) -> (UTCTime, ListNode)? {
    node.first("StatusStartingTime").flatMap { ListValue.time($0.text) }.map { ($0, node) }
  }

  private static func kind(_ address: String) -> Kind? {
    let prefix = "http://uri.etsi.org/TrstSvc/Svctype/"
    return address.hasPrefix(prefix) ? Kind(rawValue: String(address.dropFirst(prefix.count))) : nil
  }

  /// The word at the end: before 2014 the rest of the address was another one.
  private static func status(of node: ListNode) -> Status {
    Status(rawValue: ListValue.lastWord(node.first("ServiceStatus")?.text ?? "")) ?? .other
  }
}

extension TrustedService.Period {
  fileprivate init(
    _ node: ListNode, _ kind: TrustedService.Kind, _ status: TrustedService.Status,
    from start: UTCTime
  ) {
    let extensions = ServiceExtensions(
      node.first("ServiceInformationExtensions")?.all("Extension") ?? [])
    self.init(
      name: TrustedService.name(in: node.first("ServiceName")), kind: kind, status: status,
      start: start, uses: extensions.uses, qualifications: extensions.qualifications,
      keepsExpiredSince: extensions.keepsExpiredSince,
      hasUnknownExtension: extensions.hasUnknown)
  }
}
