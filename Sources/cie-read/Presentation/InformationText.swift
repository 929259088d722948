import CIECard
import CardWork
import Messages
import Primitives

extension CardInformation: Presentable {
  func lines(_ language: Language) -> [String] {
    var rows = [
      (Message("label.chip"), family.text(language)), (Message("label.atr"), atr.hexadecimal),
    ]
    if let applications {
      let names = applications.map { $0.text(language) }
      rows.append((Message("label.applications"), names.joined(separator: ", ")))
    }
    if let number { rows.append((Message("label.nis"), number.description)) }
    switch tries {
    case .reported(let pin, let puk):
      for (name, left) in [("PIN", pin), ("PUK", puk)] {
        if let left { rows.append((Message("label.tries", ["name": name]), "\(left)")) }
      }
    case .refused(let error):
      let reason = Message("info.not-told", ["reason": Diagnosis(error).what])
      rows.append((Message("label.all-tries"), reason(language)))
    case nil: break
    }
    return (summary.map { [$0(language)] } ?? []) + rows.map { $0.0.row($0.1, language) }
  }

  /// One sentence about a CIE; `nil` for another card, whose failure says it.
  private var summary: Message? {
    guard failure == nil else { return nil }
    guard case .reported(let pin?, _) = tries else { return Message("info.card") }
    return Message(pin == 0 ? "info.card-blocked" : "info.card-tries", ["count": pin])
  }

  func members(_ language: Language) -> [JSON.Member] {
    var members: [JSON.Member] = [
      .init("family", family.rawValue), .init("atr", atr.hexadecimal),
    ]
    if let applications {
      members.append(
        .init("applications", .array(applications.map { .string($0.rawValue) })))
    }
    if let number { members.append(.init("servicesNumber", number.description)) }
    guard let tries else { return members }
    let (pin, puk, refusal): (Int?, Int?, JSON) =
      switch tries {
      case .reported(let pin, let puk): (pin, puk, .null)
      case .refused(let error): (nil, nil, Diagnosis(error).json(language))
      }
    return members + [
      .init("pinTriesLeft", pin), .init("pukTriesLeft", puk), .init("triesRefusal", refusal),
    ]
  }
}
