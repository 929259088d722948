import Foundation
import TestSupport
import Testing

/// The names that an integrator sees. Each one more is a promise: add it here when it is meant.
@Suite struct FrontDoorTests {
  private static let names: Set<String> = [
    "AppAccess", "AppInvitation", "CertificatePresentation", "ConsentRequest", "EnvironmentError",
    "LoggedIn", "LoginCard", "LoginConfiguration", "LoginDelegate", "LoginEnvironment",
    "LoginEvent", "LoginFailure", "LoginOutcome", "LoginParticipant", "LoginSession", "QRCode",
    "RedirectURL", "SAMLAttribute", "URLOrigin", "URLProblem", "UntrustedText",
  ]

  @Test func showsTheseNamesAlone() throws {
    let folder = Repository.url("Sources/RedirectFlow")
    let files = try #require(
      FileManager.default.enumerator(at: folder, includingPropertiesForKeys: nil))
    let declaration =
      /public (?:final |indirect )?(?:struct|class|enum|protocol|actor|typealias) (\w+)/
    var found: Set<String> = []
    for case let file as URL in files where file.pathExtension == "swift" {
      let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
      found.formUnion(lines.compactMap { $0.prefixMatch(of: declaration).map { String($0.1) } })
    }
    #expect(found == Self.names)
  }
}
