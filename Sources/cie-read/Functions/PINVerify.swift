import CardWork
import Messages

/// `pin verify`: checks the PIN. A wrong one costs a try.
struct PINVerify: CardFunction {
  static let name = "pin verify"

  let pin: CodeInput
  let holder: HolderChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    context.purpose.add(Message("pinentry.verify")(context.language))
    var pin = try pin.code(in: context)
    let access = try holder.access(in: context)
    try card.perform(in: context) { (card, random, context) throws(Failure) in
      _ = try card.verified(with: &pin, access, random: &random, in: context)
    }
    return Result()
  }
}

extension PINVerify {
  init(from inputs: inout Inputs) throws(Failure) {
    pin = try inputs.code(.pin)
    holder = try inputs.part()
  }

  struct Result: FunctionResult {
    static let members: [Member<Result>] = [Member("pin", always: "verified")]

    func lines(_ language: Language) -> [String] { [Message("pin.verified")(language)] }
  }
}
