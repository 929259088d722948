import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// `trust import`: checks a master list and keeps its certificates.
struct TrustImport: FunctionWithoutCard {
  static let name = "trust import"

  let file: String
  let signedBy: String?
  let folder: String?

  func run(in context: RunContext) throws(Failure) -> Result {
    let list: MasterList
    do throws(TrustStore.LoadingError) {
      let signers = try signedBy.map { path throws(TrustStore.LoadingError) in
        try TrustStore(path: path, at: context.time)
      }
      list = try TrustStore.masterList(
        path: file, signedBy: signers ?? .masterListSigners, at: context.time)
    } catch { throw context.failure(for: error) }
    guard let folder = folder ?? TrustFolder.path else { throw .usage("no-trust-folder") }
    try OutputFile.makeFolder(folder, mode: self.folder == nil ? 0o700 : 0o755)
    let path = folder + "/" + list.fileName
    // One file, so that a list is there completely or not at all; a later list of the same state can replace it.
    try OutputFile(path, isForAll: true, overwriting: context.mayOverwrite)
      .commit([UInt8](list.text.utf8))
    return Result(list: list, path: path)
  }
}

extension TrustImport {
  init(from inputs: inout Inputs) throws(Failure) {
    file = try inputs.argument(
      "file", help: "option.trust-import.file", value: "file", completion: .file())
    signedBy = try inputs.text(
      "signed-by", help: "option.trust-import.signed-by", value: "file", completion: .file())
    folder = try inputs.text(
      "to", help: "option.trust-import.to", value: "folder", completion: .folder)
    _ = try inputs.part(Overwriting.self)
  }

  struct Result: FunctionResult {
    let list: MasterList
    let path: String

    static let members: [Member<Result>] = [
      Member("country", \.list.country), Member("signingTime", \.list.signingTime),
      Member("certificates") { $0.list.certificates.count },
      Member("italian") { $0.italian },
      Member("unreadable") { $0.list.unreadable },
      Member("signer") { $0.list.path.first?.subject.text }, Member("out", \.path),
    ]

    private var italian: Int {
      list.certificates.count { $0.subject.country?.uppercased() == "IT" }
    }

    func lines(_ language: Language) -> [String] {
      let date = list.signingTime.map { $0 as Message.Argument } ?? "-"
      let imported = Message(
        "trust.imported",
        [
          "state": list.state, "date": date, "count": list.certificates.count, "italian": italian,
        ])
      let unreadable = Message("trust.unreadable", ["unreadable": list.unreadable])
      return [imported(language), path] + (list.unreadable > 0 ? [unreadable(language)] : [])
    }
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
