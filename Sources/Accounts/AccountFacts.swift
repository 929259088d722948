package import CardWork
package import Messages
import Primitives
package import SignIn

/// The account of the person who is signed in, without a token.
package struct AccountFacts: DescribedObject {
  let account: Account

  package init(account: Account) { self.account = account }

  package static let members: [Member<AccountFacts>] = [
    Member("service", \.account.service),
    Member("method", \.account.method).of {
      .named("method") {
        .words(SignInMethod.allCases.map(\.rawValue)).noted("The way in that was taken.")
      }
    },
    Member("since", \.account.begun), Member("expires", \.account.expires),
    Member("claims") { Names($0.account.claims.all.map(\.name)) },
  ]
}

/// The person's data as the provider sent them: under the names of the SPID kit, and under the provider's own.
package struct ClaimFacts: DescribedObject {
  let claims: AccountClaims

  package init(claims: AccountClaims) { self.claims = claims }

  package static let members: [Member<ClaimFacts>] = [
    Member("fields") { Fields(claims: $0.claims) },
    Member("claimValues") { $0.claims.all.map(ClaimValue.init) }.of {
      .named("claim-values") {
        ClaimValue.listSchema.noted("All that the provider told, under its own names.")
      }
    },
  ]

  /// Text for people, a line for each claim.
  package func lines(_ language: Language) -> [String] {
    claims.all.map {
      let value = $0.values.joined(separator: ", ")
      return "  " + Message("labelled", ["label": $0.name, "value": value])(language)
    }
  }
}

private struct Fields: DescribedObject {
  let claims: AccountClaims

  static let definition: String? = "fields"
  static let note: String? =
    "The person's data under the names of the SPID kit; null for what nobody tells."
  static let members: [Member<Fields>] = AccountField.allCases.map { field in
    Member(field.rawValue) { $0.claims[field] }
  }
}

private struct ClaimValue: DescribedObject {
  let claim: AccountClaims.Claim

  static var listSchema: Schema { .list(of: schema) }
  static let members: [Member<ClaimValue>] = [
    Member("name", \.claim.name), Member("values") { Names($0.claim.values) },
  ]
}

/// Texts in an array.
struct Names: Described {
  static var schema: Schema { .named("names") { .list(of: .text) } }
  private let names: [String]

  init(_ names: [String]) { self.names = names }

  func json(_ language: Language) -> JSON { names.json(language) }
}

/// The state of this machine: signed in at a service, or not.
package enum SignInStanding: String, CaseIterable, DescribedWord {
  case signedOut = "signed-out"
  case signedIn = "signed-in"

  package static let definition: String? = "state"
  package static let note: String? = "Whether somebody is signed in."
}
