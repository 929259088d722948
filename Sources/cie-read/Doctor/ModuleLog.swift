import CIECard
import Messages
import Primitives

/// The log of the PKCS #11 module (`CIE_PKCS11_LOG`): it explains errors that browsers and other programs do not show.
///
/// A line is `TIME PROCESS THREAD TEXT`; the text of a failure is `slot N: STEP: REASON`, the reason by the name of
/// `CardError.Reason` in the module's source.
struct ModuleLog {
  private(set) var calls = 0
  private(set) var lastFailure: (time: String, step: String, reason: String)?
  /// True if a login succeeded after it.
  private(set) var hasLoggedInSince = false

  init(_ text: String) {
    for line in text.split(separator: "\n") {
      let words = line.split(separator: " ", maxSplits: 3)
      guard words.count == 4 else { continue }
      let (time, text) = (String(words[0]), words[3])
      if text.hasPrefix("C_") { calls += 1 }
      if text.hasPrefix("C_Login("), text.includes(" = CKR_OK ") { hasLoggedInSince = true }
      let parts = text.parts(between: ": ")
      if parts.count >= 3, parts[0].hasPrefix("slot "),
        parts[1] == Self.opening || CardError.Step(rawValue: String(parts[1])) != nil
      {
        lastFailure = (time, String(parts[1]), parts.dropFirst(2).joined(separator: ": "))
        hasLoggedInSince = false
      }
    }
  }

  var findings: [DoctorFinding] {
    guard calls > 0 else {
      return [
        DoctorFinding(
          "module-log", .warning, Message("doctor.module-log.empty"),
          remedy: Message("doctor.module-log.empty.do"))
      ]
    }
    var findings = [
      DoctorFinding("module-log", .ok, Message("doctor.module-log.calls", ["count": calls]))
    ]
    guard let lastFailure else { return findings }
    let grade: DoctorFinding.Grade = hasLoggedInSince ? .ok : .warning
    let (time, step) = (lastFailure.time, lastFailure.step)
    findings.append(
      DoctorFinding(
        "module-log", grade,
        Message(
          hasLoggedInSince ? "doctor.module-log.mended" : "doctor.module-log.failed",
          ["time": time, "step": step])))
    if let reason = Self.reason(lastFailure.reason) {
      let error = CardError(CardError.Step(rawValue: lastFailure.step) ?? .verifyPIN, reason)
      findings.append(DoctorFinding("module-log", Diagnosis(inDoctor: error), grade))
    }
    return findings
  }

  /// The reasons for which a person can take action, by the beginning of their text.
  private static func reason(_ text: String) -> CardError.Reason? {
    let number = text.split { !$0.isNumber }.last.flatMap { Int($0) }
    return switch text.prefix(while: { $0.isLetter || $0 == "." }) {
    case "wrongCode": .wrongCode(.pin, triesLeft: number)
    case "lastTryRefused": .lastTryRefused(.pin)
    case "blocked": .blocked(.pin)
    case "notACIE": .notACIE(.fileNotFound)
    case "chipNotAuthentic": .chipNotAuthentic
    case "genuinenessUnknown":
      .genuinenessUnknown(text.includes("noTrustStore") ? .noTrustStore : .noChain)
    case "channel": channelErrors.first { text.includes(".\($0.0)") }.map { .channel($0.1) }
    default: nil
    }
  }

  /// The step of a card that could not be opened.
  private static let opening = "open-card"

  /// Errors of the connection without values, by their names in the log.
  private static let channelErrors: [(String, ChannelError)] = [
    ("serviceMissing", .serviceMissing), ("serviceStopped", .serviceStopped),
    ("serviceUnresponsive", .serviceUnresponsive),
    ("serviceOfOtherVersion", .serviceOfOtherVersion), ("accessDenied", .accessDenied),
    ("readerRemoved", .readerRemoved), ("noCard", .noCard), ("cardRemoved", .cardRemoved),
    ("cardMute", .cardMute), ("cardReset", .cardReset), ("sharingViolation", .sharingViolation),
  ]
}
