internal import CIECard
internal import Primitives
internal import TestSupport
@testable import DocumentSigning

/// Trusted lists, which are read before their signature is judged, and the index that is made of them.
extension FuzzTarget {
  static let trustedLists = [trustedList, serviceIndex]

  private static let trustedList = FuzzTarget("trusted-list") {
    try [InventedList.bytes(InventedList.services()), InventedList.bytes("")]
  } play: { probe in
    let document = try ListDocument(probe.bytes)
    let list = try TrustedList(unverified: document)
    let index = try TrustedServices(ByteSource(Self.index(of: list)))
    probe.require(index.lists.map(\.territory) == [list.territory], "the list is in the index")
    var found: [TrustedService] = []
    try index.forEach { found.append($0) }
    probe.require(
      found.allSatisfy { service in
        list.services.contains { $0.periods == service.periods && $0.isOfSameProvider(as: service) }
      }, "a service that is written is read")
    probe.require(found.count == NeededEntries.count(in: document.root), "no service is lost")
  }

  /// A changed byte is noticed: each line is read or refused as a whole.
  private static let serviceIndex = FuzzTarget("service-index") {
    [
      try index(
        of: TrustedList(unverified: ListDocument(InventedList.bytes(InventedList.services()))))
    ]
  } play: { probe in
    let index = try TrustedServices(ByteSource(probe.bytes))
    var count = 0
    try index.forEach { _ in count += 1 }
    probe.require(count < TrustedList.mostServices, "a bounded number")
    for certificate in try certificates() { _ = try index.services(of: certificate) }
  }

  private static func index(of list: TrustedList) throws -> [UInt8] {
    let state = ListState(
      territory: list.territory, sequenceNumber: list.sequenceNumber, issued: list.issued,
      nextUpdate: list.nextUpdate, fetched: list.issued)
    return try ServiceIndex.bytes(of: list.services, lists: [state])
  }

  private static func certificates() throws -> [Certificate] {
    try Seeds.vectors("authority-answers", ["issuer", "certificate"]).map {
      try Certificate(der: $0)
    }
  }
}

/// The entries that an index needs, counted in the XML, without the reader of services: one for each certificate of a
/// service, or for each of its keys, by which it is found; and one more if it speaks about revocations.
private enum NeededEntries {
  static func count(in root: ListNode) -> Int {
    (root.first("TrustServiceProviderList")?.children ?? [])
      .flatMap { $0.first("TSPServices")?.children ?? [] }.map(count(of:)).reduce(0, +)
  }

  private static let ownKinds = ["CA/QC", "TSA/QTST", "AdESGeneration"].map(address)
  private static let statusKinds = [
    "Certstatus/OCSP/QC", "Certstatus/CRL/QC", "Certstatus/OCSP", "Certstatus/CRL",
  ].map(address)

  private static func address(_ kind: String) -> String {
    "http://uri.etsi.org/TrstSvc/Svctype/" + kind
  }

  private static func count(of service: ListNode) -> Int {
    let current = service.first("ServiceInformation")
    let states = [current].compactMap(\.self) + (service.first("ServiceHistory")?.children ?? [])
    let kinds = Set(states.compactMap { $0.first("ServiceTypeIdentifier")?.text })
    let identities =
      current?.first("ServiceDigitalIdentity")?.children.flatMap(\.children) ?? []
    let certificates = identities.filter { node in
      node.name == "X509Certificate"
        && ListValue.bytes(node.text).flatMap { try? Certificate(der: $0) } != nil
    }.count
    let keys = identities.filter { $0.name == "X509SKI" }.count
    let own = kinds.isDisjoint(with: ownKinds) ? 0 : certificates > 0 ? certificates : keys
    let status = kinds.isDisjoint(with: statusKinds) ? 0 : max(certificates, 1)
    return own + status
  }
}

private enum InventedList {
  /// A service for each certificate, one that is known by its key alone, and one that speaks about revocations.
  static func services() throws -> String {
    let identities = try Seeds.vectors("authority-answers", ["issuer", "certificate"]).map {
      "<X509Certificate>\(String(decoding: Base64.encode($0), as: UTF8.self))</X509Certificate>"
    }
    let key = "<X509SKI>AAECAwQFBgcICQoLDA0ODxAREhM=</X509SKI>"
    return zip(["CA/QC", "Certstatus/OCSP/QC", "CA/QC"], identities + [key])
      .map { Self.service(kind: $0, identity: $1) }.joined()
  }

  private static func service(kind: String, identity: String) -> String {
    """
    <TSPService><ServiceInformation>
    <ServiceTypeIdentifier>http://uri.etsi.org/TrstSvc/Svctype/\(kind)</ServiceTypeIdentifier>
    <ServiceName><Name xml:lang="en">Invented service</Name></ServiceName>
    <ServiceDigitalIdentity><DigitalId>\(identity)</DigitalId></ServiceDigitalIdentity>
    <ServiceStatus>http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/granted</ServiceStatus>
    <StatusStartingTime>2016-06-30T22:00:00Z</StatusStartingTime>
    <ServiceInformationExtensions><Extension Critical="true"><AdditionalServiceInformation>
    <URI xml:lang="en">http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/ForeSignatures</URI>
    </AdditionalServiceInformation></Extension></ServiceInformationExtensions>
    </ServiceInformation></TSPService>
    """
  }

  static func bytes(_ services: String) -> [UInt8] {
    let address = """
      <PostalAddresses><PostalAddress xml:lang="en"><StreetAddress>Via Inventata 1</StreetAddress>
      <Locality>Prova</Locality><CountryName>IT</CountryName></PostalAddress></PostalAddresses>
      <ElectronicAddress><URI xml:lang="en">https://lists.test/</URI></ElectronicAddress>
      """
    let provider = """
      <TrustServiceProviderList><TrustServiceProvider><TSPInformation>
      <TSPName><Name xml:lang="en">Invented provider</Name></TSPName>
      <TSPAddress>\(address)</TSPAddress>
      <TSPInformationURI><URI xml:lang="en">https://provider.test/</URI></TSPInformationURI>
      </TSPInformation><TSPServices>\(services)</TSPServices></TrustServiceProvider></TrustServiceProviderList>
      """
    return [UInt8](
      """
      <TrustServiceStatusList xmlns="http://uri.etsi.org/02231/v2#" TSLTag="http://uri.etsi.org/19612/TSLTag">
      <SchemeInformation><TSLVersionIdentifier>5</TSLVersionIdentifier>
      <TSLSequenceNumber>1</TSLSequenceNumber>
      <TSLType>http://uri.etsi.org/TrstSvc/TrustedList/TSLType/EUgeneric</TSLType>
      <SchemeOperatorName><Name xml:lang="en">Invented operator</Name></SchemeOperatorName>
      <SchemeOperatorAddress>\(address)</SchemeOperatorAddress>
      <SchemeName><Name xml:lang="en">IT: invented list</Name></SchemeName>
      <SchemeInformationURI><URI xml:lang="en">https://lists.test/</URI></SchemeInformationURI>
      <StatusDeterminationApproach>http://lists.test/approach</StatusDeterminationApproach>
      <SchemeTerritory>IT</SchemeTerritory>
      <HistoricalInformationPeriod>65535</HistoricalInformationPeriod>
      <ListIssueDateTime>2026-11-01T00:00:00Z</ListIssueDateTime>
      <NextUpdate><dateTime>2027-04-01T00:00:00Z</dateTime></NextUpdate></SchemeInformation>
      \(services.isEmpty ? "" : provider)</TrustServiceStatusList>
      """.utf8)
  }
}
