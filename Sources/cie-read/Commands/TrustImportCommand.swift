import ArgumentParser
import CIECard
import Messages

/// `cie-read trust import`: checks a master list and keeps its certificates.
struct TrustImportCommand: CardCommand {
  static var name: String? { "trust import" }
  static var configuration: CommandConfiguration {
    CommandConfiguration("import", "command.trust-import")
  }

  @Argument(
    help: .text("option.trust-import.file", value: "file"))
  var file: String
  @Option(
    help: .text("option.trust-import.signed-by", value: "file"))
  var signedBy: String?
  @Option(
    help: .text("option.trust-import.to", value: "folder"))
  var to: String?
  @OptionGroup var output: OutputOptions
  @ParentCommand var root: CieRead

  func perform(in session: Session) throws(Failure) -> CommandOutcome {
    try root.requireNoSource()
    let list: MasterList
    do throws(TrustStore.LoadingError) {
      let signers = try signedBy.map { path throws(TrustStore.LoadingError) in
        try TrustStore(path: path, at: session.time)
      }
      list = try TrustStore.masterList(
        path: file, signedBy: signers ?? .masterListSigners, at: session.time)
    } catch { throw .trustStore(error) }
    guard let folder = to ?? TrustFolder.path else { throw .usage(.noTrustFolder) }
    try TrustFolder.make(folder)
    let path = folder + "/" + list.fileName
    // One file, so that a list is there whole or not at all; a later list of the same state can take its place.
    try OutputFile(path, overwriting: session.mayOverwrite).commit([UInt8](list.text.utf8))
    return CommandOutcome(list, path, session.language)
  }
}

extension MasterList {
  /// The code of the state; `unknown` for anything that is no two letters, as it becomes part of a path.
  fileprivate var state: String {
    let letters = country?.uppercased() ?? ""
    return letters.utf8.count == 2 && letters.utf8.allSatisfy { (0x41...0x5A).contains($0) }
      ? letters : "unknown"
  }

  fileprivate var fileName: String { "master-list-\(state).pem" }

  /// The certificates in PEM, below a line that tells where they are from.
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
    let date = list.signingTime?.description
    lines = [
      Message(
        "trust.imported",
        ["state": list.state, "date": date ?? "-", "count": count, "italian": italian])(language),
      path,
    ]
    if list.unreadable > 0 {
      lines.append(
        Message("trust.unreadable", ["unreadable": list.unreadable])(language))
    }
    members = [
      .init("country", list.country), .init("signingTime", date), .init("certificates", count),
      .init("italian", italian), .init("unreadable", list.unreadable),
      .init("signer", list.path.first?.subject.text), .init("out", path),
    ]
  }
}
