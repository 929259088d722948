/// Questions in clear about the root: its selection, and the files below it.
extension CardSurvey {
  /// Must be asked first: the selection after a reset.
  func askAfterReset() throws(CardError) {
    try ask("D3", "read-after-reset") { (line: consuming Line) throws(CardError) in
      return try line.answer(to: [0x00, 0xB0, 0x9D, 0x00, 0xE7]).status.description
    }
  }

  func askRoot() throws(CardError) {
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
    try ask("D2", "ias-application", CardApplication.ias.selection)
    for (file, short): (UInt16, UInt8?) in [
      (0x2F01, 0x1D), (0x2F00, 0x1E), (0x011C, 0x1C), (0xD003, nil), (0xD004, 0x1B),
    ] {
      try askParameters(of: file, in: .root)
      guard let short else { continue }
      try ask("I", "sfi-\(String(file, radix: 16))", in: .root) {
        (line: consuming Line) throws(CardError) in
        return try line.answer(to: [0x00, 0xB0, 0x80 | short, 0x00, 0x08]).status.description
      }
    }
    try ask("I", "ef-atr", in: .root) { (line: consuming Line) throws(CardError) in
      try line.require(.select(file: 0x2F01, control: 0x0C), at: .readCardLimits)
      let answer = try line.send(.readBinary(offset: 0, length: 0xE7), at: .readCardLimits)
      return Self.knownObjects(answer.data)
    }
    try ask("I", "ef-dir", in: .root) { (line: consuming Line) throws(CardError) in
      return try line.answer(to: [0x00, 0xB0, 0x9E, 0x00, 0xE7]).surveyBytes
    }
    try ask("E", "card-access", in: .root) { (line: consuming Line) throws(CardError) in
      return try FileReader.readIfGiven(.cardAccess, through: &line)?.hexadecimal ?? "none"
    }
    try ask("I", "ef-sn", in: .root) { (line: consuming Line) throws(CardError) in
      serialNumber = try FileReader.read(.chipSerialNumber, through: &line)
      return "read"
    }
    // The start of its data object shows which of two forms it has; the numbers themselves are read
    // below.
    try ask("I", "ef-dh-form", in: .root) { (line: consuming Line) throws(CardError) in
      try line.require(.select(.parameters), at: .readParameterFile)
      let head = try line.send(.readBinary(offset: 0, length: 16), at: .readParameterFile)
      var cursor = TLVCursor(head.data)
      guard let object = try? TLVCursor.encodedLength(of: head.data) else { return "unreadable" }
      _ = try? cursor.next()
      return "\(head.data.prefix(2).map { $0 }.hexadecimal) length \(object)"
    }
  }

  /// Asks for the SELECT response of a file: the control parameters are the same on all cards of a
  /// batch.
  func askParameters(
    of file: UInt16, in place: SurveyPlace
  ) throws(CardError) {
    try ask("D12", "fcp-\(String(file, radix: 16))", in: place) {
      (line: consuming Line) throws(CardError) in
      return try line.send(.select(file: file, control: 0x04), at: .probeApplications).surveyBytes
    }
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
