import CardWork
import Messages
import Primitives
import Testing

/// The descriptions that follow from a function.
@Suite struct DescriptionTests {
  @Test func `the members of a result are its JSON`() {
    let result = Brew.Result(leaf: nil, water: Water(litres: 2, isHot: true), spice: .mint)
    #expect(
      result.json(.english).text
        == #"{"leaf":null,"done":"brewed","litres":2,"hot":true,"spice":"mint","#
        + #""waters":[{"litres":2,"hot":true}],"maybe":null}"#)
    let plain = Brew.Result(leaf: "assam", water: Water(), spice: nil)
    #expect(
      plain.json(.english).text
        == #"{"leaf":"assam","done":"brewed","litres":1,"hot":false,"#
        + #""waters":[{"litres":1,"hot":false}],"maybe":null}"#)
  }

  @Test func `the schema of an answer requires what is always there`() {
    let expected = [
      ##"{"if":{"properties":{"ok":{"const":true}}},"##,
      ##""then":{"required":["leaf","done","litres","hot","waters","maybe"]},"properties":{"##,
      ##""leaf":{"type":["string","null"],"description":"The leaf."},"##,
      ##""done":{"const":"brewed"},"litres":{"type":"integer","minimum":0},"##,
      ##""hot":{"type":"boolean"},"spice":{"$ref":"#/$defs/spice"},"##,
      ##""waters":{"type":"array","items":{"$ref":"#/$defs/water"}},"##,
      ##""maybe":{"anyOf":[{"$ref":"#/$defs/water"},{"type":"null"}]},"##,
      ##""steam":{"enum":["white"]}}}"##,
    ]
    #expect(Brew.answerSchema.json.text == expected.joined())
  }

  @Test func `what a schema names is described beside it, once`() {
    guard
      case .object(let parts) = Descriptions.json(of: [Brew.self], served: [Brew.self], others: []),
      case .object(let definitions)? = parts.first?.value
    else {
      Issue.record("no object")
      return
    }
    #expect(definitions.map(\.name) == ["tea-brew", "spice", "water"])
    #expect(definitions[1].value.text == #"{"enum":["mint","sage"]}"#)
  }

  @Test func `a request has the members with a note`() throws {
    #expect(
      Brew.requestMembers.map { $0.name + " " + $0.schema.json.text } == [
        #"veryStrong {"type":"boolean","default":false,"description":"Strong."}"#,
        #"sugar {"type":"array","items":{"type":"string"},"description":"Sugars."}"#,
        #"spice {"type":"string","enum":["mint","sage"],"description":"A spice."}"#,
        #"herbs {"type":"array","items":{"type":"string"},"description":"Herbs."}"#,
        #"newPin {"type":"string","pattern":"^[0-9]{8}$","writeOnly":true,"description":"The code."}"#,
        #"hot {"type":"boolean","default":false,"description":"Hot."}"#,
        #"isAgreed {"type":"boolean","description":"Agreed."}"#,
      ])
    let path = try #require(Brew.path?.text)
    #expect(path.includes(#""operationId":"teaBrew","summary":"Makes tea.""#))
    #expect(path.includes(#""required":true"#) && path.includes(#""required":["herbs"]"#))
    #expect(!path.includes("502"))
  }

  @Test(arguments: [
    (Schema.text, #"{"type":["string","null"]}"#),
    (.words(["a"]), #"{"enum":["a",null]}"#),
    (.list(of: .flag), #"{"anyOf":[{"type":"array","items":{"type":"boolean"}},{"type":"null"}]}"#),
    (.count.noted("n"), #"{"type":["integer","null"],"minimum":0,"description":"n"}"#),
  ])
  func `any schema may have null`(_ schema: Schema, _ text: String) {
    #expect(schema.orNull.json.text == text)
  }
}
