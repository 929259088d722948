import Primitives
import VirtualCIE

/// The options of the software card that explain how a card's answers to the survey differ from those of another.
///
/// Not visible in a report, because it would take wrong codes: `last-try-swapped`, `token-refusal`, `shown-tries`,
/// `failure-delay`. Not asked: `active-authentication`, `no-card-security`, and the numbers of keys, `no-chip-key`.
struct CardExplanation {
  let card: [String: String]
  let base: [String: String]

  /// The card's answer, if it differs; else empty.
  private func answer(_ subject: String) -> String {
    card[subject] == base[subject] ? "" : card[subject] ?? ""
  }

  /// The first status word of an answer that differs; empty if there is none.
  private func word(_ subject: String) -> String { Self.word(in: answer(subject)) }

  private static func word(in text: String) -> String {
    let words = text.split { !$0.isLetter && !$0.isNumber }
    let word = words.first { $0 == "9000" || $0.count == 4 && $0.first == "6" && isHexadecimal($0) }
    return word.map(String.init) ?? ""
  }

  private static func isHexadecimal(_ text: Substring) -> Bool {
    !text.isEmpty && text.utf8.allSatisfy { UInt8(hexadecimalDigit: $0) != nil && $0 < 0x61 }
  }

  /// In the order of the survey; some may be there twice.
  var options: [String] { root + reading + commands + refusals + document + lengths }

  private var root: [String] {
    let roots = ["root-bare", "root-3f00", "ias-application"]
      .map { Self.word(in: card[$0] ?? "") }
    var options: [String] = []
    if roots.contains("9000") {
      if word("root-bare") == "6A86" { options.append("no-bare-root") }
      if word("ias-application") == "6A82" { options.append("no-root-aid") }
    } else {
      options.append("no-root")
    }
    if ["6982", "6A82", "6986"].contains(word("read-after-reset")) {
      options.append("nothing-selected")
    }
    if answer("sfi-d004") == "6A82" { options.append("no-sfi") }
    let before = card["card-access"] ?? ""
    if answer("card-access-after-cie").includes("6A82"), card["card-access-after-cie"] != before,
      Self.isHexadecimal(before[...])
    {
      options.append("hidden-root")
    }
    let lengths = answer("ef-atr")
    if let form = AnnouncedLengths.allCases.first(where: { lengths.includes($0.surveyWord) }) {
      options.append("announced-length=\(form.rawValue)")
    }
    if answer("fcp-2f01").hasPrefix("9000 6F") { options.append("fcp-6f") }
    if answer("serial-number-of-the-chip") == "other" { options.append("other-serial-number") }
    return options
  }

  private var reading: [String] {
    var options: [String] = []
    if answer("read-more-than-there-is") == "6C0C" {
      options.append("exact-le")
    } else if card["read-more-than-there-is"] == "9000+12" {
      options.append("end-of-file=\(Self.word(in: card["read-at-end"] ?? ""))")
    }
    if answer("read-256") == "9000+256" { options.append("long-reads") }
    let limited = answer("read-231")
    if limited.hasPrefix("9000+"), let count = Int(limited.dropFirst(5)) {
      options.append("read-limit=\(count):shorter")
    } else if limited.hasPrefix("6C"), let count = Int(limited.dropFirst(2).prefix(2), radix: 16) {
      options.append("read-limit=\(count):6cxx")
    } else if limited == "6700" {
      options.append("read-limit=128:6700")
    }
    return options
  }

  private var commands: [String] {
    var options: [String] = []
    if answer("get-data-without-le").hasPrefix("61"), answer("get-data-without-le").count == 4 {
      options.append("61xx-first")
    }
    if answer("chain-in-clear").hasPrefix("61") { options.append("61xx-in-chain") }
    let together = word("parameters-together")
    if !together.isEmpty {
      options.append(together == "9000" ? "combined-parameters" : "separate-parameters")
    }
    if answer("authority-key").hasPrefix("800141") { options.append("key-algorithm") }
    return options
  }

  private var refusals: [String] {
    let words = [
      ("mse-key-first", "6A80", "strict-mse"), ("mse-unknown-key", "6A88", "mse-checks-keys"),
      ("terminal-key-by-b6", "6A88", "no-terminal-key-by-b6"),
      ("sm-error", "bare 6982", "bare-errors"), ("sm-without-session", "6982", "other-sm-words"),
    ]
    var options = words.filter { answer($0.0) == $0.1 }.map(\.2)
    if answer("session-after-select").includes("bare") { options.append("select-ends-sm") }
    let refusal = word("terminal-key-by-a4")
    if !refusal.isEmpty { options.append("certificate-refusal=\(refusal)") }
    if refusal.isEmpty, !["", "9000"].contains(word("pin-object")) {
      options.append("no-counters=\(word("pin-object"))")
    }
    return options
  }

  private var document: [String] {
    var options: [String] = []
    let access = answer("card-access")
    if access == "none" {
      options.append("no-card-access")
    } else if let infos = [UInt8](hexadecimal: access), !infos.isEmpty {
      let profiles = PACEProfile.announced(in: infos).map(\.text)
      options.append("pace=" + profiles.joined(separator: "+"))
    }
    if word("pace-without-parameter") == "6A87" { options.append("parameter-required") }
    if word("pace-with-parameter") == "6A80",
      Self.word(in: card["pace-without-parameter"] ?? "") == "9000"
    {
      options.append("no-parameter")
    }
    let withPIN = answer("pace-with-pin")
    if withPIN.hasPrefix("9000") || withPIN.hasPrefix("63C") { options.append("pin-passwords") }
    if !["", "9000"].contains(word("bac-challenge")) { options.append("no-bac") }
    if answer("nonce") == "8" { options.append("nonce=8") }
    for form in ["kat", "at"]
    where answer("chip-authentication-1-\(form)").hasPrefix("refused") {
      options.append("no-set-\(form)")
    }
    if answer("chip-authentication-1-at").hasPrefix("bare") {
      options.append("chip-authentication-ends-sm")
    }
    if answer("chip-authentication-1-at") == "false" { options.append("old-session-keys") }
    return options
  }

  /// The commands that the survey sends in extended form too.
  private var lengths: [String] {
    let refused = [
      ("extended-read", "read"), ("extended-get-data", "get-data"),
      ("extended-key-agreement", "key-agreement"),
    ].filter { subject, name in
      answer(subject) == "6700" && !(name == "read" && !answer("read-231").isEmpty)
    }.map(\.1)
    if refused.count == 3 { return ["no-extended-length"] }
    // A limit of READ BINARY is refused in the channel.
    let endsChannel = answer("sm-read-extended") == "bare 6700" && !refused.contains("read")
    let all = refused + (endsChannel ? ["secured-read"] : [])
    return all.isEmpty ? [] : ["no-extended-length=" + all.joined(separator: "+")]
  }
}
