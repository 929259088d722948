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
    case "virtual": return .virtual(persona: try persona())
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

  private mutating func persona() throws(TraceError) -> String {
    let line = try required(.persona)
    guard TraceWord.isWord(line.value) else { throw bad(line) }
    return line.value
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

  private mutating func values() throws(TraceError) -> [Trace.Expectation.Value] {
    var values: [Trace.Expectation.Value] = []
    if let line = take(.servicesNumber) {
      values.append(.servicesNumber(try digits(line, count: 12)))
    }
    if let line = take(.serialNumber) { values.append(.serialNumber(try hex(line))) }
    if let line = take(.documentNumber) {
      guard line.value.utf8.count == 9, line.value.utf8.allSatisfy(TraceWord.isCapitalOrDigit)
      else {
        throw bad(line)
      }
      values.append(.documentNumber(line.value))
    }
    try documentValues(into: &values)
    if let line = take(.certificateHash) { values.append(.certificateHash(try hash(line))) }
    for line in all(.signatureHash) { values.append(.signatureHash(try hash(line))) }
    if let line = take(.triesLeft) {
      let tries: Int = try number(line)
      guard (0...15).contains(tries) else { throw bad(line) }
      values.append(.triesLeft(tries))
    }
    for line in all(.report) {
      let words = line.value.split(separator: " ", omittingEmptySubsequences: false)
      guard words.count == 2, let point = words.first, let verdict = words.last, !point.isEmpty,
        !verdict.isEmpty
      else { throw bad(line) }
      values.append(.report(point: String(point), verdict: String(verdict)))
    }
    return values
  }
}

extension TraceHeaderReader {
  mutating func take(_ key: TraceKey) -> TraceHeaderLine? {
    lines.firstIndex { $0.key == key }.map { lines.remove(at: $0) }
  }

  mutating func required(_ key: TraceKey) throws(TraceError) -> TraceHeaderLine {
    guard let line = take(key) else {
      throw TraceError(line: end, .missingKey(key.rawValue))
    }
    return line
  }

  mutating func all(_ key: TraceKey) -> [TraceHeaderLine] {
    let found = lines.filter { $0.key == key }
    lines.removeAll { $0.key == key }
    return found
  }

  func bad(_ line: TraceHeaderLine) -> TraceError {
    TraceError(line: line.line, .badValue(key: line.key.rawValue))
  }

  func hex(_ line: TraceHeaderLine) throws(TraceError) -> [UInt8] {
    guard let bytes = [UInt8](canonicalHexadecimal: line.value), !bytes.isEmpty else {
      throw TraceError(line: line.line, .badHex)
    }
    return bytes
  }

  func hash(_ line: TraceHeaderLine) throws(TraceError) -> [UInt8] {
    let value = try hex(line)
    guard value.count == HashAlgorithm.sha256.length else { throw bad(line) }
    return value
  }

  func number<Number: FixedWidthInteger>(
    _ line: TraceHeaderLine
  ) throws(TraceError) -> Number {
    guard let number = Number(line.value), String(number) == line.value else { throw bad(line) }
    return number
  }

  func digits(_ line: TraceHeaderLine, count: Int) throws(TraceError) -> String {
    let digits = UInt8(ascii: "0")...UInt8(ascii: "9")
    guard line.value.utf8.count == count, line.value.utf8.allSatisfy(digits.contains) else {
      throw bad(line)
    }
    return line.value
  }
}
