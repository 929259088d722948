import Foundation
import TestSupport
import Testing
import VirtualCIE

/// The whole login to a service provider that shares no code with the sandbox: apache2 with mod_auth_mellon.
@Suite struct MellonTests {
  @Test func `mod_auth_mellon accepts the login`() throws {
    let program = try BuiltBinary("cie-read").path
    let script = Repository.url("Tests/CIEReadTests/Login/mellon_login.py").path
    let personas = try ["gemalto", "itj4"].map { try #require(Persona.named($0)) }
    let result = try BuiltBinary(path: "/usr/bin/python3").run(
      ["-s", script, program] + personas.flatMap { [$0.identifier, $0.pin] })
    #expect(result.exitStatus == 0, "\(result.output) \(result.errors)")
  }
}
