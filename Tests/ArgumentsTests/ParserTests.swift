import Testing

@testable import Arguments

/// Command lines taken apart.
@Suite struct ParserTests {
  @Test(arguments: [
    "cook --cooking-time 20 --with salt rice --with=pepper --lid beans peas",
    "cook rice beans --with salt --with pepper --no-lid --lid --cooking-time=20 -- peas",
  ])
  func `values are found wherever they stand`(_ line: String) throws {
    let cook: Cook = try #require(try Parser.command(line))
    #expect(cook.dish == "rice" && cook.sides == ["beans", "peas"] && cook.cookingTime == 20)
    #expect(cook.spices == ["salt", "pepper"] && cook.lid == true && cook.recipe == nil)
  }

  @Test func `arguments that are not given have their defaults`() throws {
    let cook: Cook = try #require(try Parser.command("cook rice"))
    #expect(cook.cookingTime == 10 && cook.spices.isEmpty && cook.lid == nil)
    #expect(!cook.shared.verbose && cook.shared.stove == nil)
  }

  /// POSIX, XBD §12.2, guidelines 10, 13 and 14; a negative number is a value, too.
  @Test func `a hyphen, a number and what stands behind two hyphens are values`() throws {
    let cook: Cook = try #require(
      try Parser.command("cook - --cooking-time -5 -7 --with= -- --lid"))
    #expect(cook.dish == "-" && cook.cookingTime == -5 && cook.sides == ["-7", "--lid"])
    #expect(cook.spices == [""] && cook.lid == nil)
  }

  @Test func `options of the program stand before the command as well`() throws {
    for line in ["--verbose --stove=high cook rice", "cook --stove high rice --verbose"] {
      let cook: Cook = try #require(try Parser.command(line))
      #expect(cook.shared.verbose && cook.shared.stove == .high)
    }
    let freeze: Freeze = try #require(try Parser.command("--verbose store freeze x"))
    #expect(freeze.verbose)
    #expect(
      Parser.problem("--oven store freeze x".words)
        == .unknownOption("--oven", similar: nil))
  }

  @Test func `an option that decides a verdict is given once`() {
    for line in [
      "taste --salt 1 --salt 1", "taste --salt=1 --pepper 2 --salt", "taste --salt 1 --salt x",
    ] {
      #expect(Parser.problem(line.words) == .repeatedOption("--salt"))
    }
    #expect(Parser.problem("taste --salt 1 --pepper 2".words) == nil)
  }

  @Test func `a value may be left out where the declaration has one`() throws {
    let oven: Cook = try #require(try Parser.command("--oven cook --stove --verbose rice"))
    #expect(oven.shared.oven == 200 && oven.shared.stove == .low)
    let dish: Cook = try #require(try Parser.command("cook --oven rice"))
    #expect(dish.shared.oven == 200 && dish.dish == "rice")
  }

  @Test func `a command may take all words behind its first`() throws {
    let freeze: Freeze = try #require(try Parser.command("store freeze --verbose ice --help -- -x"))
    #expect(freeze.verbose && freeze.words == ["ice", "--help", "--", "-x"])
  }

  @Test(
    arguments: [
      ("cook rice --ild", .unknownOption("--ild", similar: "--lid")),
      ("cook rice --verbos", .unknownOption("--verbos", similar: "--verbose")),
      ("cook rice --refrigerator=1", .unknownOption("--refrigerator", similar: nil)),
      ("cook rice --pin12345678", .unknownOption(nil, similar: nil)),
      ("cook rice -x", .unknownOption(nil, similar: nil)),
      ("cook rice --recipe", .missingValue(option: "--recipe")),
      ("cook rice --recipe --lid", .missingValue(option: "--recipe")),
      ("cook rice --cooking-time long", .badValue(option: "--cooking-time", word: "long")),
      ("cook --stove rice", .badValue(option: "--stove", word: "rice", choices: ["low", "high"])),
      ("cook --oven=hot rice", .badValue(option: "--oven", word: "hot")),
      ("--oven hot cook rice", .badValue(option: "--oven", word: "hot")),
      ("cook rice --lid=yes", .valueOfFlag), ("cook", .missingArgument),
      ("hidden word", .unexpectedWord), ("", .missingCommand(given: [])),
      ("--oven --verbose store", .missingCommand(given: ["oven", "verbose"])),
      ("wash", .unknownCommand("wash", similar: nil)),
      ("store wash", .unknownCommand("wash", similar: nil)),
      ("cok", .unknownCommand("cok", similar: "cook")),
      ("store frieze", .unknownCommand("frieze", similar: "freeze")),
      ("12345678", .unknownCommand(nil, similar: nil)),
    ] as [(String, ParsingError.Reason)])
  func `a line that is wrong is refused for its reason`(
    _ line: String, _ reason: ParsingError.Reason
  ) {
    #expect(Parser.problem(line.words) == reason)
  }

  @Test(arguments: ["cook --help", "--help cook", "cook --lid=yes -h", "-h --sall cook --version"])
  func `help goes before everything else`(_ line: String) throws {
    guard case .help(let path) = try Parser.parse(line.words, of: Kitchen.self) else {
      Issue.record("no help")
      return
    }
    #expect(path.first == Kitchen.self)
  }

  @Test(arguments: ["--version", "cook --version"])
  func `the version needs no command`(_ line: String) throws {
    guard case .version = try Parser.parse(line.words, of: Kitchen.self) else {
      Issue.record("no version")
      return
    }
  }

  @Test func `declarations say what the help shows`() throws {
    let declarations = Cook.declarations
    #expect(
      declarations.map(\.spelling) == [
        "dish", "sides", "--cooking-time", "--with", "--recipe", "--lid", "--verbose", "--stove",
        "--oven",
      ])
    #expect(declarations.map(\.isRequired) == [true] + Array(repeating: false, count: 8))
    #expect(declarations[2].fallback == "10" && declarations[5].contrary == "no-lid")
    #expect(declarations[7].values == ["low", "high"] && declarations[7].bareValue == "low")
    #expect(Kitchen.declarations.allSatisfy { $0.isHidden })
    #expect(Kitchen.listedSubcommands.map(\.name) == ["cook", "store"])
  }
}
