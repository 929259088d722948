import Traces
import TestSupport
import Testing

@testable import CIECard
@testable import VirtualCIE

/// The headers of document traces are true: compared with the personas' files, not with the read data.
@Suite struct DocumentTruthTests {
  private struct Told {
    let persona: Persona
    let file: TraceFile
    let header: Trace.Header
  }

  private static func traces(of journey: String) throws -> [Told] {
    try TraceFile.all(in: "virtual").compactMap { file in
      let header = try Trace(parsing: file.bytes()).header
      guard header.journey.name == journey, case .virtual(let name) = header.source else {
        return nil
      }
      return Told(persona: try #require(Persona.named(name)), file: file, header: header)
    }
  }

  @Test func filesAreThoseOfThePersona() throws {
    let traces = try Self.traces(of: "travel-document").filter {
      $0.header.expectation.outcome == .ok
    }
    #expect(Set(traces.map(\.persona.identifier)) == Set(Persona.all.map(\.identifier)))
    for told in traces {
      guard case .travelDocument(let visit) = told.header.journey else { continue }
      let document = told.persona.travelDocument
      let files = try visit.tasks.compactMap { task -> Trace.Expectation.Value? in
        guard case .read(let file) = task else { return nil }
        let content: [UInt8]? =
          switch file {
          case .common: document.common
          case .securityObject: document.securityObject
          case .group(let group): document.dataGroups[group.number]
          }
        return .fileHash(
          name: file.name, hash: try HashAlgorithm.sha256.hash(#require(content)))
      }
      #expect(!files.isEmpty)
      let values = told.header.expectation.values
      let hashes = values.filter { if case .fileHash = $0 { true } else { false } }
      #expect(hashes == files, "\(told.file)")
      #expect(
        values.contains(.servicesNumber(told.persona.nis)) == visit.readsServicesNumberAfterwards)
      for proof in [
        Trace.Expectation.Value.chipAuthentication("failed"), .chipMapping("failed"),
        .activeAuthentication("false"), .activeAuthentication("could-not-check"),
      ] {
        #expect(!values.contains(proof), "\(told.file)")
      }
    }
    #expect(traces.filter { $0.header.expectation.values.contains(.access("BAC")) }.count == 6)
  }

  /// With the right anchor no point is false, and unchecked points do not exist in the document.
  @Test func everyDocumentIsProved() throws {
    let traces = try Self.traces(of: "document-authenticity")
    #expect(traces.count == Persona.all.count)
    for told in traces {
      for case .report(let point, let verdict) in told.header.expectation.values {
        let mayBeAbsent = ["chip-authentication", "active-authentication", "announcement"]
        #expect(
          verdict == "proved" || verdict == "could-not-check" && mayBeAbsent.contains(point),
          "\(point) of \(told.file)")
      }
    }
  }

  @Test func wrongCodesOpenNothing() throws {
    for told in try Self.traces(of: "travel-document") where told.file.name.hasSuffix("-wrong-can")
    {
      #expect(
        told.header.expectation.outcome == .error(name: "wrong-can", step: .openAccess))
      #expect(told.header.expectation.values.isEmpty)
    }
  }
}
