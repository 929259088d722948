import CIECard
package import Messages

/// The diagnoses of a command line. They never carry its words, because one could be a PIN.
extension Diagnosis {
  /// More than one of --reader, --virtual, --replay.
  package static let severalSources = usage("several-sources")
  /// --require-genuine and --skip-genuine-check.
  package static let genuineTwice = usage("genuine-twice")
  /// --fault or --option without --virtual.
  package static let faultWithoutVirtual = usage("fault-without-virtual")
  /// --record with --replay.
  package static let recordOfReplay = usage("record-of-replay")
  /// --wait below zero or beyond a day.
  package static let wait = usage("bad-wait")
  /// --challenge is not 8 to 102 bytes in hexadecimal.
  package static let challenge = usage("bad-challenge")
  /// Standard input is requested for two purposes.
  package static let standardInputTwice = usage("standard-input-twice")
  /// Binary data would go to a terminal.
  package static let binaryToTerminal = usage("binary-to-terminal")
  /// --json leaves no standard output for other data.
  package static let outputTwice = usage("output-twice")
  /// No input to sign.
  package static let noInput = usage("missing-option", key: "missing-input")
  /// Files to sign both with and without --in, so that each --out is ambiguous.
  package static let inputTwice = usage("input-twice")
  /// No file to check.
  package static let noSignedFile = usage("missing-option", key: "missing-signed-file")
  /// Options of `check` for one file beside several files.
  package static let optionForOneFile = usage("one-file-option")
  /// Not as many --out as --in.
  package static let outCount = usage("out-count")
  /// --timeout below one second or beyond ten minutes.
  package static let timeout = usage("bad-timeout")
  /// --deadline below one second or beyond a day.
  package static let badDeadline = usage("bad-deadline")
  /// A link and --sp-url.
  package static let severalStarts = usage("several-starts")
  /// Neither a link nor a page to begin with.
  package static let noStart = Diagnosis(.usage, "no-start")
  /// --expect is no text, selector or address.
  package static let expectation = usage("bad-expectation")
  /// --allow-receiver is no https address.
  package static let receiver = usage("bad-receiver")
  /// `claims` with the name of a claim that the account lacks.
  package static let noSuchClaim = usage("no-such-claim")
  /// `claims --out` of a claim that is not base64.
  package static let claimNotBinary = usage("claim-not-binary")
  /// SP_URL_SCHEME is no URL scheme.
  package static let scheme = usage("bad-scheme")
  /// No --to, and the environment names no home folder.
  package static let noTrustFolder = usage("no-trust-folder")
  /// No PKCS #11 module beside the program, and none given.
  package static let noModule = usage("no-module")
  /// The environment names no home folder.
  package static let noHome = usage("no-home")
  /// Words after `--` without a program that they are for.
  package static let unexpectedWords = usage("unexpected-argument")
  /// An unknown help topic.
  package static let unknownTopic = usage("unknown-topic")

  /// More than one of --can, --can-fd, --mrz-file, and the three that are typed.
  static let severalAccessCodes = document("several-access-codes")
  /// --from with an option that needs a card.
  package static let folderWithCard = document("folder-with-card")
  /// --only without an option that opens the document.
  static let groupsWithoutCode = document("groups-without-access-code")
  /// Not all three of --document, --birth and --expiry.
  static let incompleteZone = document("incomplete-mrz")
  /// --document is no document number.
  package static let documentNumber = document("bad-document-number")
  /// --birth is no date.
  static let dateOfBirth = document("bad-birth-date")
  /// --expiry is no date.
  static let dateOfExpiry = document("bad-expiry-date")
  /// The file of --mrz-file holds no machine readable zone.
  package static let zoneFile = document("bad-mrz-file")
  /// A check digit in it does not match.
  static let checkDigit = document("mrz-check-digit")
  /// --only with a name that is no data group.
  package static let unknownDataGroup = document("unknown-data-group")
  /// --only names DG3 or DG4, which the card shows to the issuing state alone.
  package static let protectedDataGroup = document("protected-data-group")
  /// The folder of --out exists and is not empty.
  static let folderNotEmpty = document("folder-not-empty")
  /// The name of --photo promises another format than the one that the card has.
  package static let photoFormat = document("photo-format")

  /// Two sources for the same PIN or PUK.
  static func severalCodeSources(_ role: CodeRole) -> Diagnosis {
    usage("several-\(role.rawValue)-sources", ["code": role.option], key: "several-code-sources")
  }

  /// An option of the assisted login without a link, or one of the login without a browser with one.
  package static func otherStart(option: String, needsLink: Bool) -> Diagnosis {
    usage(
      "wrong-start", ["option": option], key: needsLink ? "wrong-start-link" : "wrong-start-page")
  }

  /// An option of the other sign-in methods, without --service.
  package static func withoutService(option: String) -> Diagnosis {
    usage("without-service", ["option": option])
  }

  /// --method with an unknown method, or one that the service does not offer.
  package static func unknownMethod(offered: [String]) -> Diagnosis {
    usage("unknown-method", ["methods": offered.joined(separator: ", ")])
  }

  /// A question without a person to answer it, and without the option that would.
  ///
  /// - Parameter choices: the possible values; empty for any.
  package static func optionNeeded(_ option: String, choices: [String]) -> Diagnosis {
    guard !choices.isEmpty else { return usage("option-needed", ["option": option]) }
    return usage(
      "option-needed", ["option": option, "choices": choices.joined(separator: ", ")],
      key: "option-needed-of")
  }

  /// An option of the login without a browser, with --browser.
  package static func withBrowser(option: String) -> Diagnosis {
    usage("wrong-start", ["option": option], key: "wrong-start-browser")
  }

  /// --browser without an installed browser that can be remote-controlled.
  package static func noBrowser(_ names: [String]) -> Diagnosis {
    usage("no-desktop-program", ["names": names.joined(separator: ", ")], key: "no-browser")
  }

  /// --copy or --open without a program on this machine that does it.
  package static func noDesktopProgram(option: String) -> Diagnosis {
    usage("no-desktop-program", ["option": option])
  }

  /// An option without effect on `watch`, or on this task.
  package static func unfitForWatch(_ option: String) -> Diagnosis {
    usage("wrong-watch-option", ["option": option])
  }

  /// --allow with an unknown function, or without any.
  package static func unknownFunction(_ names: String) -> Diagnosis {
    usage("unknown-function", ["names": names])
  }

  /// `serve` without --allow.
  package static let nothingAllowed = usage("nothing-allowed")
  /// An option of `serve` that needs another one, or has no effect with it.
  package static func serveOption(_ option: String, needs other: String) -> Diagnosis {
    usage("serve-option", ["option": option, "other": other])
  }
  /// An option without effect on `serve`.
  package static func unfitForServe(_ option: String) -> Diagnosis {
    usage("wrong-serve-option", ["option": option])
  }

  /// --length is no number of digits that a local code can have.
  package static let badCodeLength = usage("bad-code-length")

  /// --http is no port.
  package static let badPort = usage("bad-port")
  /// --origin is no origin as browsers write them.
  package static let badOrigin = usage("bad-origin")
  /// The file of --token-file holds no usable token.
  package static let badToken = usage("bad-token")
  /// The file of --token-file is accessible to others.
  package static let exposedToken = usage("exposed-token")
  /// No socket to listen on.
  package static let noSocket = usage("no-socket")
  /// A socket that was handed over is open to other machines.
  package static let publicSocket = usage("public-socket")
  /// A code for `doctor` without the option that needs it, the report.
  package static let codeWithoutReport = usage("code-without-report")

  private static func document(_ name: String) -> Diagnosis {
    usage(name, key: "document-option.\(name)")
  }

  package static func usage(
    _ name: String, _ arguments: [String: Message.Argument] = [:], key: String? = nil
  ) -> Diagnosis {
    Diagnosis(.usage, name, arguments, key: key, advice: Message("usage.do"))
  }
}
