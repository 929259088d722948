internal import CIECard
internal import Primitives

/// Converts header lines to typed values; a line left over is misplaced.
struct TraceHeaderReader {
  private var lines: [TraceHeaderLine]
  /// The line on which the header ends; missing keys are reported there.
  private let end: Int

  init(_ lines: [TraceHeaderLine], end: Int) {
    self.lines = lines
    self.end = end
  }

  mutating func header() throws(TraceError) -> Trace.Header {
    let title = try required(.title).value
    let source = try source()
    let provenance = try required(.provenance).value
    let fault = take(.fault)?.value
    let traits = ChannelTraits(atr: try hex(required(.atr)), extendedLength: try extended())
    let time = try take(.time).map { (line) throws(TraceError) in UTCTime(seconds: try number(line))
    }
    let random = try all(.random).map { (line) throws(TraceError) in try hex(line) }
    let journey = try journey()
    let expectation = try expectation()
    if let left = lines.first {
      throw TraceError(line: left.line, .misplacedKey(left.key.rawValue))
    }
    return Trace.Header(
      title: title, source: source, provenance: provenance, fault: fault, traits: traits,
      time: time, random: random, journey: journey, expectation: expectation)
  }

  private mutating func source() throws(TraceError) -> Trace.Source {
    let line = try required(.source)
    switch line.value {
    case "virtual": return .virtual(persona: try word(required(.persona)))
    case "spec":
      // Plaintext codes belong to invented citizens only.
      for key in [TraceKey.pin, .puk, .newPIN] {
        if let code = lines.first(where: { $0.key == key }) {
          throw TraceError(line: code.line, .misplacedKey(key.rawValue))
        }
      }
      return .specification
    default: throw bad(line)
    }
  }

  private mutating func extended() throws(TraceError) -> ChannelTraits.ExtendedLength {
    let line = try required(.extended)
    switch line.value {
    case "none": return .notCarried
    case "unknown": return .unknown
    default:
      let length: Int = try number(line)
      guard (257...65_536).contains(length) else { throw bad(line) }
      return .carried(maximumDataLength: length)
    }
  }

  private mutating func journey() throws(TraceError) -> Trace.Journey {
    let line = try required(.journey)
    switch line.value {
    case "info": return .information
    case "nis": return .servicesNumber
    case "serial-number": return .serialNumber
    case "document-number": return .documentNumber(pin: try code(.pin))
    case "certificate": return .certificate(pin: try code(.pin))
    case "verify-pin": return .verifyPIN(pin: try code(.pin))
    case "change-pin": return .changePIN(pin: try code(.pin), newPIN: try code(.newPIN))
    case "unblock-pin": return .unblockPIN(puk: try code(.puk), newPIN: try code(.newPIN))
    case "sign", "login", "module", "documents":
      let pin = try code(.pin)
      let first = try digest(required(.digest))
      let digests = try [first] + all(.digest).map { (line) throws(TraceError) in try digest(line) }
      guard let signatory = Trace.Journey.Signatory(rawValue: line.value) else {
        return .sign(pin: pin, digests: digests)
      }
      return .signatures(signatory, pin: pin, digests: digests)
    case "authenticity":
      let challenge = try take(.challenge).map { (line) throws(TraceError) in try hex(line) }
      return .authenticity(challenge: challenge, trustAnchors: try anchors())
    case "travel-document": return .travelDocument(try visit())
    case "document-authenticity":
      return .documentAuthenticity(
        code: try documentCode(), groups: try groups(), trustAnchors: try anchors())
    default: throw bad(line)
    }
  }

  private mutating func anchors() throws(TraceError) -> [[UInt8]] {
    try all(.trustAnchor).map { (line) throws(TraceError) in try hex(line) }
  }

  private func digest(_ line: TraceHeaderLine) throws(TraceError) -> Digest {
    let words = line.value.split(separator: " ", omittingEmptySubsequences: false)
    guard words.count == 2, let name = words.first, let text = words.last,
      let algorithm = Digest.Algorithm(rawValue: String(name)),
      let value = [UInt8](canonicalHexadecimal: text), let digest = Digest(algorithm, bytes: value)
    else { throw bad(line) }
    return digest
  }

  /// A PIN or PUK: eight digits (CIE 3.0: PIN and PUK have eight characters each).
  private mutating func code(_ key: TraceKey) throws(TraceError) -> String {
    let line = try required(key)
    return try digits(line, count: 8)
  }
}

extension TraceHeaderReader {
  private mutating func expectation() throws(TraceError) -> Trace.Expectation {
    let line = try required(.expect)
    guard let outcome = Trace.Expectation.Outcome(text: line.value) else { throw bad(line) }
    return Trace.Expectation(outcome, values: try values())
  }

  /// The findings, whose keys come after the outcome.
  private mutating func values() throws(TraceError) -> [Trace.Expectation.Value] {
    let findings = lines.filter { $0.key.rank > TraceKey.expect.rank }
    lines.removeAll { $0.key.rank > TraceKey.expect.rank }
    return try findings.map { (line) throws(TraceError) in try value(line) }
  }

  private func value(_ line: TraceHeaderLine) throws(TraceError) -> Trace.Expectation.Value {
    let words = line.value.split(separator: " ", omittingEmptySubsequences: false)
    switch line.key {
    case .servicesNumber: return .servicesNumber(try digits(line, count: 12))
    case .serialNumber: return .serialNumber(try hex(line))
    case .documentNumber:
      guard line.value.utf8.count == 9, line.value.utf8.allSatisfy(TraceWord.isCapitalOrDigit)
      else { throw bad(line) }
      return .documentNumber(line.value)
    case .access: return .access(try word(line))
    case .chipMapping: return .chipMapping(try word(line))
    case .fileHash:
      guard words.count == 2, let file = Trace.DocumentFile(name: words[0]),
        let hash = [UInt8](canonicalHexadecimal: words[1]),
        hash.count == HashAlgorithm.sha256.length
      else { throw bad(line) }
      return .fileHash(name: file.name, hash: hash)
    case .chipAuthentication: return .chipAuthentication(try word(line))
    case .activeAuthentication: return .activeAuthentication(try word(line))
    case .certificateHash: return .certificateHash(try hash(line))
    case .signatureHash: return .signatureHash(try hash(line))
    case .triesLeft:
      let tries: Int = try number(line)
      guard (0...15).contains(tries) else { throw bad(line) }
      return .triesLeft(tries)
    case .report:
      guard words.count == 2, !words[0].isEmpty, !words[1].isEmpty else { throw bad(line) }
      return .report(point: String(words[0]), verdict: String(words[1]))
    case .title, .source, .persona, .provenance, .fault, .atr, .extended, .time, .random, .journey,
      .pin, .puk, .newPIN, .digest, .challenge, .trustAnchor, .can, .mrz, .task, .afterwards,
      .expect:
      throw TraceError(line: line.line, .misplacedKey(line.key.rawValue))
    }
  }
}

extension TraceHeaderReader {
  private mutating func visit() throws(TraceError) -> Trace.DocumentVisit {
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
  private mutating func groups() throws(TraceError) -> [DataGroup] {
    try all(.task).map { (line) throws(TraceError) in
      guard case .read(.group(let group))? = Trace.DocumentTask(text: line.value) else {
        throw bad(line)
      }
      return group
    }
  }

  private mutating func documentCode() throws(TraceError) -> Trace.DocumentCode {
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
}

extension TraceHeaderReader {
  private mutating func take(_ key: TraceKey) -> TraceHeaderLine? {
    lines.firstIndex { $0.key == key }.map { lines.remove(at: $0) }
  }

  private mutating func required(_ key: TraceKey) throws(TraceError) -> TraceHeaderLine {
    guard let line = take(key) else {
      throw TraceError(line: end, .missingKey(key.rawValue))
    }
    return line
  }

  private mutating func all(_ key: TraceKey) -> [TraceHeaderLine] {
    let found = lines.filter { $0.key == key }
    lines.removeAll { $0.key == key }
    return found
  }

  private func bad(_ line: TraceHeaderLine) -> TraceError {
    TraceError(line: line.line, .badValue(key: line.key.rawValue))
  }

  private func word(_ line: TraceHeaderLine) throws(TraceError) -> String {
    guard TraceWord.isWord(line.value) else { throw bad(line) }
    return line.value
  }

  private func hex(_ line: TraceHeaderLine) throws(TraceError) -> [UInt8] {
    guard let bytes = [UInt8](canonicalHexadecimal: line.value), !bytes.isEmpty else {
      throw TraceError(line: line.line, .badHex)
    }
    return bytes
  }

  private func hash(_ line: TraceHeaderLine) throws(TraceError) -> [UInt8] {
    let value = try hex(line)
    guard value.count == HashAlgorithm.sha256.length else { throw bad(line) }
    return value
  }

  private func number<Number: FixedWidthInteger>(
    _ line: TraceHeaderLine
  ) throws(TraceError) -> Number {
    guard let number = Number(line.value), String(number) == line.value else { throw bad(line) }
    return number
  }

  private func digits(_ line: TraceHeaderLine, count: Int) throws(TraceError) -> String {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard line.value.utf8.count == count, line.value.utf8.allSatisfy(digits.contains) else {
      throw bad(line)
    }
    return line.value
  }
}
