import TestSupport
import Testing

@testable import CIECard

/// The real master list: complete, with its signature and its signer's chain, and its anchors.
@Suite struct MasterListTests {
  let file: [UInt8]

  init() throws { file = try RealMasterList.bytes() }

  @Test func realListIsReadWhole() throws {
    let list = try MasterList(
      file: file, path: "list", signedBy: .masterListSigners, at: RealMasterList.time)
    #expect(list.certificates.count == 588 && list.unreadable == 0)
    #expect(Set(list.certificates).count == 588)
    #expect(list.country == "DE")
    // 2026-05-28T06:28:45Z
    #expect(list.signingTime == 1_779_949_725)
    #expect(list.path.map { $0.subject.commonName } == ["CSCA Master List Signer", "csca-germany"])
    #expect(list.path.map { $0.serial } == ["04d5", "04cd"])
  }

  @Test func builtInAnchorsAreThoseOfTheList() throws {
    let list = try MasterList(
      file: file, path: "list", signedBy: .masterListSigners, at: RealMasterList.time)
    let italian = list.certificates.filter { $0.subject.country?.uppercased() == "IT" }
    #expect(italian.count == 9)
    #expect(TrustStore.italian.certificates.count == 9)
    #expect(Set(TrustStore.italian.certificates) == Set(italian))
    let german = try #require(TrustStore.masterListSigners.certificates.first)
    #expect(TrustStore.masterListSigners.certificates.count == 1)
    #expect(list.certificates.contains(german))
    #expect(
      try Hex.text(HashAlgorithm.sha256.hash(german.der))
        == "2084AED7A991B3158E63AD750D3DC38BC6C9DCF5958F28D1162F49884E91ADA8")
  }

  @Test func everyCurveOfTheListIsKnown() throws {
    let list = try MasterList(
      file: file, path: "list", signedBy: .masterListSigners, at: RealMasterList.time)
    var kinds: [Certificate.PublicKey: Int] = [:]
    for certificate in list.certificates {
      if case .other = certificate.publicKey { kinds[certificate.publicKey, default: 0] += 1 }
      #expect(certificate.handle.hasKnownCurve())
    }
    #expect(kinds == [.other(algorithm: "id-ecPublicKey"): 164])
  }

  /// Every self-signed elliptic-curve certificate of the list ends a chain, explicit parameters or not.
  @Test func explicitParametersBuildChains() throws {
    let list = try MasterList(
      file: file, path: "list", signedBy: .masterListSigners, at: RealMasterList.time)
    var ends = 0
    for anchor in list.certificates {
      guard case .other = anchor.publicKey, X509Chain.isSelfSigned(anchor.handle) else { continue }
      switch try X509Chain.build(from: anchor, anchors: [anchor]) {
      case .path(let path): #expect(path == [anchor])
      case .notIssued: Issue.record("not issued by itself: \(anchor.subject)")
      case .refused(let reason): Issue.record("\(reason) \(anchor.subject)")
      }
      ends += 1
    }
    #expect(ends == 99)
  }

  /// A list of millions of invalid entries is rejected long before its end.
  @Test func entriesAreCounted() throws {
    func content(_ count: Int) -> [UInt8] {
      let entries = [UInt8]([[UInt8]](repeating: [0x30, 0x00], count: count).joined())
      return TLV.encode(0x30, [TLV.encode(0x02, [0]), TLV.encode(0x31, entries)])
    }
    #expect(
      try MasterList.entries(content(MasterList.mostEntries)).count == MasterList.mostEntries)
    #expect(throws: TLVError.self) {
      try MasterList.entries(content(MasterList.mostEntries + 1))
    }
  }

  @Test func otherAnchorsAreNotBelieved() throws {
    let error = #expect(throws: TrustStore.LoadingError.self) {
      try MasterList(file: file, path: "list", signedBy: .italian, at: RealMasterList.time)
    }
    guard case .masterList(_, .signerUnknown(let issuer))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(issuer.commonName == "csca-germany" && issuer.country == "DE")
  }

  /// The list itself holds older German CSCAs of the same name: they did not sign this signer.
  @Test func otherKeyOfTheSameNameIsNotBelieved() throws {
    let list = try MasterList(
      file: file, path: "list", signedBy: .masterListSigners, at: RealMasterList.time)
    let key = list.path.last?.keyIdentifier
    let german = list.certificates.filter {
      $0.subject.commonName == "csca-germany" && $0.keyIdentifier != key
    }
    #expect(german.count > 3)
    let error = #expect(throws: TrustStore.LoadingError.self) {
      try MasterList(
        file: file, path: "list", signedBy: TrustStore(german), at: RealMasterList.time)
    }
    guard case .masterList(_, .signerUnknown)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test(arguments: [UTCTime(seconds: 0), 1_729_156_536, 1_855_612_800, UTCTime(seconds: .max)])
  func signerMustBeValid(time: UTCTime) throws {
    let error = #expect(throws: TrustStore.LoadingError.self) {
      try MasterList(file: file, path: "list", signedBy: .masterListSigners, at: time)
    }
    guard case .masterList(_, .notValid(let signer))? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(signer.serial == "04d5")
  }

  @Test func storeTakesTheListAsAFile() throws {
    let store = try TrustStore(path: RealMasterList.path, at: RealMasterList.time)
    #expect(store.certificates.count == 588)
    let error = #expect(throws: TrustStore.LoadingError.self) {
      try TrustStore(
        path: RealMasterList.path, masterListSigners: .italian, at: RealMasterList.time)
    }
    guard case .masterList(RealMasterList.path, .signerUnknown)? = error else {
      Issue.record("\(String(describing: error))")
      return
    }
  }

  @Test func storesMergeWithoutRepeating() throws {
    let list = try TrustStore(path: RealMasterList.path, at: RealMasterList.time)
    let merged = TrustStore.italian.merged(with: list)
    #expect(merged.certificates.count == 588)
    #expect(Array(merged.certificates.prefix(9)) == TrustStore.italian.certificates)
  }

  @Test func italianRootsEndChains() {
    let roots = TrustStore.italian.certificates.filter {
      X509Chain.isSelfSigned($0.handle)
    }
    #expect(roots.count == 5)
    #expect(roots.allSatisfy { $0.keyIdentifier?.count == 20 })
  }
}
