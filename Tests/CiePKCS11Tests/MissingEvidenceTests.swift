import TestSupport
import Testing
import VirtualCIE

@testable import CIECard
@testable import CiePKCS11

/// The module's results without evidence of the chip: the second table in `CIECard.docc/MissingEvidence.md`.
@Suite struct MissingEvidenceTests {
  @Test func `a login without evidence matches the table`() throws {
    let rows = try MissingEvidence.allCases.map { lack in
      [lack.name, try Self.login(lack, .user), try Self.login(lack, .securityOfficer)]
    }
    let heading = ["missing", "C_Login, PIN", "C_Login, PUK"]
    let changes = try Pin.changes(
      ofTable: "evidence-module", in: MissingEvidence.document, heading, rows)
    #expect(changes == [])
  }

  private static func login(_ lack: MissingEvidence, _ user: User) throws -> String {
    let faults = try lack.fault.map { try FaultPlan(parsing: $0) } ?? FaultPlan()
    let desk = Desk(
      faults: faults, terms: lack.isUnknownIssuer ? CardTerms() : .ofSoftwareCards)
    var outcome = "CKR_OK"
    do throws(ReturnValue) { try desk.open(user) } catch {
      outcome = "CKR_" + "\(error)".map { $0.isUppercase ? "_\($0)" : $0.uppercased() }.joined()
    }
    #expect(desk.verifications <= 1)
    return "\(outcome) · \(desk.verifications)"
  }
}

extension Desk {
  fileprivate func open(_ user: User) throws(ReturnValue) {
    let code = Secret([UInt8]((user == .user ? persona.pin : persona.puk).utf8))
    try module.logIn(try module.openSession(0, isReadWrite: true), user, code)
  }
}
