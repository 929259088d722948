import ArgumentParser
import CIECard
import Messages
import System

/// `cie-read trust list`: what is believed, and where it comes from.
struct TrustListCommand: CardCommand {
  static var name: String? { "trust list" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("list", "command.trust-list")
  }

  @Option(
    help: .text("option.trust-list.country", value: "code"))
  var country: String?
  @OptionGroup var trust: TrustOptions
  @OptionGroup var output: OutputOptions
  @ParentCommand var root: CieRead

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try root.requireNoSource()
    var seen: Set<Certificate> = []
    var rows: [Row] = []
    for source in try trust.sources(in: session) {
      for certificate in source.store.certificates where seen.insert(certificate).inserted {
        rows.append(Row(certificate: certificate, origin: source.origin))
      }
    }
    if let country {
      rows = rows.filter { $0.country.uppercased() == country.uppercased() }
    }
    var outcome = CommandOutcome(lines: rows.map { $0.line(session.language) })
    outcome.members = [.init("anchors", .array(rows.map { $0.json }))]
    return outcome
  }

  /// One anchor.
  private struct Row {
    let certificate: Certificate
    let origin: TrustSource.Origin

    /// As the certificate writes it: most in capitals.
    var country: String { certificate.subject.country ?? "" }
    private var keyIdentifier: String? { certificate.keyIdentifier?.hexadecimal }

    func line(_ language: Language) -> String {
      let dates = [certificate.notBefore, certificate.notAfter].map { $0.day }
      return [
        country, keyIdentifier ?? "-", dates.joined(separator: "–"), certificate.subject.text,
        "(\(origin.text(language)))",
      ].joined(separator: "  ")
    }

    var json: JSON {
      .object([
        .init("country", country), .init("keyId", keyIdentifier),
        .init("notBefore", certificate.notBefore.description),
        .init("notAfter", certificate.notAfter.description),
        .init("subject", certificate.subject.text), .init("issuer", certificate.issuer.text),
        .init("serial", certificate.serial),
        .init("sha256", (try? HashAlgorithm.sha256.hash(certificate.der))?.hexadecimal),
        .init("source", origin.word),
      ])
    }
  }
}

extension TrustSource.Origin {
  /// For scripts.
  fileprivate var word: String {
    switch self {
    case .builtIn: "built-in"
    case .path(let path): path
    }
  }

  fileprivate func text(_ language: Language) -> String {
    switch self {
    case .builtIn: Message("trust.built-in")(language)
    case .path(let path): path
    }
  }
}
