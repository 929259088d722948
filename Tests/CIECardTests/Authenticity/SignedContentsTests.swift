@testable import CIECard
import TestSupport
import Testing

/// The forms of a SignedData that a document may have, and the words for those that it may not have.
@Suite struct SignedContentsTests {
  /// The parts of a security object, to be put together in other forms.
  private struct Parts {
    var type: [UInt8]
    var version: [UInt8]
    var digestAlgorithms: [UInt8]
    var contentType: [UInt8]
    var content: [UInt8]
    var certificates: [UInt8]
    var signers: [UInt8]

    init(_ encoded: [UInt8]) throws {
      var info = try TLVCursor(inside: DER.sequence, of: encoded)
      type = [UInt8](try info.next().encoded)
      var explicit = try info.next(0xA0).contents
      let fields = try explicit.next(DER.sequence).contents.all().map { [UInt8]($0.encoded) }
      try #require(fields.count == 5)
      (version, digestAlgorithms, certificates) = (fields[0], fields[1], fields[3])
      signers = fields[4]
      var contents = try TLVCursor(inside: DER.sequence, of: fields[2])
      contentType = [UInt8](try contents.next().encoded)
      content = [UInt8](try contents.next(0xA0).contents.all()[0].encoded)
    }

    func encoded(_ form: (UInt32, [UInt8]) -> [UInt8] = TLV.encode) -> [UInt8] {
      let contents = form(DER.sequence, contentType + form(0xA0, content))
      let data = form(DER.sequence, version + digestAlgorithms + contents + certificates + signers)
      return form(DER.sequence, type + form(0xA0, data))
    }
  }

  private let parts: Parts
  private let good: SignedContents

  init() throws {
    let file = try IASDocuments.load().named("first-generation").securityObject.bytes
    var cursor = TLVCursor(file)
    let encoded = try cursor.next(SecurityObject.tag).bytes
    parts = try Parts(encoded)
    good = try SignedContents(encoded)
    #expect(parts.encoded() == encoded)
  }

  private static func indefinite(_ tag: UInt32, _ value: [UInt8]) -> [UInt8] {
    [UInt8(tag), 0x80] + value + [0, 0]
  }

  private func reason(_ changed: Parts, trailing: [UInt8] = []) -> String? {
    do throws(AuthenticityReport.SecurityObjectError) {
      _ = try SignedContents(changed.encoded() + trailing)
      return nil
    } catch {
      guard case .malformedSignedData(let reason) = error else { return "\(error)" }
      return reason
    }
  }

  /// Old documents have it, although Doc 9303-10 §4.6.2 requires DER.
  @Test func indefiniteLengthsAndDividedContentsAreRead() throws {
    var ber = parts
    let half = good.content.count / 2
    let pieces = [good.content.prefix(half), good.content.dropFirst(half)]
    ber.content = Self.indefinite(
      0x24, pieces.flatMap { TLV.encode(DER.octetString, [UInt8]($0)) })
    for path in [\Parts.digestAlgorithms, \.certificates, \.signers] {
      var set = TLVCursor(ber[keyPath: path])
      let object = try set.next()
      ber[keyPath: path] = Self.indefinite(object.tag, object.bytes)
    }
    let read = try SignedContents(ber.encoded(Self.indefinite))
    #expect(read.signature == .valid && read.content == good.content && read.signer == good.signer)
  }

  /// Signed bytes are never put into another form, so they must be in DER.
  @Test func indefiniteLengthsInsideACertificateAreRefused() throws {
    var fields = try TLVCursor(inside: DER.sequence, of: #require(good.signer).der)
    let signed = try fields.next(DER.sequence)
    let rest = try fields.all().flatMap { [UInt8]($0.encoded) }
    var changed = parts
    changed.certificates = Self.indefinite(
      0xA0,
      Self.indefinite(DER.sequence, Self.indefinite(DER.sequence, signed.bytes) + rest))
    #expect(reason(changed) == "malformed encoding")
  }

  @Test func theReasonNamesThePart() throws {
    #expect(reason(parts) == nil)
    #expect(reason(parts, trailing: [0]) == "trailing bytes")
    func expect(_ reason: String, _ change: (inout Parts) -> Void) {
      var changed = parts
      change(&changed)
      #expect(self.reason(changed) == reason)
    }
    // id-data instead of id-signedData.
    expect("not SignedData") { $0.type[$0.type.count - 1] = 1 }
    expect("malformed encoding") { $0.content = [] }
    // Two bytes for a number that needs one (ISO/IEC 8825-1 §8.3.2).
    expect("malformed version") { $0.version = [2, 2, 0, 3] }
    expect("malformed digestAlgorithms") { $0.digestAlgorithms = TLV.encode(DER.set, [0x30, 0]) }
    expect("malformed certificates") { $0.certificates = TLV.encode(0xA0, [0x30, 0]) }
    expect("malformed crls") { $0.certificates += TLV.encode(0xA1, [0x30, 0]) }
    expect("malformed encapContentInfo") { $0.contentType = [6, 1, 0x80] }
    expect("malformed SignerInfo") { $0.signers = TLV.encode(DER.set, [0x30, 0]) }
  }
}
