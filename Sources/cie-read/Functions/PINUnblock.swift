import CardWork
import Messages

/// `pin unblock`: sets a new PIN by means of the PUK.
struct PINUnblock: CardFunction {
  static let name = "pin unblock"
  static let served: Served? = Served("Sets a new PIN by means of the PUK.", answer: "It is set.")

  let puk: CodeInput
  let newPIN: CodeInput
  let holder: HolderChoice

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    context.purpose.add(Message("pinentry.unblock")(context.language))
    var puk = try puk.code(in: context)
    var new = try newPIN.code(in: context)
    let access = try holder.access(in: context)
    try card.perform(in: context) { (card, random, context) throws(Failure) in
      try card.unblockPIN(with: &puk, settingTo: &new, access, random: &random, in: context)
    }
    return Result()
  }
}

extension PINUnblock {
  init(from inputs: inout Inputs) throws(Failure) {
    puk = try inputs.code(.puk, http: "The PUK, where `pinEntry` of the status is `page`.")
    newPIN = try inputs.code(.newPIN, http: .newPIN)
    holder = try inputs.part()
  }

  struct Result: FunctionResult {
    static let members: [Member<Result>] = [Member("pin", always: "unblocked")]

    func lines(_ language: Language) -> [String] { [Message("pin.unblocked")(language)] }
  }
}
