/// Questions about the travel document that need no code.
extension CardSurvey where Channel: ~Copyable {
  /// MSE:Set AT of PACE presents no password and costs no try.
  mutating func askDocument() throws(CardError) {
    let protocolIdentifier: [UInt8] = [0x04, 0x00, 0x7F, 0x00, 0x07, 0x02, 0x02, 0x04, 0x01, 0x01]
    let number: [UInt8] = [0x84, 0x01, 0x02]
    // DH, generic mapping, 3DES, parameters 2: announced by every known CIE (BSI TR-03110-3
    // §A.2.3).
    let templates: [(subject: String, reference: UInt8, tail: [UInt8])] = [
      ("pace-without-parameter", 0x02, []), ("pace-with-parameter", 0x02, number),
      ("pace-with-mrz", 0x01, number), ("pace-with-pin", 0x03, number),
      ("pace-with-puk", 0x04, number),
    ]
    for template in templates {
      try ask("E", template.subject) { (line: consuming Line) throws(CardError) in
        try Self.selectRootSilently(&line)
        let data =
          TLV.encode(0x80, protocolIdentifier) + [0x83, 0x01, template.reference] + template.tail
        return try line.word(for: .setSecurityEnvironment(.mutualAuthentication, data))
      }
    }
    try ask("E", "travel-document") { (line: consuming Line) throws(CardError) in
      return try line.word(for: CardApplication.travelDocument.selection)
    }
    try ask("E", "bac-challenge") { (line: consuming Line) throws(CardError) in
      try line.require(CardApplication.travelDocument.selection, at: .selectTravelDocument)
      return try line.word(for: .getChallenge(8))
    }
    try ask("E", "com-in-clear") { (line: consuming Line) throws(CardError) in
      try line.require(CardApplication.travelDocument.selection, at: .selectTravelDocument)
      return try line.word(for: .readBinary(shortIdentifier: 0x1E, length: 8))
    }
  }

  /// The last questions in clear: the files hidden by use of the CIE application, and whether
  /// switching the field off makes them visible again.
  mutating func askHiddenRoot() throws(CardError) {
    let cardAccess = { (line: consuming Line) throws(CardError) -> String in
      try Self.selectRootSilently(&line)
      let selection = try line.word(for: .select(.cardAccess))
      return try selection + " "
        + line.word(for: .readBinary(offset: 0, length: 8))
    }
    try ask("D22", "card-access-after-cie") { (line: consuming Line) throws(CardError) in
      try Self.selectCIE(&line)
      return try cardAccess(line)
    }
    try ask("D22", "card-access-after-field-off") { (line: consuming Line) throws(CardError) in
      guard try line.powerCycle(at: .readCardAccess) else { return "no-field-to-switch" }
      return try cardAccess(line)
    }
  }

  static func selectRootSilently(_ line: inout Line) throws(CardError) {
    let first = try line.send(.selectMasterFileSilently, at: .selectRoot)
    if first.status != .success { try selectRoot(&line) }
  }
}
