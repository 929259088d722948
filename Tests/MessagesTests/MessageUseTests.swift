import Foundation
import TestSupport
import Testing

/// The code and the table know the same messages.
///
/// A message is named at its use, as a literal; an interpolated name (`step.\(rawValue)`) stands for all matching rows.
@Suite struct MessageUseTests {
  private let table: Table
  private let calls: [MessageCall]
  private let page: PageNames
  private static let allCalls = Result {
    let modules = [
      "CIECard", "DocumentSigning", "Web", "RedirectFlow", "SignIn", "Traces", "VirtualCIE",
    ]
    .map { "\($0)/Diagnoses" }
    let others = [
      "Primitives/Messages", "Arguments", "Pictures", "DocumentSigning/Revocation", "CardWork",
      "Accounts", "cie-read",
    ]
    return try (modules + others).flatMap { try MessageCall.all(in: "Sources/\($0)") }
  }

  init() throws {
    table = try Table.whole.get()
    page = try PageNames()
    calls = try Self.allCalls.get()
  }

  @Test func everyMessageThatIsUsedIsThere() {
    #expect(calls.count > 300)
    for call in calls {
      for key in call.keys {
        #expect(table.rows.keys.contains { key.fits($0) }, "\(call.text)")
      }
    }
  }

  @Test func everyWordOfThePageIsThere() {
    #expect(page.words.count > 80)
    for name in page.words { #expect(table.rows.keys.contains { page.means(name, $0) }, "\(name)") }
  }

  @Test func everyPlaceholderIsFilledAndNothingElseIsGiven() {
    for call in calls {
      guard let names = call.names else { continue }
      for key in call.keys where key.isWhole {
        let family = call.isError || call.isCommand ? table.family(of: key.text) : [key.text]
        let wanted = family.reduce(into: Set<String>()) {
          $0.formUnion(table.placeholders(of: $1))
        }
        // `count` may choose among forms without being shown.
        #expect(wanted.union(["count"]) == names.union(["count"]), "\(call.text)")
      }
    }
  }

  @Test func everyErrorSaysWhatToDo() {
    for call in calls where call.isError && !call.hasAdvice {
      for key in call.keys where key.isWhole {
        #expect(table.rows["\(key.text).do"] != nil, "\(call.text)")
      }
    }
  }

  @Test func noRowIsUnused() {
    let keys = calls.flatMap(\.keys)
    for row in table.rows.keys where !Table.rules.contains(row) {
      let name = row.prefix { $0 != "@" }
      let base = name.replacing(/\.(do|more)$/, with: "")
      let isUsed = keys.contains { $0.fits(String(name)) || $0.fits(String(base)) }
      #expect(isUsed || page.texts.contains { page.means($0, row) }, "\(row)")
    }
  }
}
