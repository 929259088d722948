import Primitives
import Foundation
import Web
import TestSupport
import Testing

@testable import SignIn

@Suite struct ServiceDescriptionTests {
  private static let card = #"{"method":"card","start":"https://sp.test/login"}"#
  private static let email =
    #"{"method":"email","authority":"https://tenant.test/","clientId":"c"}"#

  private func read(
    _ methods: String, _ further: String = "", folder: String? = "/etc/service/"
  ) throws -> ServiceDescription {
    try ServiceDescription(
      json: [UInt8](#"{"name":"Test","methods":[\#(methods)]\#(further)}"#.utf8), folder: folder)
  }

  private func problem(
    _ methods: String, _ further: String = "", folder: String? = "/etc/service/"
  ) -> ServiceProblem? {
    do {
      _ = try read(methods, further, folder: folder)
      return nil
    } catch { return (error as? SignInError)?.serviceProblem }
  }

  @Test func `the ways in of a service come in its own order, those not known here are hidden`()
    throws
  {
    let unknown = #"{"method":"telepathy","strength":9,"secret":{"a":[1]}}"#
    let description = try read("\(Self.email),\(unknown),\(Self.card)")
    let service = SignInService(description)
    #expect(service.methods == [.email, .card] && service.name.display == "Test")
    #expect(description.way(.email)?.method == .email && description.way(.spid)?.method == nil)
    let error = #expect(throws: SignInError.self) { try service.signIn(by: .spid) }
    #expect(error?.cause == .notOffered)
  }

  @Test func `one way in that is left needs nobody to choose it`() throws {
    let service = SignInService(try read(#"{"method":"telepathy"},\#(Self.card)"#))
    #expect(service.methods == [.card])
    #expect(problem(#"{"method":"telepathy"}"#) == .noMethod)
    #expect(problem("") == .noMethod)
  }

  @Test func `a way in that stands twice is an error`() {
    #expect(problem("\(Self.card),\(Self.card)") == .repeatedMethod("card"))
    #expect(
      problem(#"\#(Self.card),{"method":"telepathy"},{"method":"telepathy"}"#) == nil)
  }

  @Test func `what is wrong in a description is an error, each under its name`() {
    func problem(_ text: String) -> ServiceProblem? {
      do {
        _ = try ServiceDescription(json: [UInt8](text.utf8), folder: "")
        return nil
      } catch { return error.serviceProblem }
    }
    #expect(problem("") == .notJSON(offset: 0))
    #expect(problem("[]") == .notAnObject)
    #expect(problem(#"{"methods":[]}"#) == .missingMember("name"))
    #expect(problem(#"{"name":"","methods":[]}"#) == .wrongMember("name"))
    #expect(problem(#"{"name":7,"methods":[]}"#) == .wrongMember("name"))
    #expect(problem(#"{"name":"T"}"#) == .missingMember("methods"))
    #expect(problem(#"{"name":"T","methods":{}}"#) == .missingMember("methods"))
    #expect(problem(#"{"name":"T","methods":[],"x":1}"#) == .unknownMember("x"))
    #expect(problem(#"{"name":"T","name":"U","methods":[]}"#) == .repeatedMember("name"))
    #expect(problem(#"{"name":"T","methods":["card"]}"#) == .notAnObject)
    #expect(problem(#"{"name":"T","methods":[{}]}"#) == .missingMember("method"))
    #expect(problem(#"{"name":"T","methods":[{"method":7}]}"#) == .wrongMember("method"))
    #expect(
      problem(#"{"name":"T","methods":[{"method":"x","a":1,"a":2}]}"#) == .repeatedMember("a"))
    #expect(
      problem(#"{"name":"T","methods":[],"ca":7}"#) == .wrongMember("ca"))
  }

  @Test func `what is wrong in an entry of a known way in is an error`() {
    #expect(problem(#"{"method":"card"}"#) == .missingMember("start"))
    #expect(problem(#"{"method":"card","start":7}"#) == .wrongMember("start"))
    #expect(problem(#"{"method":"card","start":"http://sp.test/"}"#) == .notHTTPS("start"))
    #expect(problem(#"{"method":"card","start":"no address"}"#) == .notHTTPS("start"))
    #expect(
      problem(#"{"method":"card","start":"https://sp.test/","pin":"1"}"#) == .unknownMember("pin"))
    #expect(
      problem(#"{"method":"app","start":"https://sp.test/","environment":7}"#)
        == .wrongMember("environment"))
    guard
      case .environment = problem(
        #"{"method":"app","start":"https://sp.test/","environment":"nowhere.json"}"#)
    else {
      Issue.record("an environment that is not there was taken")
      return
    }
  }

  @Test
  func `an environment is a built-in one, else a file, and the production one where none is said`()
    throws
  {
    let known = try #require(LoginEnvironment.builtIn.last)
    let named = try read(
      #"{"method":"card","start":"https://sp.test/","environment":"\#(known.name)"}"#)
    let none = try read(Self.card)
    guard case .card(let card) = named.way(.card), case .card(let usual) = none.way(.card) else {
      Issue.record("no card")
      return
    }
    #expect(card.environment.name == known.name)
    #expect(usual.environment.name == LoginEnvironment.production.name)
  }

  @Test func `a file's names begin in its own folder, and absolute ones stay`() throws {
    #expect(try read(Self.card, #","ca":"ca.pem""#).trust == "/etc/service/ca.pem")
    #expect(try read(Self.card, #","ca":"/a/ca.pem""#).trust == "/a/ca.pem")
  }

  @Test func `a description from the network names no files of this machine`() throws {
    #expect(problem(Self.card, #","ca":"/etc/passwd""#, folder: nil) == .fileFromNetwork("ca"))
    #expect(
      problem(
        #"{"method":"card","start":"https://sp.test/","environment":"e.json"}"#, folder: nil)
        == .fileFromNetwork("environment"))
    #expect(problem(Self.card, folder: nil) == nil)
  }

  @Test func `a description from the network comes from the address alone`() async throws {
    func read(_ answer: ScriptedServers.Answer) async throws -> SignInError.Cause? {
      let url = try RedirectURL("https://sp.test/service.json")
      let servers = ScriptedServers(["GET https://sp.test/service.json": answer])
      do {
        _ = try ServiceDescription(at: url, try servers.context())
        return nil
      } catch { return (error as? SignInError)?.cause }
    }
    #expect(try await read(.json(#"{"name":"T","methods":[\#(Self.card)]}"#)) == nil)
    #expect(try await read(.json("{}", status: 404)) == .status(404))
    #expect(
      try await read(.redirect("https://elsewhere.test/"))
        == .exchange(.redirected(status: 302)))
    #expect(try await read(.of(type: "text/html", "{}")) == .exchange(.notJSON(status: 200)))
    #expect(
      try await read(.json(#"{"name":"T","methods":[],"ca":"ca.pem"}"#))
        == .description(.fileFromNetwork("ca")))
    #expect(try await read(.status(204)) == .status(204))
  }

  @Test func `a file that cannot be read says why`() throws {
    let folder = try TemporaryDirectory()
    func problem(_ path: String) -> ServiceProblem? {
      do {
        _ = try ServiceDescription(file: path)
        return nil
      } catch { return error.serviceProblem }
    }
    #expect(problem(folder.path("nothing.json")) == .unreadable(errno: ENOENT))
    #expect(problem(folder.url.path) == .unreadable(errno: EISDIR))
    let long = folder.path("long.json")
    try String(repeating: " ", count: (64 << 10) + 1)
      .write(toFile: long, atomically: true, encoding: .utf8)
    #expect(problem(long) == .tooLarge)
    let good = folder.path("service.json")
    try #"{"name":"T","ca":"ca.pem","methods":[\#(Self.card)]}"#
      .write(toFile: good, atomically: true, encoding: .utf8)
    #expect(try ServiceDescription(file: good).trust == folder.path("ca.pem"))
    let nothing = folder.path("nothing.json")
    let error = #expect(throws: SignInError.self) { try SignInService(file: nothing) }
    #expect(error?.cause == .description(.unreadable(errno: ENOENT)) && error?.reason == .service)
    let network = #expect(throws: SignInError.self) {
      try SignInService(json: [UInt8](#"{"name":"T","methods":[],"ca":"ca.pem"}"#.utf8))
    }
    #expect(network?.cause == .description(.fileFromNetwork("ca")))
  }
}

extension SignInError {
  /// The reason why a description cannot be used, if that is the cause.
  var serviceProblem: ServiceProblem? {
    if case .description(let problem) = cause { problem } else { nil }
  }
}

/// Expects that a description or an entry of it is refused, for this reason.
func expectUnfit(
  _ problem: ServiceProblem, at location: SourceLocation = #_sourceLocation,
  _ body: () throws -> Any?
) {
  let error = #expect(throws: SignInError.self, sourceLocation: location) { try body() }
  #expect(error?.serviceProblem == problem, sourceLocation: location)
}
