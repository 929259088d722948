import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

/// `trust list`: lists the trusted certificates with their sources, and the stored trusted lists with their services.
struct TrustList: FunctionWithoutCard {
  static let name = "trust list"

  let country: String?
  let trust: TrustChoice

  func run(in context: RunContext) throws(Failure) -> Result {
    var seen: Set<Certificate> = []
    var anchors: [ListedAnchor] = []
    for source in try trust.sources(in: context) {
      for certificate in source.store.certificates where seen.insert(certificate).inserted {
        anchors.append(ListedAnchor(certificate: certificate, path: source.path))
      }
    }
    var lists: [ListedServices] = []
    if let services = TrustedListFolder.services(in: context) {
      do throws(ServiceIndexError) {
        let all = try services.servicesByTerritory()
        lists = services.lists.map { list in
          ListedServices(state: list, services: all[list.territory] ?? [], time: context.time)
        }
      } catch {
        let index = (TrustedListFolder.path ?? "") + "/" + TrustedListFolder.indexName
        TrustedListFolder.warn(of: Diagnosis(error, path: index), context)
      }
    }
    if let country = country?.uppercased() {
      anchors = anchors.filter { $0.country.uppercased() == country }
      lists = lists.filter { $0.state.territory == country }
    }
    return Result(anchors: anchors, lists: lists, country: country?.uppercased())
  }
}

extension TrustList {
  init(from inputs: inout Inputs) throws(Failure) {
    country = try inputs.text("country", help: "option.trust-list.country", value: "code")
    trust = try inputs.part()
  }

  struct Result: FunctionResult {
    fileprivate let anchors: [ListedAnchor]
    fileprivate let lists: [ListedServices]
    fileprivate let country: String?

    static let members: [Member<Result>] = [
      Member("anchors", \.anchors),
      Member("lists", \.lists, note: "The trusted lists that trust update has stored."),
    ]

    func lines(_ language: Language) -> [String] {
      if anchors.isEmpty, lists.isEmpty, let country {
        return [Message("trust.none-of-country", ["country": country.printable])(language)]
      }
      return anchors.map { $0.line(language) } + lists.flatMap { $0.lines(language) }
    }
  }
}

/// A trusted certificate, and where it comes from.
private struct ListedAnchor: DescribedObject {
  let certificate: Certificate
  /// The source; nil for the program.
  let path: String?

  /// As the certificate writes it: most in capitals.
  var country: String { certificate.subject.country ?? "" }

  static let members: [Member<ListedAnchor>] = [
    Member("country", \.country),
    Member("keyId") { $0.certificate.keyIdentifier.map(Digits.init) },
    Member("notBefore", \.certificate.notBefore), Member("notAfter", \.certificate.notAfter),
    Member("subject", \.certificate.subject.text), Member("issuer", \.certificate.issuer.text),
    Member("serial", \.certificate.serial),
    Member("sha256") { $0.certificate.der.sha256 },
    Member("source") { $0.path ?? "built-in" },
  ]

  func line(_ language: Language) -> String {
    let dates = [certificate.notBefore, certificate.notAfter].map { language.text($0) }
    return [
      country, certificate.keyIdentifier?.hexadecimal ?? "-", dates.joined(separator: "–"),
      certificate.subject.text, "(\(path ?? Message("trust.built-in")(language)))",
    ].joined(separator: "  ")
  }
}

/// A stored trusted list, with its services as they are now.
private struct ListedServices: DescribedObject {
  let state: ListState
  let services: [TrustedListOutcome.Service]
  let time: UTCTime

  static let members: [Member<ListedServices>] = [
    Member("territory", \.state.territory),
    Member("sequenceNumber", \.state.sequenceNumber), Member("issued", \.state.issued),
    Member("nextUpdate", \.state.nextUpdate, note: "Null for a closed list."),
    Member("fetched", \.state.fetched, note: "The last time at which it was the newest."),
    Member("old") { $0.state.isOld(at: $0.time) }, Member("services", \.services),
  ]

  func lines(_ language: Language) -> [String] {
    let line = Message(
      "list-state.stored",
      [
        "list": state.territory, "number": String(state.sequenceNumber), "date": state.issued,
        "fetched": state.fetched,
      ])(language)
    let age = state.isOld(at: time) ? ". " + Message("list-state.old")(language) : ""
    return [line + age]
      + services.map { service in
        "  "
          + [
            service.kind, service.status, language.text(service.start), service.provider,
            service.name,
          ].joined(separator: "  ")
      }
  }
}
