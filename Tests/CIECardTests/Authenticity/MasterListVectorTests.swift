import TestSupport
import Testing

@testable import CIECard

/// Generated master lists: every reason to refuse one, and hostile forms of a good one.
@Suite struct MasterListVectorTests {
  struct Document: Decodable, Sendable {
    let at: UTCTime
    let cases: [Case]
  }

  struct Case: Decodable, Sendable, CustomTestStringConvertible {
    let name: String
    let list: HexBytes
    let anchor: HexBytes
    let expect: String

    var testDescription: String { name }
  }

  let document: Document

  init() throws { document = try Self.load() }

  private static func load() throws -> Document {
    try Vectors.decode("master-lists", as: Document.self)
  }

  @Test(arguments: try load().cases)
  func judgesEveryCase(vector: Case) throws {
    let anchors = try TrustStore([Certificate(der: vector.anchor.bytes)])
    do throws(TrustStore.LoadingError) {
      let list = try MasterList(
        file: vector.list.bytes, path: "list", signedBy: anchors, at: document.at)
      #expect(vector.expect == "accepted")
      #expect(list.certificates.count == (vector.name == "good" ? 2 : 1))
      #expect(list.unreadable == (vector.name == "good" ? 0 : 1))
    } catch {
      guard case .masterList("list", let reason) = error else { throw error }
      #expect(word(reason) == vector.expect)
    }
  }

  /// A signer of master lists is no signer of documents.
  @Test func listSignerSignsNoDocuments() throws {
    let (good, anchors) = try good()
    let signer = try #require(
      MasterList(file: good, path: "list", signedBy: anchors, at: document.at).path.first)
    #expect(anchors.chain(of: signer, for: .documents, at: document.at) == .notASigner)
  }

  @Test func everyPrefixIsRefused() throws {
    let (good, anchors) = try good()
    for length in good.indices {
      #expect(throws: TrustStore.LoadingError.self) {
        try MasterList(
          file: [UInt8](good.prefix(length)), path: "list", signedBy: anchors, at: document.at)
      }
      _ = MasterList.isCandidate([UInt8](good.prefix(length)))
    }
  }

  @Test(arguments: [UInt8(0x01), 0x80, 0xFF])
  func noChangedByteAddsACertificate(mask: UInt8) throws {
    let (good, anchors) = try good()
    let expected = try MasterList(file: good, path: "list", signedBy: anchors, at: document.at)
      .certificates
    for index in good.indices {
      var changed = good
      changed[index] ^= mask
      do throws(TrustStore.LoadingError) {
        let list = try MasterList(file: changed, path: "list", signedBy: anchors, at: document.at)
        // Unsigned parts may vary: versions, the set of digest algorithms, the signer identifier.
        #expect(list.certificates == expected, "byte \(index)")
      } catch { continue }
    }
  }

  /// Samples of the real list, because every byte would take too long.
  @Test func changedBytesOfTheRealListAreRefused() throws {
    let real = try RealMasterList.bytes()
    for index in stride(from: 62, to: 899_732, by: 44_981) {
      var changed = real
      changed[index] ^= 1
      #expect(throws: TrustStore.LoadingError.self) {
        try MasterList(
          file: changed, path: "list", signedBy: .masterListSigners, at: RealMasterList.time)
      }
    }
    for length in stride(from: 0, to: real.count, by: 90_001) {
      #expect(throws: TrustStore.LoadingError.self) {
        try MasterList(
          file: [UInt8](real.prefix(length)), path: "list", signedBy: .masterListSigners,
          at: RealMasterList.time)
      }
    }
  }

  /// Lengths of 2 GB and more, and a thousand levels of nesting, without contents.
  @Test func hostileLengthsAreRefused() throws {
    let (good, anchors) = try good()
    let huge: [UInt8] = [0x30, 0x84, 0x7F, 0xFF, 0xFF, 0xFF]
    let files: [[UInt8]] = [
      [], [0x30], [0x30, 0x80], [0x30, 0x84], huge, huge + good, [0x30, 0x84, 0x80, 0, 0, 0],
      [0x30, 0x88, 0x7F, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF],
      [UInt8]([[UInt8]](repeating: [0x30, 0x80], count: 1000).joined()),
      [UInt8]([[UInt8]](repeating: huge, count: 1000).joined()),
      [0x30, 0x0B, 0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02],
      [0x30, 0xFF, 0x06], [0x30, 0x82, 0x06], good + [0],
    ]
    for file in files {
      _ = MasterList.isCandidate(file)
      #expect(throws: TrustStore.LoadingError.self) {
        try MasterList(file: file, path: "list", signedBy: anchors, at: document.at)
      }
    }
  }

  @Test func certificatesAreNoCandidates() throws {
    #expect(MasterList.isCandidate(try good().list))
    #expect(MasterList.isCandidate(try RealMasterList.bytes()))
    #expect(!TrustStore.italian.certificates.contains { MasterList.isCandidate($0.der) })
  }

  private func good() throws -> (list: [UInt8], anchors: TrustStore) {
    let vector = try #require(document.cases.first { $0.name == "good" })
    return (vector.list.bytes, try TrustStore([Certificate(der: vector.anchor.bytes)]))
  }

  private func word(_ error: TrustStore.MasterListError) -> String {
    switch error {
    case .notSignedData: "notSignedData"
    case .contentType: "contentType"
    case .noSigner: "noSigner"
    case .contentsAltered: "contentsAltered"
    case .signatureWrong: "signatureWrong"
    case .unsupportedAlgorithm: "unsupportedAlgorithm"
    case .signerUnknown: "signerUnknown"
    case .notIssued: "notIssued"
    case .chainRefused: "chainRefused"
    case .notASigner: "notASigner"
    case .notValid: "notInForce"
    case .malformedList: "malformedList"
    case .empty: "empty"
    }
  }
}
