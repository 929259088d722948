import Arguments
import CIECard
import CardWork
import Messages
import Pictures
import Primitives

/// `read`: reads the holder's data and judges its authenticity.
struct Read: CardFunction {
  static let name = "read"
  static let served: Served? = Served(
    "Who the holder is.", answer: "The data, proved.", requires: ["can"])

  let key: DocumentKey
  let groups: Set<DataGroup>?
  let photo: String?
  let out: String?
  /// The portrait itself is a member of the answer, because a request names no file.
  var hasPicture = false
  /// The portrait is shown on a terminal that can.
  var showsPicture = false
  var guest = GuestChoice()
  let evidence: EvidenceChoice
  let validity: ValidityChoice
  let trust: TrustChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    let order = try evidence.order(in: context, readsDocument: true)
    let guestOrder = try guest.order(in: context)
    let anchors = try trust.store(for: card, in: context)
    let file = try photo.map { path throws(Failure) in
      try PhotoFile(path, overwriting: context.mayOverwrite)
    }
    let folder = try out.map { path throws(Failure) in try DocumentFolder(path) }
    // A file for the portrait requires its group as well, a line for a guest three.
    let needed = Set<DataGroup>(photo == nil ? [] : [.dg2])
      .union(guestOrder == nil ? [] : GuestOrder.groups)
    let finding = try DocumentJob(
      key: key, groups: groups?.union(needed), wantsAll: out != nil,
      portable: order?.blank, requiresValidity: validity.isRequired, trust: anchors
    ).run(on: card, in: context)
    var result = Result(finding: finding)
    let portrait = finding.data.portrait
    // The JSON names only files that exist.
    do throws(Failure) {
      try file?.commit(finding.data, context.interruption)
      result.photo = photo.map(Photo.file)
      try folder?.commit(finding.data)
      result.folder = out
      result.evidence = try order?.finish(finding.reading.portable)
      if finding.failure == nil { result.guest = try guestOrder?.finish(finding.data) }
      if hasPicture { result.photo = try portrait.map(context.picture) }
    } catch {
      result.finding.problem = error
    }
    if showsPicture, !context.isJSON, let portrait, let terminal = PictureTerminal(Stream.output) {
      result.form.picture = terminal.show(portrait, context.interruption)
    }
    return result
  }
}

extension Read {
  init(from inputs: inout Inputs) throws(Failure) {
    key = try inputs.part()
    groups = try inputs.words(
      "only", help: "option.read.only", value: "groups", completion: .groups, http: .groups
    ) { (names, _) throws(Failure) in try DataGroupList.groups(named: names) }
    photo = try inputs.text("photo", help: "option.read.photo", value: "file", completion: .file())
    out = try inputs.text("out", help: "option.read.out", value: "folder", completion: .folder)
    showsPicture = try !inputs.flag("no-picture", help: "option.read.no-picture")
    guest = try inputs.part()
    evidence = try inputs.part()
    validity = try inputs.part()
    trust = try inputs.part()
    hasPicture = inputs.isRequest
    guard inputs.isRequest else { return }
    // No person types it.
    guard let can = key.can else { throw .code(.missing(.can)) }
    _ = try AwaitedCode(.can, Secret([UInt8](can.utf8)))
  }

  /// The portrait of an answer.
  fileprivate enum Photo {
    case file(String)
    /// In a format that browsers show.
    case jpeg([UInt8])
  }

  struct Result: FunctionResult {
    fileprivate(set) var finding: DocumentFinding
    fileprivate var photo: Photo?
    /// The folder to which all files were written, if any.
    fileprivate var folder: String?
    fileprivate var evidence: HandedEvidence?
    fileprivate var guest: WrittenGuest?
    fileprivate(set) var form = ResultForm()

    var failure: Failure? { finding.failure }

    static let members: [Member<Result>] =
      Member.all(of: \.finding) + [
        Member("photo", \.photo, note: "The file of --photo; over HTTP the portrait itself."),
        Member("out", \.folder), .whenPresent("evidence", \.evidence),
        .whenPresent("alloggiati", \.guest),
      ]

    func lines(_ language: Language) -> [String] {
      var path: String?
      if case .file(let file) = photo { path = file }
      let files = [
        path.map { Message("read.photo-saved", ["path": $0]) },
        folder.map { Message("read.files-saved", ["path": $0]) },
      ]
      return finding.lines(language) + files.compactMap { $0?(language) }
        + HandedEvidence.lines(evidence, language)
        + (guest?.lines(isTest: finding.reading.isTest, language) ?? [])
    }
  }
}

extension Read.Photo: Described {
  static var schema: Schema { .text.or(DescribedPicture.schema) }

  func json(_ language: Language) -> JSON {
    switch self {
    case .file(let path): .string(path)
    case .jpeg(let bytes): DescribedPicture(bytes: bytes).json(language)
    }
  }
}

private struct DescribedPicture: DescribedObject {
  let bytes: [UInt8]

  static let members: [Member<DescribedPicture>] = [
    Member("type", always: "image/jpeg"),
    Member("base64") { String(decoding: Base64.encode($0.bytes), as: UTF8.self) },
  ]
}

extension RunContext {
  fileprivate func picture(_ portrait: DataGroup.Portrait) throws(Failure) -> Read.Photo {
    if portrait.format == .jpeg { return .jpeg(portrait.image) }
    return .jpeg(
      try mapError(try Picture(apart: portrait, interruption).jpeg()) { (error: PictureError) in
        interruption.isOver ? Failure.interrupted : .found(Diagnosis(error))
      })
  }
}

extension DocumentFolder {
  /// Fills the folder and gives it its name.
  fileprivate func commit(_ data: DocumentData) throws(Failure) {
    for file in data.files { try add(file.kind.fileName, file.bytes) }
    if let portrait = data.portrait {
      try add("portrait.\(portrait.format.ending)", portrait.image)
    }
    try commit()
  }
}
