/// Questions in clear about the root: its selection, and the files below it.
extension CardSurvey where Channel: ~Copyable {
  /// Must be asked first: the selection after a reset.
  mutating func askAfterReset() throws(CardError) {
    try ask("D3", "read-after-reset") { (line: consuming Line) throws(CardError) in
      return try line.answer(to: [0x00, 0xB0, 0x9D, 0x00, 0xE7]).status.description
    }
  }

  mutating func askRoot() throws(CardError) {
    let ways: [(number: String, subject: String, bytes: [UInt8])] = [
      ("D1", "root-bare", [0x00, 0xA4, 0x00, 0x00]),
      ("D1", "root-bare-silent", [0x00, 0xA4, 0x00, 0x0C]),
      ("D1", "root-3f00-p2-00", [0x00, 0xA4, 0x00, 0x00, 0x02, 0x3F, 0x00]),
      ("D2", "root-3f00", [0x00, 0xA4, 0x00, 0x0C, 0x02, 0x3F, 0x00]),
    ]
    for way in ways {
      try ask(way.number, way.subject) { (line: consuming Line) throws(CardError) in
        return try line.answer(to: way.bytes).status.description
      }
    }
    try ask("D2", "ias-application") { (line: consuming Line) throws(CardError) in
      return try line.word(for: CardApplication.ias.selection)
    }
    for (file, short): (UInt16, UInt8?) in [
      (0x2F01, 0x1D), (0x2F00, 0x1E), (0x011C, 0x1C), (0xD003, nil), (0xD004, 0x1B),
    ] {
      try askFile(file, short)
    }
    try ask("I", "ef-atr") { (line: consuming Line) throws(CardError) in
      try Self.selectRoot(&line)
      try line.require(.select(file: 0x2F01, control: 0x0C), at: .readCardLimits)
      let answer = try line.send(.readBinary(offset: 0, length: 0xE7), at: .readCardLimits)
      return Self.knownObjects(answer.data)
    }
    try ask("I", "ef-dir") { (line: consuming Line) throws(CardError) in
      try Self.selectRoot(&line)
      return try line.answer(to: [0x00, 0xB0, 0x9E, 0x00, 0xE7]).surveyBytes
    }
    try ask("E", "card-access") { (line: consuming Line) throws(CardError) in
      try Self.selectRoot(&line)
      return try FileReader.readIfGiven(.cardAccess, through: &line)?.hexadecimal ?? "none"
    }
    var serialNumber: [UInt8]?
    try ask("I", "ef-sn") { (line: consuming Line) throws(CardError) in
      try Self.selectRoot(&line)
      serialNumber = try FileReader.read(.chipSerialNumber, through: &line)
      return "read"
    }
    self.serialNumber = serialNumber
    // The start of its data object shows which of two forms it has; the numbers themselves are read
    // below.
    try ask("I", "ef-dh-form") { (line: consuming Line) throws(CardError) in
      try Self.selectRoot(&line)
      try line.require(.select(.parameters), at: .readParameterFile)
      let head = try line.send(.readBinary(offset: 0, length: 16), at: .readParameterFile)
      var cursor = TLVCursor(head.data)
      guard let object = try? TLVCursor.encodedLength(of: head.data) else { return "unreadable" }
      _ = try? cursor.next()
      return "\(head.data.prefix(2).map { $0 }.hexadecimal) length \(object)"
    }
  }

  /// Asks for the SELECT response of a file and for its short identifier; the control parameters
  /// are the same on all cards of a batch.
  private mutating func askFile(_ file: UInt16, _ short: UInt8?) throws(CardError) {
    let name = String(file, radix: 16)
    try ask("D12", "fcp-\(name)") { (line: consuming Line) throws(CardError) in
      try Self.selectRoot(&line)
      return try line.send(.select(file: file, control: 0x04), at: .probeApplications).surveyBytes
    }
    guard let short else { return }
    try ask("I", "sfi-\(name)") { (line: consuming Line) throws(CardError) in
      try Self.selectRoot(&line)
      return try line.answer(to: [0x00, 0xB0, 0x80 | short, 0x00, 0x08]).status.description
    }
  }

  /// Selects the root by the first command that the card accepts.
  static func selectRoot(_ line: inout Line) throws(CardError) {
    var last = StatusWord.fileNotFound
    for way in RootSelection.allCases {
      last = try line.send(way.command, at: .selectRoot).status
      if last == .success { return }
    }
    throw CardError(.selectRoot, .refused(last))
  }

  /// Selects the CIE application, through the root if the card has one.
  static func selectCIE(_ line: inout Line) throws(CardError) {
    do throws(CardError) { try selectRoot(&line) } catch {
      guard case .refused = error.reason else { throw error }
    }
    try line.require(CardApplication.cie.selection, at: .selectCIE)
  }

  /// EF.ATR with the objects described in ISO/IEC 7816-4 §12.2.2 and IAS ECC §2.3.2; of other
  /// objects tag and length only.
  private static func knownObjects(_ file: [UInt8]) -> String {
    let known: Set<UInt32> = [0x43, 0x46, 0x47, 0x4F, 0xE0, 0x7F66, 0x78, 0x82]
    // A category byte, and on the tested cards a second byte, stand before the first object.
    let isCategorised = file.first == 0x80
    var cursor = TLVCursor(file.dropFirst(isCategorised ? 2 : 0))
    var words = isCategorised ? [Array(file.prefix(2)).hexadecimal] : []
    while let object = try? cursor.next() {
      guard object.tag != 0 else { break }
      words.append(
        known.contains(object.tag)
          ? Array(object.encoded).hexadecimal
          : "\(String(object.tag, radix: 16)):\(object.value.count)-bytes")
    }
    return words.joined(separator: " ")
  }
}
