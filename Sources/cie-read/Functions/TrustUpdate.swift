import Arguments
import CIECard
import CLibraries
import CardWork
import DocumentSigning
import Messages
import Primitives

/// `trust update`: gets the European trusted lists, verifies them, and keeps them for `check`.
struct TrustUpdate: FunctionWithoutCard {
  static let name = "trust update"

  /// Codes of states beside Italy and those that are stored, or `all`.
  let countries: String?
  let signers: String?
  /// The address of the list of lists, or a folder; nil for the Commission's.
  let source: String?

  func run(in context: RunContext) throws(Failure) -> Result {
    guard hasLibrary(library_xmlsec), hasLibrary(library_xmlsecOpenSSL) else {
      throw .found(.noSignatureLibrary)
    }
    let signers = try signers.map { (path) throws(Failure) in
      do throws(Failure) {
        return try TrustSource.read([path], in: context).flatMap { $0.store.certificates }
      } catch {
        var problem = Diagnosis(error)
        problem.advice = Message("list-signers.do")
        throw .found(problem)
      }
    }
    let store = try TrustedListStore()
    let lock = try store.lock()
    let stored = try store.documents()
    // Stored lists are asked for, too, because the index has those of this update alone.
    let usual = Set(stored.keys.filter { $0.utf8.count == 2 }).union(["IT"])
    let wanted = try countries.map { (text) throws(Failure) in
      try Self.territories(in: text)?.union(usual)
    }
    var update = TrustedListUpdate(
      stored: stored, countries: wanted ?? usual, signers: signers,
      listOfLists: isFolder ? nil : source, at: context.time)
    var client = TrustedListClient(
      context: context, folder: isFolder ? source : nil, validators: try store.validators())
    while let request = update.next() {
      try client.take(request, for: &update, stored: stored[request.key])
    }
    let outcome = update.outcome()
    // A run that believed no list, such as one without the signers of those that are stored, leaves all as it is.
    let isBelieved = outcome.lists.contains { $0.facts != nil }
    if isBelieved {
      let index = try mapError(try outcome.index(at: context.time, after: store.lists)) {
        (error: CryptoError) in Failure.found(Diagnosis(error))
      }
      try store.store(outcome.documents, index: index, client.validators)
    }
    lock.release()
    return Result(
      lists: outcome.lists, left: isBelieved ? [] : store.lists, path: store.path,
      time: context.time)
  }

  private var isFolder: Bool { source.map { !$0.includes("://") || $0.hasEnding("/") } ?? false }

  /// - Returns: nil for all.
  private static func territories(in text: String) throws(Failure) -> Set<String>? {
    if text.lowercased() == "all" { return nil }
    let codes = text.split(separator: ",", omittingEmptySubsequences: false).map { $0.uppercased() }
    let areCodes = codes.allSatisfy { code in
      code.utf8.count == 2 && code.utf8.allSatisfy { (0x41...0x5A).contains($0) }
    }
    guard areCodes else {
      throw .usage("unknown-country", key: "trust-option.unknown-country")
    }
    return Set(codes)
  }
}

extension TrustUpdate {
  init(from inputs: inout Inputs) throws(Failure) {
    countries = try inputs.text(
      "countries", help: "option.trust-update.countries", value: "codes")
    signers = try inputs.text(
      "signers", help: "option.trust-update.signers", value: "file", completion: .file())
    source = try inputs.text(
      "from", help: "option.trust-update.from", value: "source", completion: .folder)
  }

  struct Result: FunctionResult {
    let lists: [TrustedListOutcome.State]
    /// The stored lists that count as before, because this run believed none.
    let left: [ListState]
    let path: String
    let time: UTCTime

    static let members: [Member<Result>] = [
      Member("lists", \.lists), Member("out", \.path),
    ]

    /// The reason why the first list was not taken that should have been.
    var failure: Failure? {
      lists.lazy.compactMap { list in list.problem.map { Diagnosis($0, territory: list.territory) }
      }.first.map {
        .found($0)
      }
    }

    func lines(_ language: Language) -> [String] {
      lists.map { list in
        guard list.facts == nil, let left = left.first(where: { $0.territory == list.territory })
        else { return list.line(at: time, language) }
        return Message(
          "list-state.left",
          ["list": list.territory, "number": String(left.sequenceNumber), "date": left.issued])(
            language)
      } + [path]
    }
  }
}
