import CIECard
import TestSupport
import Testing
import Traces

/// The text form of traces: exact in both directions, and strict.
@Suite struct TraceTextTests {
  @Test func roundTrip() throws {
    #expect(try SampleTrace.parsed().text == SampleTrace.text)
  }

  @Test func headerValues() throws {
    let header = try SampleTrace.parsed().header
    #expect(header.title == "Two signatures, the card removed before the third command")
    #expect(header.source == .virtual(persona: "gemalto"))
    #expect(header.fault == "card-removed at 3")
    #expect(header.traits.atr.count == 20)
    #expect(header.traits.extendedLength == .carried(maximumDataLength: 1278))
    #expect(header.time == 1_767_225_600)
    #expect(header.random == [[1, 2, 3, 4, 5, 6, 7, 8], [0xAA, 0xBB]])
    guard case .sign(let pin, let digests) = header.journey else {
      Issue.record("\(header.journey)")
      return
    }
    #expect(pin == "12345678")
    #expect(digests.map(\.algorithm) == [.sha256, .sha384])
    #expect(
      header.expectation.outcome == .error(name: "channel-card-removed", step: .readServicesKey))
    #expect(header.expectation.values.count == 5)
  }

  @Test func stepValues() throws {
    let entries = try SampleTrace.parsed().entries
    #expect(entries.count == 8)
    #expect(entries.first == .comment("SELECT of the root application"))
    #expect(entries.dropFirst(2).first == .answer([0x90, 0x00]))
    #expect(entries.last == Trace.Event(.cardRemoved).map { .event($0) })
  }

  @Test(
    arguments: [
      (
        "journey: sign\npin: 12345678\n", "journey: info\n", 12,
        TraceError.Kind.misplacedKey("digest")
      ),
      ("source: virtual\npersona: gemalto\n", "source: spec\n", 11, .misplacedKey("pin")),
      ("source: virtual\n", "source: reader\n", 2, .badValue(key: "source")),
      ("persona: gemalto\n", "", 20, .missingKey("persona")),
      ("persona: gemalto\n", "persona: Ge malto\n", 3, .badValue(key: "persona")),
      ("title: Two", "titel: Two", 1, .unknownKey("titel")),
      ("title: Two", "diagnostic: Two", 1, .diagnosticRecord),
      ("title: Two", "title:  Two", 1, .spacing),
      ("title: Two", "title:Two", 1, .notAHeaderLine),
      ("title: Two", "title Two", 1, .notAHeaderLine),
      ("time: 1767225600\n", "time: 1767225600\ntime: 1767225600\n", 9, .duplicateKey("time")),
      (
        "extended: 1278\ntime: 1767225600\n", "time: 1\nextended: 1278\n", 8,
        .keyOutOfOrder("extended")
      ),
      ("extended: 1278\n", "extended: 0300\n", 7, .badValue(key: "extended")),
      ("extended: 1278\n", "extended: 256\n", 7, .badValue(key: "extended")),
      ("extended: 1278\n", "extended: 65537\n", 7, .badValue(key: "extended")),
      ("time: 1767225600\n", "time: soon\n", 8, .badValue(key: "time")),
      ("atr: 3B8F", "atr: 3b8F", 6, .badHex),
      ("random: AABB", "random: AAB", 10, .badHex),
      ("pin: 12345678", "pin: 1234567", 12, .badValue(key: "pin")),
      ("pin: 12345678", "pin: 1234567A", 12, .badValue(key: "pin")),
      ("pin: 12345678\n", "", 20, .missingKey("pin")),
      ("journey: sign\n", "journey: dance\n", 11, .badValue(key: "journey")),
      ("digest: sha256 00", "digest: sha256 ", 13, .badValue(key: "digest")),
      ("digest: sha256 ", "digest: sha1 ", 13, .badValue(key: "digest")),
      ("expect: channel-card-removed at read-services-key\n", "", 20, .missingKey("expect")),
      ("expect: channel-card-removed at", "expect: card removed", 15, .badValue(key: "expect")),
      ("at read-services-key", "at home", 15, .badValue(key: "expect")),
      (" at read-services-key", " at", 15, .badValue(key: "expect")),
      ("channel-card-removed at", "chännel at", 15, .badValue(key: "expect")),
      ("nis: 123456789012", "nis: 12345678901", 16, .badValue(key: "nis")),
      ("signature-sha256: 0001", "signature-sha256: 01", 17, .badValue(key: "signature-sha256")),
      ("tries-left: 3", "tries-left: 16", 19, .badValue(key: "tries-left")),
      ("report: passive proved", "report: passive", 20, .badValue(key: "report")),
      ("# SELECT", "#SELECT", 22, .notAnEntry),
      ("# SELECT", "#  SELECT", 22, .spacing),
      ("> 00A4", ">> 00A4", 23, .notAnEntry),
      ("> 00A4", "> 0a4", 23, .badHex),
      ("> 00A4040C0DA0000000308000000009816001\n", "> 00A404\n", 23, .shortCommand),
      ("< 9000\n", "< 90\n", 24, .shortAnswer),
      ("< 9000\n", "", 25, .commandWithoutAnswer),
      ("< 9000\n", "< 9000\n< 9000\n", 25, .answerWithoutCommand),
      ("! card-removed\n", "", 29, .commandWithoutAnswer),
      ("! card-removed\n", "! card-eaten\n", 29, .unknownEvent),
      ("! card-removed\n", "! card-removed", 29, .missingFinalNewline),
      ("! card-removed\n", "! card-removed\n\n", 30, .notAnEntry),
      ("! card-removed\n", "! card-removed \n", 29, .spacing),
      ("! card-removed\n", "! card-removed\r\n", 29, .controlCharacter),
      ("\n\n#", "\n#", 29, .missingEntries),
    ] as [(String, String, Int, TraceError.Kind)])
  func refusal(piece: String, other: String, line: Int, kind: TraceError.Kind) throws {
    let error = #expect(throws: TraceError.self) {
      try Trace(parsing: SampleTrace.changed(piece, to: other))
    }
    #expect(error?.line == line)
    #expect(error?.kind == kind)
  }

  @Test func textsThatAreNoTraceAtAll() {
    let texts: [([UInt8], Int, TraceError.Kind)] = [
      ([], 1, .missingEntries), ([0x0A], 1, .missingKey("title")), ([0xFF, 0x0A], 1, .notText),
      ([UInt8]("title: x\n".utf8), 2, .missingEntries), ([0x41], 1, .missingFinalNewline),
    ]
    for (text, line, kind) in texts {
      let error = #expect(throws: TraceError.self) { try Trace(parsing: text) }
      #expect(error?.line == line)
      #expect(error?.kind == kind)
    }
  }

  @Test func conversationWithoutCommandIsRefused() throws {
    let header = SampleTrace.text.prefix(
      upTo: try #require(SampleTrace.text.firstRange(of: "# S")).lowerBound)
    for steps in ["", "# nothing was sent\n"] {
      let error = #expect(throws: TraceError.self) {
        try Trace(parsing: [UInt8]((header + steps).utf8))
      }
      #expect(error?.kind == .emptyConversation)
    }
  }

  /// Accepted text is canonical: it is written again exactly as it was read.
  @Test func everyPrefixAndEveryChangedByte() {
    let good = [UInt8](SampleTrace.text.utf8)
    var texts = (0..<good.count).map { [UInt8](good.prefix($0)) }
    for index in good.indices {
      for change: UInt8 in [1, 0x20, 0x80, good[index]] {
        var text = good
        text[index] ^= change
        texts.append(text)
      }
    }
    for text in texts {
      guard let trace = try? Trace(parsing: text) else { continue }
      #expect([UInt8](trace.text.utf8) == text)
    }
  }

  @Test(arguments: [
    (ChannelError.serviceStopped, "service-stopped"), (.readerRemoved, "reader-removed"),
    (.cardRemoved, "card-removed"), (.cardMute, "card-mute"), (.cardReset, "card-reset"),
    (.sharingViolation, "sharing-violation"), (.cancelled, "cancelled"),
    (.truncatedResponse(length: 1), "truncated-response 1"),
    (.lengthNotCarried(length: 300), "length-not-carried 300"),
    (.other(code: 0x8010_0016, function: "SCardTransmit"), "pcsc SCardTransmit 80100016"),
    (.transmissionFailed(code: 0x8010_0016), "transmission-failed 80100016"),
    (.readerUnavailable(""), "reader-unavailable"),
  ])
  func events(error: ChannelError, word: String) throws {
    let text = SampleTrace.changed("! card-removed", to: "! \(word)")
    let trace = try Trace(parsing: text)
    #expect([UInt8](trace.text.utf8) == text)
    #expect(trace.entries.last == Trace.Event(error).map { .event($0) })
  }

  @Test(arguments: [
    ChannelError.serviceMissing, .accessDenied, .noReader, .readerNotFound("x"),
    .readerAmbiguous("x", []),
    .noCard, .replayMismatch(line: 1, detail: ""),
  ])
  func errorsBeforeAConversationAreNoEvents(error: ChannelError) {
    #expect(Trace.Event(error) == nil)
  }

  @Test(arguments: [
    "truncated-response 01", "truncated-response +1", "truncated-response", "pcsc SCardTransmit 16",
    "card-removed 1", "card-removed  ", "pcsc SCardTransmit 8010001g",
  ])
  func otherSpellingsOfEventsAreRefused(word: String) {
    #expect(throws: TraceError.self) {
      try Trace(parsing: SampleTrace.changed("! card-removed", to: "! \(word)"))
    }
  }

  private static let signing =
    "pin: 11111111\ndigest: sha256 000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F\n"

  @Test(
    arguments: zip(
      Trace.Journey.names,
      [
        "", "", "", "pin: 11111111\n", "pin: 11111111\n", "pin: 11111111\n",
        "pin: 11111111\nnew-pin: 22222222\n", "puk: 11111111\nnew-pin: 22222222\n",
        signing, signing, signing, signing,
        "challenge: 00FF\ntrust-anchor: 3000\ntrust-anchor: 3001\n",
      ]))
  func everyJourney(name: String, inputs: String) throws {
    let text = """
      title: t
      source: virtual
      persona: p
      provenance: p
      atr: 3B
      extended: none
      journey: \(name)
      \(inputs)expect: ok

      > 00000000
      < 9000

      """
    let trace = try Trace(parsing: [UInt8](text.utf8))
    #expect(trace.text == text)
    #expect(trace.header.journey.name == name)
    #expect(trace.header.expectation == Trace.Expectation(.ok))
  }
}
