import CIECard
import Primitives

/// An invented trusted list (ETSI TS 119 612), written as exclusive canonicalisation leaves it (without the one of libxml2, as
/// a second opinion).
struct MadeList: Sendable {
  struct Pointer: Sendable {
    var territory: String
    var kind = "EUgeneric"
    var location: String
    var signers: [ListAuthority]
  }

  struct Period: Sendable {
    var kind = "CA/QC"
    var status = "granted"
    var start = "2016-06-30T22:00:00Z"
    var name = "Invented service"
    /// Elements `Extension`.
    var extensions = MadeList.use("ForeSignatures")
  }

  struct Service: Sendable {
    var certificate: ListAuthority
    /// The newest first.
    var periods = [Period()]
  }

  var territory = "IT"
  var kind = "EUgeneric"
  var version = "5"
  var number = 1
  var issued: UTCTime = 1_700_000_000
  /// Nil for a closed list.
  var nextUpdate: UTCTime? = 1_710_000_000
  var addresses = ["https://lists.test/info.html"]
  var pointers: [Pointer] = []
  var provider = "Invented Provider"
  var services: [Service] = []
  /// Takes the place of a text in the finished body, before it is signed.
  var change: (of: String, to: String)?

  static func use(_ word: String, isCritical: Bool = true) -> String {
    element(
      "Extension",
      element(
        "AdditionalServiceInformation",
        "<URI xml:lang=\"en\">http://uri.etsi.org/TrstSvc/TrustedList/SvcInfoExt/\(word)</URI>"),
      "Critical=\"\(isCritical)\"")
  }

  static func element(_ name: String, _ contents: String, _ attributes: String = "") -> String {
    "<\(name)\(attributes.isEmpty ? "" : " " + attributes)>\(contents)</\(name)>"
  }

  /// The list without its signature: the start tag with contents, and the end tag.
  var parts: (head: String, tail: String) {
    var head =
      "<TrustServiceStatusList xmlns=\"http://uri.etsi.org/02231/v2#\" Id=\"list\" "
      + "TSLTag=\"http://uri.etsi.org/19612/TSLTag\">"
    head += Self.element("SchemeInformation", scheme)
    if !services.isEmpty { head += Self.element("TrustServiceProviderList", providers) }
    if let change {
      head = head.exchanging(change.of, for: change.to)
    }
    return (head, "</TrustServiceStatusList>")
  }

  private static let address =
    element(
      "PostalAddresses",
      element(
        "PostalAddress",
        element("StreetAddress", "Via Inventata 1") + element("Locality", "Prova")
          + element("CountryName", "IT"), "xml:lang=\"en\""))
    + element("ElectronicAddress", "<URI xml:lang=\"en\">mailto:nobody@lists.test</URI>")

  private static func names(_ name: String) -> String { element("Name", name, "xml:lang=\"en\"") }

  private static func uris(_ addresses: [String]) -> String {
    addresses.map { element("URI", $0.exchanging("&", for: "&amp;"), "xml:lang=\"en\"") }.joined()
  }

  private static func type(_ kind: String) -> String {
    element("TSLType", "http://uri.etsi.org/TrstSvc/TrustedList/TSLType/\(kind)")
  }

  private var scheme: String {
    let next = nextUpdate.map { Self.element("dateTime", "\($0)") } ?? ""
    let pointers = self.pointers.isEmpty ? "" : Self.element("PointersToOtherTSL", others)
    let start: [String] = [
      Self.element("TSLVersionIdentifier", version),
      Self.element("TSLSequenceNumber", "\(number)"), Self.type(kind),
      Self.element("SchemeOperatorName", Self.names("Invented operator")),
      Self.element("SchemeOperatorAddress", Self.address),
      Self.element("SchemeName", Self.names("\(territory): invented list")),
    ]
    let end: [String] = [
      Self.element("SchemeInformationURI", Self.uris(addresses)),
      Self.element("StatusDeterminationApproach", "http://lists.test/approach"),
      Self.element("SchemeTerritory", territory),
      Self.element("HistoricalInformationPeriod", "65535"), pointers,
      Self.element("ListIssueDateTime", "\(issued)"), Self.element("NextUpdate", next),
    ]
    return (start + end).joined()
  }

  private var others: String {
    pointers.map { pointer in
      let signers = pointer.signers.map {
        Self.element(
          "ServiceDigitalIdentity",
          Self.element("DigitalId", Self.element("X509Certificate", $0.base64)))
      }.joined()
      let mime =
        "<tx:MimeType xmlns:tx=\"http://uri.etsi.org/02231/v2/additionaltypes#\">"
        + "application/vnd.etsi.tsl+xml</tx:MimeType>"
      let facts = [
        Self.type(pointer.kind), Self.element("SchemeTerritory", pointer.territory), mime,
      ].map { Self.element("OtherInformation", $0) }.joined()
      return Self.element(
        "OtherTSLPointer",
        Self.element("ServiceDigitalIdentities", signers)
          + Self.element("TSLLocation", pointer.location)
          + Self.element("AdditionalInformation", facts))
    }.joined()
  }

  private var providers: String {
    let information = Self.element(
      "TSPInformation",
      Self.element("TSPName", Self.names(provider)) + Self.element("TSPAddress", Self.address)
        + Self.element("TSPInformationURI", Self.uris(["https://provider.test/"])))
    return Self.element(
      "TrustServiceProvider",
      information + Self.element("TSPServices", services.map(Self.service).joined()))
  }

  private static func service(_ service: Service) -> String {
    let states = service.periods.map { period -> String in
      let identity = element(
        "DigitalId", element("X509Certificate", service.certificate.base64))
      let parts: [String] = [
        element("ServiceTypeIdentifier", "http://uri.etsi.org/TrstSvc/Svctype/\(period.kind)"),
        element("ServiceName", names(period.name)), element("ServiceDigitalIdentity", identity),
        element(
          "ServiceStatus",
          "http://uri.etsi.org/TrstSvc/TrustedList/Svcstatus/\(period.status)"),
        element("StatusStartingTime", period.start),
        period.extensions.isEmpty ? "" : element("ServiceInformationExtensions", period.extensions),
      ]
      return parts.joined()
    }
    let history = states.dropFirst().map { element("ServiceHistoryInstance", $0) }.joined()
    return element(
      "TSPService",
      element("ServiceInformation", states[0])
        + (history.isEmpty ? "" : element("ServiceHistory", history)))
  }
}
