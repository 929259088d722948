/// Questions about the travel document that need no code.
extension CardSurvey {
  /// MSE:Set AT of PACE presents no password and costs no try.
  func askDocument() throws(CardError) {
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
      let data =
        TLV.encode(0x80, protocolIdentifier) + [0x83, 0x01, template.reference] + template.tail
      try ask(
        "E", template.subject, .setSecurityEnvironment(.mutualAuthentication, data),
        in: .silentRoot)
    }
    try ask("E", "travel-document", CardApplication.travelDocument.selection)
    try ask("E", "bac-challenge", .getChallenge(8), in: .travelDocument)
    try ask(
      "E", "com-in-clear", .readBinary(shortIdentifier: 0x1E, length: 8), in: .travelDocument)
  }

  /// The last questions in clear: the files hidden by use of the CIE application, and whether
  /// switching the field off makes them visible again.
  func askHiddenRoot() throws(CardError) {
    let cardAccess = { (line: consuming Line) throws(CardError) -> String in
      try line.select(.silentRoot)
      let selection = try line.word(for: .select(.cardAccess))
      return try selection + " " + line.word(for: .readBinary(offset: 0, length: 8))
    }
    try ask("D22", "card-access-after-cie", in: .cie) { (line: consuming Line) throws(CardError) in
      return try cardAccess(line)
    }
    try ask("D22", "card-access-after-field-off") { (line: consuming Line) throws(CardError) in
      guard try line.powerCycle(at: .readCardAccess) else { return "no-field-to-switch" }
      return try cardAccess(line)
    }
  }
}
