package import CIECard
import Glibc
import Messages

/// The reason why a command failed; the error of the layer below is kept unchanged.
package indirect enum Failure: Error, Sendable {
  /// The card, at some step.
  case card(CardError)
  /// The card rejected the code of the travel document, with a delay.
  case slowAccess(CardError)
  /// The reader or the service, before there was a card.
  case channel(ChannelError)
  /// The trust anchors of `--trust`.
  case trustStore(TrustStore.LoadingError)
  /// A PIN or PUK that is not sent to the card.
  case code(CodeProblem)
  /// A file, or standard input or output.
  case file(FileProblem)
  case crypto(CryptoError)
  /// The report on authenticity is not good.
  case notProved(AuthenticityReport.Outcome)
  /// The travel document is the State's, but without proof that its chip, or that of its saved files, is no copy.
  case possibleCopy(isSaved: Bool)
  /// The document has expired, on this day, and validity was required.
  case expired(MRZ.PartialDate)
  /// Validity was required, but cannot be determined.
  case validityUnknown
  /// An error of a layer above the work with a card.
  case above(any DiagnosedError)
  /// A diagnosis that a command would have ended with.
  case found(Diagnosis)
  /// SIGINT or SIGTERM while waiting for a person or a file.
  case interrupted
  /// The run exceeded its limit of seconds.
  case deadline(Int)
}

/// An error of a layer that the work with a card does not know, such as a login's, with its own words.
package protocol DiagnosedError: Error {
  var diagnosis: Diagnosis { get }
  /// True if it was given up, rather than failed by itself.
  var isInterruption: Bool { get }
}

extension DiagnosedError {
  package var isInterruption: Bool { false }
}

/// A file or stream that cannot be used.
package enum FileProblem: Sendable, Equatable {
  /// It cannot be read.
  case unreadable(path: String, errno: Int32)
  /// It is a folder, a pipe or a device.
  case notPlain(path: String)
  /// Users other than its owner may write to it, and could replace its contents.
  case writableByOthers(path: String)
  /// A folder without EF.SOD, whose files cannot be verified.
  case noSecurityObject(path: String)
  /// It exists already, and must not be overwritten.
  case exists(path: String)
  /// It cannot be made or written; existing data are not lost.
  case unwritable(path: String, errno: Int32)
  /// An invalid line in the file of `--config`.
  case configuration(path: String, line: Int)
  /// Standard output cannot be written.
  case output(errno: Int32)
}

extension Failure {
  /// True if the reader of our output has gone, which needs no message.
  package var isBrokenPipe: Bool {
    if case .file(.output(EPIPE)) = self { true } else { false }
  }

  /// True if it was given up, rather than failed by itself.
  package var isInterruption: Bool {
    switch self {
    case .interrupted, .channel(.cancelled), .channel(.withheld): true
    case .above(let error): error.isInterruption
    case .card(let error): [.channel(.cancelled), .channel(.withheld)].contains(error.reason)
    default: false
    }
  }
}

extension Failure {
  /// A command line that cannot be used. It never carries its words, because one could be a PIN.
  package static func usage(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String? = nil
  ) -> Failure {
    .found(Diagnosis(.usage, name, arguments, key: key, advice: Message("usage.do")))
  }

  /// An option of the assisted login without a link, or one of the login without a browser with one.
  package static func otherStart(option: String, needsLink: Bool) -> Failure {
    usage(
      "wrong-start", ["option": option], key: needsLink ? "wrong-start-link" : "wrong-start-page")
  }

  /// A question without a person to answer it, and without the option that would.
  ///
  /// - Parameter choices: the possible values; empty for any.
  package static func optionNeeded(_ option: String, choices: [String] = []) -> Failure {
    guard !choices.isEmpty else { return usage("option-needed", ["option": option]) }
    return usage(
      "option-needed", ["option": option, "choices": choices.joined(separator: ", ")],
      key: "option-needed-of")
  }
}
