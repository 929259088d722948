import CIECard
import CardWork
import Messages
import Primitives

/// `trust list`: lists the trusted certificates with their sources.
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
    if let country {
      anchors = anchors.filter { $0.country.uppercased() == country.uppercased() }
    }
    return Result(anchors: anchors)
  }
}

extension TrustList {
  init(from inputs: inout Inputs) throws(Failure) {
    country = try inputs.text("country", help: "option.trust-list.country", value: "code")
    trust = try inputs.part()
  }

  struct Result: FunctionResult {
    fileprivate let anchors: [ListedAnchor]

    static let members: [Member<Result>] = [Member("anchors", \.anchors)]

    func lines(_ language: Language) -> [String] { anchors.map { $0.line(language) } }
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
