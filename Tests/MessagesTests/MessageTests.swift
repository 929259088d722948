import CIECard
import RedirectFlow
import SignIn
import Testing

@testable import Messages

/// The texts made from a row of the table.
@Suite struct MessageTests {
  private let italian = Language(locale: "it_IT.UTF-8")

  /// As the schema of --json says.
  @Test(arguments: OpenIDRefusal.allCases)
  func `the name of a provider's refusal has hyphens alone`(_ refusal: OpenIDRefusal) {
    let name = Diagnosis(SignInError(.openID(.refused(refusal)))).name
    #expect(name.wholeMatch(of: /[a-z0-9]+(-[a-z0-9]+)*/) != nil, "\(name)")
  }

  @Test func languagesAreThoseOfTheTable() {
    #expect(italian.rawValue == "it")
    #expect(Language(locale: "tlh") == .english && Language(locale: nil) == .english)
    #expect(Language(rawValue: "tlh") == nil)
  }

  /// The language is the whole part before the territory, the character set and the modifier.
  @Test(arguments: [
    ("de_AT.UTF-8", "de"), ("fr_CH", "fr"), ("sl_SI.UTF-8@euro", "sl"), ("it", "it"),
    ("de@euro", "de"),
    ("frr_DE", "en"), ("slr_CN", "en"), ("den_CA", "en"), ("C", "en"), ("POSIX", "en"), ("", "en"),
    ("C.UTF-8", "en"), ("_IT", "en"),
  ])
  func aLocaleNamesItsLanguage(_ locale: String, _ code: String) {
    #expect(Language(locale: locale).rawValue == code)
  }

  @Test func aMissingRowShowsItsKey() {
    #expect(Message("no-such-row", ["name": "x"])(italian) == "no-such-row")
  }

  /// It has the form that its count has in English.
  @Test func aRowThatIsNotTranslatedIsEnglish() throws {
    let row = """
      planted
        it: {count} prove
        en one: one trial
        en: {count} trials
      """
    let slovene = try #require(Language(rawValue: "sl"))
    [UInt8](row.utf8).withUnsafeBytes { bytes in
      let table = MessageTable(TableLines(bytes))
      #expect(table.text(of: "planted", in: slovene) == "{count} trials")
      #expect(table.text(of: "planted", in: slovene, count: 1) == "one trial")
      #expect(table.text(of: "planted", in: slovene, count: 2) == "{count} trials")
      #expect(table.text(of: "planted", in: italian, count: 1) == "{count} prove")
      #expect(table.text(of: "absent", in: slovene) == nil)
    }
  }

  @Test func placeholdersAreFilled() {
    let message = Message("host-unknown", ["host": "{host} and {name}"])
    #expect(message(.english).contains("{host} and {name}"))
    #expect(Message("host-unknown")(italian).contains("{host}"))
    let nested = Message("slow-access.do", ["advice": Message("lost.do")])
    #expect(nested(italian).hasSuffix(Message("lost.do")(italian)))
  }

  @Test func numbersChooseTheirForm() {
    let one = Message("wrong-code-tries", ["code": "PIN", "count": 1])
    let two = Message("wrong-code-tries", ["code": "PIN", "count": 2])
    #expect(one(.english) == "The PIN is wrong: one try is left.")
    #expect(two(.english) == "The PIN is wrong: 2 tries are left.")
    #expect(two(italian) == "Il PIN è errato: restano 2 tentativi.")
  }

  @Test func aLongTextIsOneLine() {
    let text = Message("exit.10")(.english)
    #expect(!text.contains("\n") && !text.contains("  "))
  }

  /// An integrator gets words without the options of a program that is absent.
  @Test func whatAProgramAddsIsForThatProgram() {
    let advice = Diagnosis(ChannelError.noCard).advice
    #expect(!advice(.english).contains("--wait"))
    #expect(advice.asTold(by: "cie-read")(.english).contains("--wait"))
    #expect(advice.asTold(by: "other")(.english) == advice(.english))
  }

  @Test func errorsOfBothLibrariesHaveWords() {
    let login = Diagnosis(LoginError(.consentDenied))
    #expect(login.kind == .serverRefused && login.name == "consent-denied")
    #expect(!login.advice(.english).contains("--"))
    #expect(Diagnosis(LoginError(.card(CardError(.verifyPIN, .blocked(.pin))))).kind == .blocked)
  }
}
