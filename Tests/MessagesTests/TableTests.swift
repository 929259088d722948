import CIECard
import Foundation
import TestSupport
import Testing

/// Every message exists in Italian and English; in each of its languages it has all forms, and the same placeholders.
@Suite struct TableTests {
  private let table: Table

  init() throws { table = try Table.whole.get() }

  @Test func everyFileHasItsForm() {
    #expect(table.complaints.isEmpty, "\(table.complaints)")
  }

  /// The formats of a language have no substitute; another row that is not translated yet is shown in English
  /// (`tools/check untranslated`).
  @Test func everyRowIsInTheLanguagesThatItNeeds() {
    #expect(table.languages.isSuperset(of: ["it", "en", "de", "fr", "sl"]))
    for (key, texts) in table.rows {
      let languages = Set(texts.keys.map { String($0.prefix { $0 != " " }) })
      let needed = Table.rules.contains(key) ? table.languages : ["it", "en"]
      #expect(languages.isSuperset(of: needed), "\(key)")
      #expect(languages.isSubset(of: table.languages), "\(key)")
      // A form for a number is beside the one for all others.
      for language in languages { #expect(texts[language] != nil, "\(key)") }
    }
  }

  /// A row with a count has in each language the language's forms; the other rows have no forms.
  @Test func everyCountHasItsForms() {
    for (key, texts) in table.rows {
      let isCounted = texts.contains { head, text in
        head.contains(" ") || Table.placeholders(of: text).contains("count")
      }
      for language in table.languages where texts[language] != nil {
        let forms = texts.keys.filter { $0.hasPrefix(language + " ") }
          .map { String($0.dropFirst(language.count + 1)) }
        let wanted = isCounted ? table.forms(in: language).keys.sorted() : []
        #expect(forms.sorted() == wanted, "\(key), \(language)")
      }
    }
  }

  /// "One try" may replace the number only if that form is for one number alone: in Slovene it is for 101, too.
  @Test func aFormForSeveralNumbersShowsTheNumber() {
    for (key, texts) in table.rows {
      for (head, text) in texts where head.contains(" ") {
        let words = head.split(separator: " ").map(String.init)
        let rule = table.forms(in: words[0])[words[1]] ?? ""
        guard rule.contains("%") || rule.contains("..") || rule.contains(",") else { continue }
        #expect(Table.placeholders(of: text).contains("count"), "\(key), \(head)")
      }
    }
  }

  @Test func everyLanguageHasTheSamePlaceholders() {
    for (key, texts) in table.rows {
      let names = table.placeholders(of: key)
      for (head, text) in texts {
        let expected = head.contains(" ") ? names.subtracting(["count"]) : names
        #expect(
          Table.placeholders(of: text).union(["count"]) == expected.union(["count"]),
          "\(key), \(head)")
      }
    }
  }

  /// A program's replacement is beside the general row, which does not mention its options.
  @Test func whatAProgramSaysIsApart() {
    for key in table.rows.keys where key.contains("@") {
      #expect(table.rows[String(key.prefix { $0 != "@" })] != nil, "\(key)")
    }
  }

  @Test func everyFileIsEmbedded() throws {
    let source = try String(
      contentsOf: Repository.url("Sources/C/CMessages/messages.c"), encoding: .utf8)
    let embedded = source.matches(of: /#embed "(tables|translations)\/(.*)\.txt"/).map {
      "\($0.1)/\($0.2).txt"
    }
    let files =
      try Table.files(in: Table.folder).map { "tables/\($0)" }
      + Table.files(in: Table.translations).map { "translations/\($0)" }
    #expect(embedded.sorted() == files.sorted())
  }

  /// Rows whose keys are made of a name from the card's side.
  @Test func everyNameHasItsRow() {
    let names =
      CardError.Step.allCases.map { "step.\($0.rawValue)" }
      + ChipFamily.allCases.map { "chip.\($0.rawValue)" }
      + CardApplication.allCases.map { "application.\($0.rawValue)" }
      + AccessCode.Kind.allCases.flatMap {
        ["access.\($0.rawValue)", "wrong-access.\($0.rawValue).do"]
      }
    for name in names { #expect(table.rows[name] != nil, "\(name)") }
  }
}
