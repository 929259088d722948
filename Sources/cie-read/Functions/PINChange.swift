import CardWork
import Messages

/// `pin change`: replaces the old PIN by a new one.
struct PINChange: CardFunction {
  static let name = "pin change"
  static let served: Served? = Served("Replaces the PIN.", answer: "It is replaced.")

  let pin: CodeInput
  let newPIN: CodeInput
  let holder: HolderChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    context.purpose.add(Message("pinentry.change")(context.language))
    var old = try pin.code(in: context)
    var new = try newPIN.code(in: context)
    let access = try holder.access(in: context)
    try card.perform(in: context) { (card, random, context) throws(Failure) in
      try card.changePIN(from: &old, to: &new, access, random: &random, in: context)
    }
    return Result()
  }
}

extension PINChange {
  init(from inputs: inout Inputs) throws(Failure) {
    pin = try inputs.code(.pin, http: .pin)
    newPIN = try inputs.code(.newPIN, http: .newPIN)
    holder = try inputs.part()
  }

  struct Result: FunctionResult {
    static let members: [Member<Result>] = [Member("pin", always: "changed")]

    func lines(_ language: Language) -> [String] { [Message("pin.changed")(language)] }
  }
}
