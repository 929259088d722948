import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// `cie-read trust`: the trusted certificates.
struct TrustCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    "trust", "command.trust",
    subcommands: [
      TrustListCommand.self, TrustImportCommand.self, HelpCommand<TrustCommand>.self,
    ])
}

/// `cie-read trust list`: lists the trusted certificates with their sources.
struct TrustListCommand: CardCommand {
  static let configuration = CommandConfiguration("list", "command.trust-list")

  @Option(help: .text("option.trust-list.country", value: "code")) var country: String?
  @OptionGroup var trust: Part<TrustChoice>
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    var seen: Set<Certificate> = []
    var rows: [Row] = []
    for source in try trust.value().sources(in: context) {
      for certificate in source.store.certificates where seen.insert(certificate).inserted {
        rows.append(Row(certificate: certificate, path: source.path))
      }
    }
    if let country {
      rows = rows.filter { $0.country.uppercased() == country.uppercased() }
    }
    var outcome = CommandOutcome(lines: rows.map { $0.line(context.language) })
    outcome.members = [.init("anchors", .array(rows.map { $0.json }))]
    return outcome
  }

  private struct Row {
    let certificate: Certificate
    /// The source; nil for the program.
    let path: String?

    /// As the certificate writes it: most in capitals.
    var country: String { certificate.subject.country ?? "" }
    private var keyIdentifier: String? { certificate.keyIdentifier?.hexadecimal }

    func line(_ language: Language) -> String {
      let dates = [certificate.notBefore, certificate.notAfter].map { language.text($0) }
      return [
        country, keyIdentifier ?? "-", dates.joined(separator: "–"), certificate.subject.text,
        "(\(path ?? Message("trust.built-in")(language)))",
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
        .init("source", path ?? "built-in"),
      ])
    }
  }
}

/// `cie-read trust import`: checks a master list and keeps its certificates.
struct TrustImportCommand: CardCommand {
  static let configuration = CommandConfiguration("import", "command.trust-import")

  @Argument(
    isRequired: true, help: .text("option.trust-import.file", value: "file"), completion: .file())
  var file = ""
  @Option(help: .text("option.trust-import.signed-by", value: "file"), completion: .file())
  var signedBy: String?
  @Option(help: .text("option.trust-import.to", value: "folder"), completion: .folder)
  var to: String?
  @OptionGroup var overwriting: Part<Overwriting>
  @OptionGroup var output: OutputOptions

  func perform(in context: RunContext) throws(Failure) -> CommandOutcome {
    let list: MasterList
    do throws(TrustStore.LoadingError) {
      let signers = try signedBy.map { path throws(TrustStore.LoadingError) in
        try TrustStore(path: path, at: context.time)
      }
      list = try TrustStore.masterList(
        path: file, signedBy: signers ?? .masterListSigners, at: context.time)
    } catch { throw context.failure(for: error) }
    guard let folder = to ?? TrustFolder.path else { throw .usage("no-trust-folder") }
    try OutputFile.makeFolder(folder, mode: to == nil ? 0o700 : 0o755)
    let path = folder + "/" + list.fileName
    // One file, so that a list is there completely or not at all; a later list of the same state can replace it.
    try OutputFile(path, isForAll: true, overwriting: context.mayOverwrite)
      .commit([UInt8](list.text.utf8))
    return CommandOutcome(list, path, context.language)
  }
}

extension MasterList {
  /// The code of the state; `unknown` unless it is two letters, because it becomes part of a path.
  fileprivate var state: String {
    let letters = country?.uppercased() ?? ""
    return letters.utf8.count == 2 && letters.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      ? letters : "unknown"
  }

  fileprivate var fileName: String { "master-list-\(state).pem" }

  /// The certificates in PEM, below a line that names their source.
  fileprivate var text: String {
    let date = signingTime.map { ", signed " + $0.description } ?? ""
    return "Master list of \(state)\(date), checked and imported by cie-read \(CieRead.version).\n"
      + certificates.map(\.pem).joined()
  }
}

extension CommandOutcome {
  fileprivate init(_ list: MasterList, _ path: String, _ language: Language) {
    let italian = list.certificates.count { $0.subject.country?.uppercased() == "IT" }
    let count = list.certificates.count
    let date = list.signingTime
    lines = [
      Message(
        "trust.imported",
        [
          "state": list.state, "date": date.map { $0 as Message.Argument } ?? "-", "count": count,
          "italian": italian,
        ])(language),
      path,
    ]
    if list.unreadable > 0 {
      lines.append(
        Message("trust.unreadable", ["unreadable": list.unreadable])(language))
    }
    members = [
      .init("country", list.country), .init("signingTime", date?.description),
      .init("certificates", count),
      .init("italian", italian), .init("unreadable", list.unreadable),
      .init("signer", list.path.first?.subject.text), .init("out", path),
    ]
  }
}
