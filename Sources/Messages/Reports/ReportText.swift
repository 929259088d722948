public import CIECard

extension AuthenticityReport.Kind {
  /// What is to be proved, as a statement.
  public var text: Message {
    if case .dataGroup(let group) = self {
      return Message("point.hash-group", ["group": group.name.uppercased()])
    }
    return Message("point.\(word)")
  }
}

extension AuthenticityReport.Verdict {
  /// What came of it, in a word or two.
  public var text: Message { Message("verdict.\(word)") }
}

extension AuthenticityReport.Cloning {
  /// Whether the chip could be a clone, as a statement.
  public var text: Message { Message("cloning.\(word)") }
}

extension AuthenticityReport.Point {
  /// Why it is not proved, or what is to be said although it is.
  public var reason: ReportReason? { verdict.reason ?? remark?.reason }
}
