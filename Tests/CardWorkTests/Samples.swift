import Arguments
import CardWork
import Messages
import Primitives

/// A function with an input of each kind.
struct Brew: CardFunction {
  static let name = "tea brew"
  static let served: Served? = Served("Makes tea.", answer: "The tea.")

  let isStrong: Bool
  let leaf: String?
  let sugars: [String]
  let minutes: Int
  let spice: Spice?
  let herbs: [String]?
  let code: CodeInput
  let water: Water
  let isAgreed: Bool
  let given: [String]

  func run(on card: Conversation, in context: RunContext) throws(Failure) -> Result {
    Result(leaf: leaf, water: water, spice: spice)
  }
}

extension Brew {
  init(from inputs: inout Inputs) throws(Failure) {
    isStrong = try inputs.flag("very-strong", help: "a", http: "Strong.")
    leaf = try inputs.text("leaf", help: "b", value: "name") {
      (text, name) throws(Failure) in
      guard text != "hay" else { throw .usage("bad-leaf", ["option": name]) }
      return text
    }
    sugars = try inputs.texts("sugar", help: "c", value: "kind", http: "Sugars.")
    minutes = try inputs.option("minutes", default: 3, help: "d", value: "count")
    spice = try inputs.option("spice", help: "e", value: "name", http: "A spice.")
    herbs = try inputs.words(
      "herbs", help: "f", value: "names", http: Offer("Herbs.", isRequired: true)
    ) {
      (words, name) throws(Failure) in
      guard !words.contains("nettle") else { throw .usage("bad-herb", ["option": name]) }
      return words
    }
    code = try inputs.code(.newPIN, http: "The code.")
    water = try inputs.part()
    isAgreed = try inputs.requestFlag("is-agreed", "Agreed.") ?? false
    given = inputs.given
  }

  struct Result: FunctionResult {
    let leaf: String?
    let water: Water
    let spice: Spice?

    static let members: [Member<Result>] =
      [Member("leaf", \.leaf, note: "The leaf."), Member("done", always: "brewed")]
      + Member.all(of: \.water)
      + [
        Member.whenPresent("spice", \.spice), Member("waters") { [$0.water] },
        Member("maybe") { _ in nil as Water? },
      ]

    func lines(_ language: Language) -> [String] { [] }
  }
}

enum Spice: String, CaseIterable, ArgumentValue, DescribedWord {
  case mint, sage

  static let definition: String? = "spice"
}

struct Water: Readable, DescribedObject {
  static let title: String? = "water"
  static let definition: String? = "water"

  var litres = 1
  var isHot = false

  static let members: [Member<Water>] = [Member("litres", \.litres), Member("hot", \.isHot)]
}

extension Water {
  init(from inputs: inout Inputs) throws(Failure) {
    isHot = try inputs.flag("hot", help: "g", http: "Hot.")
    inputs.adds(Notice("steam", .words(["white"])))
  }
}
