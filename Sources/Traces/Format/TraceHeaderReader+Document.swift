internal import CIECard
internal import Primitives

extension TraceHeaderReader {
  mutating func visit() throws(TraceError) -> Trace.DocumentVisit {
    let code = try documentCode()
    let tasks = try all(.task).map { (line) throws(TraceError) in
      guard let task = Trace.DocumentTask(text: line.value) else { throw bad(line) }
      return task
    }
    var goesBack = false
    if let line = take(.afterwards) {
      guard line.value == Trace.DocumentVisit.servicesNumber else { throw bad(line) }
      goesBack = true
    }
    return Trace.DocumentVisit(code: code, tasks: tasks, readsServicesNumberAfterwards: goesBack)
  }

  /// The tasks, each of which must be the reading of a data group.
  mutating func groups() throws(TraceError) -> [DataGroup] {
    try all(.task).map { (line) throws(TraceError) in
      guard case .read(.group(let group))? = Trace.DocumentTask(text: line.value) else {
        throw bad(line)
      }
      return group
    }
  }

  mutating func documentCode() throws(TraceError) -> Trace.DocumentCode {
    if let line = take(.can) { return .can(try digits(line, count: AccessCode.canLength)) }
    let line = try required(.mrz)
    let words = line.value.split(separator: " ", omittingEmptySubsequences: false).map(String.init)
    guard words.count == 3, words[0].utf8.allSatisfy(TraceWord.isCapitalOrDigit) else {
      throw bad(line)
    }
    let code = Trace.DocumentCode.mrz(number: words[0], birth: words[1], expiry: words[2])
    guard code.mrzInformation != nil else { throw bad(line) }
    return code
  }

  mutating func documentValues(
    into values: inout [Trace.Expectation.Value]
  ) throws(TraceError) {
    if let line = take(.access) { values.append(.access(try word(line))) }
    if let line = take(.chipMapping) { values.append(.chipMapping(try word(line))) }
    for line in all(.fileHash) {
      let words = line.value.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let file = words.first.flatMap({ Trace.DocumentFile(name: $0) }),
        let hash = [UInt8](canonicalHexadecimal: words[1]),
        hash.count == HashAlgorithm.sha256.length
      else { throw bad(line) }
      values.append(.fileHash(name: file.name, hash: hash))
    }
    if let line = take(.chipAuthentication) { values.append(.chipAuthentication(try word(line))) }
    if let line = take(.activeAuthentication) {
      values.append(.activeAuthentication(try word(line)))
    }
  }

  private func word(_ line: TraceHeaderLine) throws(TraceError) -> String {
    guard TraceWord.isWord(line.value) else { throw bad(line) }
    return line.value
  }
}
