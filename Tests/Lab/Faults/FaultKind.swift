internal import VirtualCIE

/// A kind of fault at a command of a conversation.
struct FaultKind: Sendable {
  let name: String
  /// The plan as `--fault` takes it, without its moment.
  let plan: String
  /// The allowed errors, by the beginnings of their names; empty if any typed error is allowed.
  let errors: [String]
  /// True if the card's data are changed, so that they may rightly be judged false.
  let changesData: Bool

  private init(
    _ name: String, _ plan: String, errors: [String] = [], changesData: Bool = false
  ) {
    self.name = name
    self.plan = plan
    self.errors = errors
    self.changesData = changesData
  }

  /// The faults of a reader, a service, an attacker on the wire and a broken chip.
  static let all = [
    FaultKind("removal", "card-removed", errors: ["channel-card-removed", "outcome-unknown"]),
    FaultKind("reset", "card-reset", errors: ["channel-card-reset", "outcome-unknown"]),
    FaultKind("mute", "card-mute", errors: ["channel-card-mute", "outcome-unknown"]),
    FaultKind(
      "service stopped", "service-stopped", errors: ["channel-service-stopped", "outcome-unknown"]),
    // After chip authentication a chip without the key produces a wrong MAC.
    FaultKind("wrong MAC", "wrong-mac", changesData: true),
    FaultKind("stale counter", "stale-counter", changesData: true),
    FaultKind("bare answer", "stripped-protection", changesData: true),
    FaultKind("bare 9000", "bare-status=9000", changesData: true),
    FaultKind("bare 63C1", "bare-status=63C1", changesData: true),
    FaultKind("bare 6A82", "bare-status=6A82"), FaultKind("6A82", "status=6A82"),
    FaultKind("6F00", "status=6F00"),
    FaultKind("9000 alone", "status=9000", changesData: true),
    FaultKind("cut to 1", "truncated-answer=1"), FaultKind("cut to 0", "truncated-answer=0"),
    FaultKind("cut by 1", "cut-data=1", changesData: true),
    FaultKind("cut by 20", "cut-data=20", changesData: true),
    FaultKind("lengthened by 1", "extra-data=1", changesData: true),
    FaultKind("lengthened by 300", "extra-data=300", changesData: true),
    FaultKind("length 00", "false-length=00", changesData: true),
    FaultKind("length 7F", "false-length=7F", changesData: true),
    FaultKind("length 84", "false-length=84", changesData: true),
    FaultKind("swapped card", "card-swapped", changesData: true),
    FaultKind("endless 61xx", "endless-61xx=1", changesData: true),
    FaultKind("endless empty 61xx", "endless-61xx=0", changesData: true),
    FaultKind("endless 6Cxx", "endless-6cxx"),
  ]

  func plan(at command: Int, beside other: String?) throws(FaultPlan.ParsingError) -> FaultPlan {
    try FaultPlan(parsing: "\(plan)@\(command)" + (other.map { ",\($0)" } ?? ""))
  }
}
