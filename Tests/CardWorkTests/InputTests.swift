import Arguments
import CardWork
import Primitives
import Testing

/// Inputs that are declared and read by the same lines.
@Suite struct InputTests {
  /// A command with the inputs of the sample.
  private struct Command: ParsableCommand {
    static let configuration = CommandConfiguration("brew", "")
    let slots = Brew.slots
  }

  private static func read(_ line: String) throws -> Brew {
    let words = line.split(separator: " ").map(String.init)
    guard case .command(let command as Command) = try Parser.parse(words, of: Command.self) else {
      throw TestProblem.noCommand
    }
    return try Brew(from: command.slots)
  }

  private enum TestProblem: Error { case noCommand }

  private static func request(_ text: String, chosen: [any Sendable] = []) throws -> Request {
    guard case .object(let list) = try JSONValue([UInt8](text.utf8)) else {
      throw TestProblem.noCommand
    }
    let members = Dictionary(uniqueKeysWithValues: list.map { ($0.name, $0.value) })
    return Request(members, chosen: chosen) { (name, role) throws(Failure) in
      guard name == "newPin" else { throw .code(.missing(role)) }
      return HeldCode(.toAsk(role))
    }
  }

  private func name(of failure: Failure?) -> [String]? {
    guard case .found(let diagnosis) = failure else { return nil }
    return [diagnosis.name, diagnosis.what.description]
  }

  @Test func `a command line gives every input its value`() throws {
    let brew = try Self.read(
      "--very-strong --leaf assam --sugar brown --sugar white --minutes 5 --spice sage --herbs a,b "
        + "--new-pin-file x --hot")
    #expect(brew.isStrong && brew.leaf == "assam" && brew.sugars == ["brown", "white"])
    #expect(brew.minutes == 5 && brew.spice == .sage && brew.herbs == ["a", "b"])
    #expect(brew.water.isHot && !brew.isAgreed)
    guard case .named(.newPIN, descriptor: nil, file: "x") = brew.code else {
      Issue.record("\(brew.code)")
      return
    }
  }

  @Test func `an input that is missing has its default`() throws {
    let brew = try Self.read("")
    #expect(!brew.isStrong && brew.leaf == nil && brew.sugars.isEmpty && brew.minutes == 3)
    #expect(brew.spice == nil && brew.herbs == nil && !brew.water.isHot)
  }

  @Test func `a request gives those with a note, and no others`() throws {
    let brew = try Brew(
      from: Self.request(
        """
        {"veryStrong": true, "leaf": "hay", "sugar": ["brown"], "minutes": 5, "spice": "mint", \
        "herbs": ["a"], "hot": true, "isAgreed": true}
        """))
    #expect(brew.isStrong && brew.sugars == ["brown"] && brew.spice == .mint)
    #expect(brew.herbs == ["a"] && brew.water.isHot && brew.isAgreed)
    #expect(brew.leaf == nil && brew.minutes == 3)
    guard case .given = brew.code else {
      Issue.record("\(brew.code)")
      return
    }
  }

  @Test func `the operator's choice goes before a request`() throws {
    let brew = try Brew(
      from: Self.request(#"{"hot": true}"#, chosen: [Water(litres: 7, isHot: false)]))
    #expect(brew.water.litres == 7 && !brew.water.isHot)
  }

  @Test(arguments: [
    #"{"veryStrong": 1}"#, #"{"sugar": "brown"}"#, #"{"sugar": [1]}"#, #"{"spice": "salt"}"#,
    #"{"herbs": "a"}"#, #"{"hot": null}"#, #"{"isAgreed": "yes"}"#,
  ])
  func `a member of another type is refused`(_ text: String) throws {
    let request = try Self.request(text)
    let failure = #expect(throws: Failure.self) { try Brew(from: request) }
    #expect(name(of: failure)?.first == "bad-member")
  }

  @Test func `an error names the input as its author wrote it`() throws {
    func argument(_ failure: Failure?) -> String? {
      guard case .found(let diagnosis) = failure else { return nil }
      return diagnosis.what.arguments["option"]?.description
    }
    let line = #expect(throws: Failure.self) { try Self.read("--herbs nettle") }
    #expect(argument(line) == "--herbs")
    let request = try Self.request(#"{"herbs": ["nettle"]}"#)
    let member = #expect(throws: Failure.self) { try Brew(from: request) }
    #expect(argument(member) == "herbs")
  }

  @Test func `arguments have the order of the lines, and their groups`() {
    #expect(
      Command.declarations.map(\.spelling) == [
        "--very-strong", "--leaf", "--sugar", "--minutes", "--spice", "--herbs", "--new-pin-fd",
        "--new-pin-file", "--hot",
      ])
    #expect(
      Command.declarations.map(\.group) == [
        nil, nil, nil, nil, nil, nil, "codes", "codes", "water",
      ])
  }

  @Test func `arguments that were given are noted as they are typed`() throws {
    let brew = try Self.read("--herbs a --very-strong --new-pin-fd 3")
    #expect(brew.given == ["--very-strong", "--herbs", "--new-pin-fd"])
  }

  @Test func `a group has a title`() throws {
    struct Lid: Readable {
      let isOn: Bool?
      init(from inputs: inout Inputs) throws(Failure) {
        isOn = try inputs.group("pot") { (inputs) throws(Failure) in
          try inputs.choice("lid", help: "h")
        }
      }
    }
    let slots = Lid.slots
    #expect(slots.map(\.declaration.group) == ["pot"])
    #expect(slots.map(\.declaration.contrary) == ["no-lid"])
  }
}
