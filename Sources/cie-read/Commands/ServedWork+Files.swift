import CIECard
import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives

extension ServedWork {
  private static let mostFiles = 100

  /// The files that a request names, all of them whole.
  private func files(_ object: RequestObject) throws(Failure) -> [UploadStore.File] {
    let ids = try object.texts("files") ?? []
    guard (1...Self.mostFiles).contains(ids.count), Set(ids).count == ids.count else {
      throw RequestObject.unfit("files")
    }
    let files = try ids.map { (id) throws(Failure) in try uploads[id] }
    guard files.allSatisfy(\.isWhole) else { throw RequestObject.unfit("files") }
    return files
  }

  /// Signs files that were listed: those in memory in memory, the others beside themselves.
  func sign(_ object: RequestObject) throws(Failure) -> ServedCard.Work {
    let pin = try object.code(by: entry)
    let (files, format) = (try files(object), try DocumentFormat(object))
    let terms = try terms(object)
    return { (card, context) throws(Failure) in
      let heading = Message("mark.heading")(context.language)
      let orders = try files.map { (file) throws(Failure) in
        try order(file, format.with(password: file.password, heading: heading))
      }
      let signed = try DocumentSigningJob(orders: orders, pin: pin, access: terms)
        .run(on: card, in: context)
      var outcome = CommandOutcome(signed, context.language)
      let rows = signed.orders.map { order -> JSON in
        let id: String? =
          if order.failure != nil {
            nil
          } else if let memory = order.memory {
            uploads.add(order.output, memory)
          } else {
            uploads.open(order.output)
          }
        return .object(order.members(context.language) + [.init("file", id)])
      }
      outcome.set(.init("documents", .array(rows)))
      return outcome
    }
  }

  private func order(
    _ file: UploadStore.File, _ format: DocumentFormat
  ) throws(Failure) -> SigningOrder {
    var order = SigningOrder(
      file.name, at: file.place, beside: uploads.contents(beside: file), format)
    if file.memory == nil {
      order.output = Self.free(order.output)
    } else {
      order.memory = try MemoryFile()
    }
    if order.failure == nil, file.shown == nil || order.document?.digest != file.shown {
      order.failure = .found(Diagnosis(.usage, "not-as-shown", ["path": file.name]))
    }
    return order
  }

  /// A path at which there is no file yet, because a page has no way to allow that one is overwritten.
  private static func free(_ path: String) -> String {
    let others = (2...99).lazy.map { SigningOrder.nameBeside(path, "-\($0)") }
    return Primitives.access(path, F_OK) != 0
      ? path : others.first { Primitives.access($0, F_OK) != 0 } ?? path
  }

  func check(_ object: RequestObject) throws(Failure) -> ServedCard.Work {
    let files = try files(object)
    return { (_, context) throws(Failure) in
      CommandOutcome(
        SignedFiles(
          files: files.map { signed($0, at: context.present) }, present: context.present),
        context.language)
    }
  }

  private func signed(_ file: UploadStore.File, at present: PresentTime) -> SignedFile {
    SignedFile(
      file.name, at: file.place, content: uploads.contents(beside: file), password: file.password,
      DocumentJudge(trust: nil, at: present.time, notBefore: present.earliest))
  }

  /// Takes out of a file what was signed, unless its signature is false.
  func extract(_ object: RequestObject) throws(Failure) -> ServedCard.Work {
    let files = try files(object)
    guard files.count == 1, let file = files.first else { throw RequestObject.unfit("files") }
    return { (_, context) throws(Failure) in
      let signed = signed(file, at: context.present)
      let report = try signed.result.get()
      if report.outcome == .false, let failure = signed.failure { throw failure }
      let memory = try MemoryFile()
      let output = try OutputFile(memory)
      let name = file.name.pathName
      let isPDF = report.form == .pdf
      if isPDF {
        try signed.extractSigned(report, to: output)
      } else {
        try signed.extractContents(report, to: output)
      }
      let isWrapped = !isPDF && name.hasEnding(".p7m") && name.utf8.count > 4
      let inner =
        isWrapped ? String(name.dropLast(4)) : SigningOrder.nameBeside(name, "-content")
      return CommandOutcome(members: [.init("file", uploads.add(inner, memory))])
    }
  }
}

extension DocumentFormat {
  /// The format that a request wants.
  fileprivate init(_ object: RequestObject) throws(Failure) {
    var particulars = PDFParticulars()
    particulars.reason = try object.string("reason")
    particulars.location = try object.string("location")
    let page = try object.string("page")
    if let text = try object.string("mark") {
      guard let place = VisibleMark.Place(argument: text) else {
        throw RequestObject.unfit("mark")
      }
      guard let page = VisibleMark.Page(argument: page ?? "last") else {
        throw RequestObject.unfit("page")
      }
      var mark = VisibleMark()
      (mark.place, mark.page) = (place, page)
      particulars.mark = mark
    }
    switch SignatureFormat(rawValue: try object.string("format") ?? SignatureFormat.auto.rawValue) {
    case .cades: self = .cades(isDetached: false)
    case .pades: self = .pades(particulars)
    case .auto: self = .byName(particulars, isDetached: false)
    case .raw, nil: throw RequestObject.unfit("format")
    }
  }
}
