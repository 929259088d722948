import CIECard
import Primitives
import Testing

@testable import DocumentSigning

/// Known forgeries of CMS signatures, made from files that the module itself signed.
@Suite struct CMSForgeryTests {
  /// Objects of a signed file, to be put together in another way.
  private struct Parts {
    let data: [TLV]
    let signer: [TLV]

    init(_ file: [UInt8]) throws {
      var outer = TLVCursor(file)
      var info = try outer.next(DER.sequence).contents
      _ = try info.next(DER.objectIdentifier)
      var explicit = try info.next(0xA0).contents
      data = try explicit.next(DER.sequence).contents.all()
      let signers = try data.last.unwrapped()
      signer = try signers.contents.all().first.unwrapped().contents.all()
    }

    /// The file with some objects replaced.
    func file(data changes: [Int: [UInt8]] = [:], signer others: [Int: [UInt8]] = [:]) -> [UInt8] {
      let info = signer.enumerated().map { others[$0] ?? [UInt8]($1.encoded) }
      let signers = TLV.encode(DER.set, [TLV.encode(DER.sequence, info)])
      var objects = data.enumerated().map { changes[$0] ?? [UInt8]($1.encoded) }
      if changes[data.count - 1] == nil { objects[data.count - 1] = signers }
      let type: [UInt8] = [0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x02]
      return TLV.encode(
        DER.sequence, [type, TLV.encode(0xA0, [TLV.encode(DER.sequence, objects)])])
    }
  }

  private static let dataType: [UInt8] = [
    0x06, 0x09, 0x2A, 0x86, 0x48, 0x86, 0xF7, 0x0D, 0x01, 0x07, 0x01,
  ]

  private func contents(_ bytes: [UInt8], type: [UInt8] = dataType) -> [UInt8] {
    TLV.encode(DER.sequence, [type, TLV.encode(0xA0, [TLV.encode(DER.octetString, bytes)])])
  }

  @Test func partsArePutTogetherAgain() throws {
    let file = try Signed.cms(isAttached: true)
    #expect(try Parts(file).file() == file)
  }

  /// ecdsa-plain-SHA256 (BSI TR-03111 §5.2.1): the numbers of an ECDSA signature side by side, in any other form false.
  @Test(arguments: [("prime256v1", 32), ("brainpoolP384r1", 48), ("secp521r1", 66)])
  func plainSignatures(curve: String, length: Int) throws {
    let key = try OpenSSL.run([
      "genpkey", "-algorithm", "EC", "-pkeyopt", "ec_paramgen_curve:\(curve)",
    ])
    let own = try OpenSSL.certificate("/CN=Plain", key: key, ["keyUsage=critical,digitalSignature"])
    let file = try OpenSSL.run(
      [
        "cms", "-sign", "-binary", "-nodetach", "-outform", "DER", "-cades", "-md", "sha256",
        "-signer", "/dev/fd/3", "-inkey", "/dev/fd/4",
      ], input: Signed.text, descriptors: [3: own, 4: own])
    let parts = try Parts(file)
    let encoded = parts.signer[5].bytes
    let fields = try TLVCursor(inside: DER.sequence, of: encoded)
    let numbers = try fields.all().map { number in
      let digits = number.bytes.suffix(length)
      return [UInt8](repeating: 0, count: length - digits.count) + digits
    }
    let identifier: [UInt8] = [
      0x06, 0x0A, 0x04, 0x00, 0x7F, 0x00, 0x07, 0x01, 0x01, 0x04, 0x01, 0x03,
    ]
    func verdict(_ signature: [UInt8], isPlain: Bool) throws -> SignatureVerdict? {
      let algorithm =
        isPlain ? TLV.encode(DER.sequence, identifier) : [UInt8](parts.signer[4].encoded)
      let file = parts.file(signer: [4: algorithm, 5: TLV.encode(DER.octetString, signature)])
      return try Signed.judge(file).signatures.first?[.signature]
    }
    #expect(try verdict(numbers[0] + numbers[1], isPlain: true) == .proved)
    #expect(try verdict(encoded, isPlain: false) == .proved)
    for (signature, isPlain) in [
      (numbers[1] + numbers[0], true), (encoded, true), (numbers[0] + numbers[1], false),
      (numbers[0] + numbers[1].dropLast(), true), ([], true),
      ([UInt8](repeating: 0, count: 2 * length), true),
    ] as [([UInt8], Bool)] {
      #expect(try verdict(signature, isPlain: isPlain) == .false(.signatureWrong))
    }
  }

  /// The signed bytes of the attributes, offered as contents without attributes.
  @Test func attributesPassedOffAsContents() throws {
    let parts = try Parts(try Signed.cms(isAttached: true))
    let attributes = TLV.encode(DER.set, parts.signer[3].bytes)
    let forged = parts.file(data: [2: contents(attributes)], signer: [3: []])
    #expect(try Signed.judge(forged).signatures.first?[.attributes] == .false(.noSignedAttributes))
  }

  @Test func otherTypeOfContents() throws {
    let parts = try Parts(try Signed.cms(isAttached: true))
    var type = Self.dataType
    type[10] = 0x05
    for version in [[1], [3]] as [[UInt8]] {
      let forged = parts.file(
        data: [0: TLV.encode(DER.integer, version), 2: contents(Signed.text, type: type)])
      #expect(!Signed.isProved(forged))
    }
    let forged = parts.file(
      data: [0: [0x02, 0x01, 0x03], 2: contents(Signed.text, type: type)])
    #expect(try Signed.judge(forged).signatures.first?[.attributes] == .false(.contentTypeDiffers))
  }

  @Test func versions() throws {
    let parts = try Parts(try Signed.cms(isAttached: true))
    for version in [0, 2, 3, 4, 5, 6] as [UInt8] {
      let number = TLV.encode(DER.integer, [version])
      let file = parts.file(data: [0: number])
      // Programs number a SignedData in their own ways, within those of RFC 5652 §5.1.
      if (1...5).contains(version) {
        #expect(Signed.isProved(file))
      } else {
        #expect(throws: DocumentError.malformed(.version)) { try Signed.judge(file) }
      }
      #expect(throws: DocumentError.malformed(.version)) {
        try Signed.judge(parts.file(signer: [0: number]))
      }
    }
  }

  @Test func bytesBehind() throws {
    let file = try Signed.cms(isAttached: true)
    // Fillings of room, and ends that mail programs add.
    for end in [[0], [0x0D, 0x0A], [UInt8](repeating: 0, count: 5000)] as [[UInt8]] {
      #expect(Signed.isProved(file + end))
    }
    for end in [[0x20], [0, 1], file] as [[UInt8]] {
      let report = try Signed.judge(file + end)
      #expect(report.outcome == .provedInPart && report.outside == [.bytes])
      // A file to be signed again has one end.
      #expect(throws: DocumentError.trailingBytes(count: end.count)) {
        try HashedContent(of: ByteSource(file + end), detached: nil)
      }
    }
  }

  @Test func attributesTwiceOrMissing() throws {
    let parts = try Parts(try Signed.cms(isAttached: true))
    let all = try parts.signer[3].contents.all().map { [UInt8]($0.encoded) }
    for index in all.indices {
      var missing = all
      missing.remove(at: index)
      #expect(!Signed.isProved(parts.file(signer: [3: TLV.encode(0xA0, missing)])))
      let twice = parts.file(signer: [3: TLV.encode(0xA0, all + [all[index]])])
      guard
        case .false(.attributeRepeated)? = try Signed.judge(twice).signatures.first?[.attributes]
      else {
        Issue.record("attribute \(index) twice is accepted")
        continue
      }
    }
    #expect(
      try Signed.judge(parts.file(signer: [3: TLV.encode(0xA0, [UInt8]())])).outcome == .false)
  }

  /// Another name of the same algorithm, which leaves the signature mathematically right.
  @Test func otherNameOfTheAlgorithm() throws {
    let parts = try Parts(try Signed.cms(isAttached: true))
    var algorithm = [UInt8](parts.signer[4].encoded)
    algorithm[algorithm.count - 3] = 0x0B
    let report = try Signed.judge(parts.file(signer: [4: algorithm]))
    #expect(report.signatures.first?[.signature] == .proved)
    #expect(report.signatures.first?[.attributes] == .false(.algorithmsDiffer))
  }

  /// The certificate of another person with the same name and number cannot take the place of the
  /// signer's.
  @Test func otherCertificate() throws {
    let anna = try TestSigner.named(.anna)
    let parts = try Parts(try Signed.cms(isAttached: true))
    let forged = parts.file(data: [3: TLV.encode(0xA0, [anna.certificate.der])])
    #expect(
      try Signed.judge(forged).signatures.first?[.signature] == .couldNotCheck(.noCertificate))
    let fields = try anna.certificate.encodedFields.unwrapped()
    let renamed = parts.file(
      data: [3: TLV.encode(0xA0, [anna.certificate.der])],
      signer: [1: TLV.encode(DER.sequence, [fields.issuer, fields.serialNumber])])
    let signature = try Signed.judge(renamed).signatures.first
    #expect(signature?[.signature] == .false(.signatureWrong))
    #expect(signature?[.signingCertificate] == .false(.otherCertificate))
  }

  @Test func issuersThatAreNotTrusted() throws {
    let file = ByteSource(try Signed.cms(isAttached: true))
    let other = try TestSigner.named(.anna)
    let report = try DocumentJudge(trust: other.trust).judge(file).signatures.first
    let issuer = try TestSigner.named(.mario).certificate.issuer
    #expect(report?[.chain] == .couldNotCheck(.issuerUnknown(issuer, lists: [])))
    #expect(try DocumentJudge(trust: nil).judge(file).outcome == .couldNotCheck)
    let late = UTCTime(seconds: TestSigner.time.seconds + 40_000 * 86_400)
    let expired = try DocumentJudge(trust: TestSigner.named(.mario).trust, at: late).judge(file)
    guard case .couldNotCheck(.expired)? = expired.signatures.first?[.validity] else {
      Issue.record("an expired certificate is accepted")
      return
    }
  }

  @Test(arguments: [true, false]) func everyChangeOfOneByte(isAttached: Bool) throws {
    let file = try Signed.cms(isAttached: isAttached)
    let content = isAttached ? nil : Signed.text
    #expect(Signed.isProved(file, content: content))
    for index in file.indices {
      for mask in [0x01, 0x0A] as [UInt8] {
        var changed = file
        changed[index] ^= mask
        #expect(!Signed.isProved(changed, content: content), "byte \(index) with \(mask)")
      }
    }
  }

  @Test func everyPrefix() throws {
    let file = try Signed.cms(isAttached: true)
    for length in file.indices { #expect(!Signed.isProved([UInt8](file.prefix(length)))) }
  }
}
