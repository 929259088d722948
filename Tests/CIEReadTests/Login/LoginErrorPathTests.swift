import CIECard
import CardWork
import RedirectFlow
import Synchronization
import TestSupport
import Testing
import VirtualCIE

@testable import cie_read

/// The types through which an error of the card passes while a login signs.
extension LoginTests {
  @Test(arguments: ["client-certificate", "signed-challenge"])
  func `an error of the card is a login's, then the program's`(_ method: String) async throws {
    let sandbox = try LoginSandbox.fresh()
    let path = ErrorPath()
    let card = PlantedCard(
      key: PlantedKey(
        certificate: try Certificate(der: Persona.gemalto.certificate),
        error: CardError(.sign, .signatureFalse), path: path))
    let environment = try LoginEnvironment(file: try sandbox.environment(method))
    let session = LoginSession(
      LoginConfiguration(environment), card: LoginCard(card), person: Agreeing())
    let link = try sandbox.cardLink()
    let error = try await #require(throws: LoginError.self) { try await session.complete(link) }
    path.note(error)
    let failure = Failure(error)
    path.note(failure)
    #expect(path.types == ["CardError", "LoginError", "Failure"])
    guard case .card(card.key.error) = failure else {
      Issue.record("\(failure)")
      return
    }
  }

  /// A failure of the program's own part passes through a login unchanged.
  @Test func `an error of the person's part comes back as it was`() async throws {
    let sandbox = try LoginSandbox.fresh()
    let environment = try LoginEnvironment(file: try sandbox.environment("client-certificate"))
    let session = LoginSession(
      LoginConfiguration(environment), card: .reader { _ in nil }, person: Leaving())
    let link = try sandbox.cardLink()
    let end = await #expect(throws: LoginError.self) { try await session.complete(link) }
    guard let end, case .cancelled = end.reason, case .deadline(7) = Failure(end) else {
      Issue.record("\(String(describing: end))")
      return
    }
  }
}

/// The types of the errors at each border, a type after itself once.
private final class ErrorPath: Sendable {
  private let noted = Mutex([String]())

  var types: [String] { noted.withLock { $0 } }

  func note(_ error: some Error) {
    let type = String(describing: type(of: error))
    noted.withLock { if $0.last != type { $0.append(type) } }
  }
}

/// A key that fails when it is to sign.
private struct PlantedKey: LoginKey {
  let certificate: Certificate
  let error: CardError
  let path: ErrorPath

  func sign(_ digest: Digest) throws(CardError) -> SignedAssertion {
    path.note(error)
    throw error
  }
}

private struct PlantedCard: CardAccess {
  let key: PlantedKey

  func withKey<Value>(
    _ body: (any LoginKey) -> Result<Value, LoginError>
  ) throws(LoginError) -> Value {
    let answer = body(key)
    if case .failure(let error) = answer { key.path.note(error) }
    return try answer.get()
  }

  func giveUp() {}
}

private struct Agreeing: LoginParticipant {
  func allows(_ presentation: LoginCard.CertificatePresentation) -> Bool { true }
  func consents(to request: ConsentRequest) -> Bool { true }
}

/// A person during whose answer the program's time runs out.
private struct Leaving: LoginParticipant {
  func allows(_ presentation: LoginCard.CertificatePresentation) throws(Failure) -> Bool {
    throw .deadline(7)
  }

  func consents(to request: ConsentRequest) -> Bool { true }
}
