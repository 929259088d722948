import Arguments
import Foundation
import CardWork
import Primitives
import TestSupport
import Testing

@testable import cie_read

/// The functions of the program, by their declarations.
@Suite struct FunctionTests {
  private static var all: [any Function.Type] { FunctionList.all }

  private static func inputs(_ function: any Function.Type) -> [String] {
    let declared = Inputs.declared(by: function)
    return declared.slots.map(\.name) + ["-"]
      + declared.members.map { $0.name + $0.schema.json.text } + ["-"]
      + declared.notices.map(\.name)
  }

  @Test func `every function declares the same when it is read again`() {
    for function in Self.all { #expect(Self.inputs(function) == Self.inputs(function)) }
  }

  @Test func `every name is said once`() {
    #expect(Set(Self.all.map { $0.name }).count == Self.all.count)
    for function in Self.all {
      let inputs = Self.inputs(function)
      #expect(Set(inputs).count == inputs.count - 1, "\(function.name): \(inputs)")
    }
  }

  @Test func `the command line has the functions of the list`() {
    func names(_ command: any ParsableCommand.Type) -> [String] {
      let below = command.configuration.subcommands.flatMap(names)
      return (command as? any FunctionHost.Type).map { [$0.function.name] + below } ?? below
    }
    #expect(names(CieRead.self).sorted() == Self.all.map { $0.name }.sorted())
  }

  @Test func `every function with a place in the service has its path`() throws {
    for function in Self.all where function.served != nil {
      let served = try #require(ServedFunction.named(function.definition))
      #expect(served.command == function.name)
      // The window of a person adds the decision about the last try.
      let members = function.requestMembers.map(\.name).filter { $0 != HolderTerms.decision }
      #expect(served.members == members)
    }
  }

  @Test func `the documents say what the functions say`() throws {
    let said = try Self.object([UInt8](FunctionDescriptions.json.text.utf8))
    for (file, place, kind) in [
      ("cie-read-1.schema.json", "$defs", "definitions"),
      ("cie-read-serve-1.openapi.json", "paths", "paths"),
    ] {
      let document = try Self.object(
        Repository.read(Repository.path("Sources/cie-read/Schema/\(file)")))
      let parts = try #require(document[place] as? [String: Any])
      let own = try #require(said[kind] as? [String: Any])
      #expect(!own.isEmpty)
      for (name, part) in own {
        let written = try #require(parts[name] as? [String: Any], "\(file) has no \(name)")
        let isEqual = NSDictionary(dictionary: written).isEqual(part)
        #expect(isEqual, "\(file): \(name)")
      }
    }
  }

  private static func object(_ bytes: [UInt8]) throws -> [String: Any] {
    try #require(JSONSerialization.jsonObject(with: Data(bytes)) as? [String: Any])
  }
}
