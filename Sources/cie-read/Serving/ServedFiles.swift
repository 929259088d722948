import Arguments
import CIECard
import CardWork
import DocumentSigning
import Glibc
import Messages
import Primitives

/// `sign` of files that were listed, for requests: those in memory in memory, the others beside themselves.
struct SignFiles: CardFunction {
  typealias Result = SignedDocuments

  static let name = "sign"
  static let definition = "sign-files"
  static let served: Served? = Served(
    "Signs files that were listed, all of them after one VERIFY: those in memory in memory, those of the command line beside themselves.",
    answer: "What was signed.", asksNetwork: true)

  private let files: [UploadStore.File]
  private let format: DocumentFormat
  private let pin: CodeInput
  private let terms: HolderTerms
  private let service: ServiceTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> SignedDocuments {
    let orders = try files.map { (file) throws(Failure) in
      try order(file, format.with(password: file.password, in: context.language))
    }
    var signed = try DocumentSigningJob(
      orders: orders, pin: try pin.held(in: context), access: try terms.access(in: context)
    ).run(on: card, in: context)
    for (index, order) in signed.orders.enumerated() {
      if order.memory != nil, order.failure == nil {
        // Two of one name could not be told apart when they are saved.
        signed.orders[index].output = Self.free(order.output, service.uploads.hasMade)
      }
      let upload: String? =
        if order.failure != nil {
          nil
        } else if let memory = order.memory {
          service.uploads.add(
            signed.orders[index].output, memory, password: order.password)
        } else {
          service.uploads.open(order.output)
        }
      signed.orders[index].upload = .some(upload)
    }
    return signed
  }

  private func order(
    _ file: UploadStore.File, _ format: DocumentFormat
  ) throws(Failure) -> SigningOrder {
    var order = SigningOrder(
      file.name, at: file.place, beside: service.uploads.contents(beside: file), format)
    if file.memory == nil {
      order.output = Self.free(order.output) { Primitives.access($0, F_OK) == 0 }
    } else {
      order.memory = try MemoryFile()
    }
    if order.failure == nil, file.shown == nil || order.document?.digest != file.shown {
      order.failure = .found(Diagnosis(.usage, "not-as-shown", ["path": file.name]))
    }
    return order
  }

  /// A path that is not taken yet, because a page has no way to allow that a file is overwritten.
  static func free(_ path: String, _ isTaken: (String) -> Bool) -> String {
    guard isTaken(path) else { return path }
    let others = (2...99).lazy.map { SigningOrder.nameBeside(path, "-\($0)") }
    return others.first { !isTaken($0) } ?? path
  }
}

extension SignFiles {
  init(from inputs: inout Inputs) throws(Failure) {
    pin = try inputs.code(.pin, http: .pin)
    let numbers = try inputs.files()
    format = try inputs.documentFormat()
    terms = try inputs.part()
    service = try inputs.service()
    files = try service.files(numbers)
  }
}

/// `check` of files that were listed, for requests.
struct CheckFiles: CardFunction {
  typealias Result = SignedFiles

  static let name = "check"
  static let definition = "check-files"
  static let served: Served? = Served(
    "Judges signed files.", answer: "The judgements.", asksNetwork: true)

  private let files: [UploadStore.File]
  private let service: ServiceTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> SignedFiles {
    let services = TrustedListFolder.services(in: context)
    return SignedFiles(
      files: files.map { service.signed($0, by: services, at: context.present) },
      present: context.present)
  }
}

extension CheckFiles {
  init(from inputs: inout Inputs) throws(Failure) {
    let numbers = try inputs.files()
    service = try inputs.service()
    files = try service.files(numbers)
  }
}

/// Takes out of a file what was signed, unless its signature is false.
struct ExtractFile: CardFunction {
  static let name = "serve files"
  static let definition = "extract"
  static let served: Served? = Served(
    "Takes out of a file what was signed.", answer: "The number of the new file.",
    asksNetwork: true)

  private let file: UploadStore.File
  private let service: ServiceTerms

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    let services = TrustedListFolder.services(in: context)
    let signed = service.signed(file, by: services, at: context.present)
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
    let inner = isWrapped ? String(name.dropLast(4)) : SigningOrder.originalName(of: name)
    return Result(number: service.uploads.add(inner, memory), name: inner)
  }
}

extension ExtractFile {
  init(from inputs: inout Inputs) throws(Failure) {
    let numbers = try inputs.files(atMost: 1)
    service = try inputs.service()
    guard let file = try service.files(numbers).first, numbers.count == 1 else {
      throw Request.unfit("files")
    }
    self.file = file
  }

  struct Result: FunctionResult {
    let number: String
    let name: String

    static let members: [Member<Result>] = [
      Member("file", \.number), Member("out", \.name, note: "Its name."),
    ]

    func lines(_ language: Language) -> [String] { [] }
  }
}

extension ServiceTerms {
  fileprivate static let mostFiles = 100

  /// The files that a request names, all of them whole.
  fileprivate func files(_ numbers: [String]) throws(Failure) -> [UploadStore.File] {
    guard (1...Self.mostFiles).contains(numbers.count), Set(numbers).count == numbers.count else {
      throw Request.unfit("files")
    }
    let files = try numbers.map { (number) throws(Failure) in try uploads[number] }
    guard files.allSatisfy(\.isWhole) else { throw Request.unfit("files") }
    return files
  }

  fileprivate func signed(
    _ file: UploadStore.File, by services: TrustedServices?, at present: PresentTime
  ) -> SignedFile {
    do throws(Failure) {
      return SignedFile(
        file.name, at: file.place, content: try uploads.onlyContents(beside: file),
        password: file.password,
        DocumentJudge(
          trust: nil, services: services, at: present.time, notBefore: present.earliest))
    } catch { return SignedFile(file.name, failing: error) }
  }
}

extension Inputs {
  fileprivate mutating func files(
    atMost most: Int = ServiceTerms.mostFiles
  ) throws(Failure) -> [String] {
    try requestTexts(
      "files",
      Offer(
        "The numbers of files, all of them whole.",
        Schema.list(of: .text, atLeast: 1).with("maxItems", .int(most)).with(
          "uniqueItems", .bool(true)), isRequired: true))
  }

  /// The format that a request wants.
  fileprivate mutating func documentFormat() throws(Failure) -> DocumentFormat {
    let formats = [SignatureFormat.auto, .cades, .pades]
    let format = try requestText(
      "format",
      Offer(
        "The format of the signatures.",
        Schema.choice(formats.map(\.rawValue)).with("default", .string("auto")))
    ) { text in formats.first { $0.rawValue == text } }
    var particulars = PDFParticulars()
    particulars.reason = try requestText("reason", "The reason in a PDF's signature.")
    particulars.location = try requestText("location", "The place in a PDF's signature.")
    let place = try requestText(
      "mark",
      Offer(
        "A visible mark in PDFs: \(VisibleMark.Place.allArguments.joined(separator: ", ")), or X,Y in points."
      ), as: VisibleMark.Place.init(argument:))
    let page = try requestText(
      "page",
      Offer(
        "The page of the mark: first, last, or a number.",
        Schema.text.with("default", .string("last"))))
    if let place {
      guard let page = VisibleMark.Page(argument: page ?? "last") else {
        throw Request.unfit("page")
      }
      var mark = VisibleMark()
      (mark.place, mark.page) = (place, page)
      particulars.mark = mark
    }
    switch format ?? .auto {
    case .cades: return .cades(isDetached: false)
    case .pades: return .pades(particulars)
    case .auto, .raw: return .byName(particulars, isDetached: false)
    }
  }
}
