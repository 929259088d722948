import Primitives
import Testing

@testable import DocumentSigning

/// Tricks over each kind of signed file, which do not pass for proved, and honest additions to the same files, which do.
@Suite struct ForgeryGeneratorTests {
  private static let tricks = StructureTricks.all + ObjectTricks.all

  /// Judges one trick over one kind, alone or beside evidence, and what others sign behind it.
  ///
  /// - Returns: false if the trick does not apply.
  private func expectRefused(
    _ trick: ForgeryTrick, _ kind: SignedBases.Kind, hasEvidence: Bool, isFollowed: Bool = false
  ) throws -> Bool {
    let bases = try SignedBases.shared()
    let base = try bases.file(kind)
    let name: Comment = "\(kind), evidence \(hasEvidence)"
    var forgery = try Forgery(base, hasEvidence: hasEvidence)
    let file: [UInt8]
    do {
      try trick.change(&forgery)
      file = try forgery.file()
    } catch is Forgery.DoesNotApply { return false }
    try bases.keep(file, "forged \(trick.name) \(kind) \(hasEvidence)")
    try expectRefused(file, over: base, name)
    guard isFollowed, !trick.isHarmlessBefore else { return true }
    // A second person signs it, or a third stores evidence; programs that refuse to are no way.
    let later = [
      "signed": try? Signed.pdf(file, by: .anna), "stored": try? bases.stored(file),
    ]
    for case (let step, let file?) in later {
      try bases.keep(file, "forged \(trick.name) \(kind) \(hasEvidence) \(step)")
      try expectRefused(file, over: base, "\(name), \(step)")
    }
    return true
  }

  private func expectRefused(_ file: [UInt8], over base: [UInt8], _ name: Comment) throws {
    guard let report = try? SignedBases.shared().judge(file) else { return }
    #expect(report.outcome != .proved, name)
    for signature in report.signatures where signature.signedLength == base.count {
      #expect(signature.laterContent.isMore, name)
    }
  }

  /// Each trick over three kinds, which are others for the next trick; all kinds wait for `tools/run-tests --all`.
  @Test(arguments: tricks.indices) func trickOverSomeKinds(_ index: Int) throws {
    let kinds = SignedBases.Kind.allCases
    var count = 0
    for step in 0..<kinds.count where count < 3 {
      let kind = kinds[(index + 4 * step) % kinds.count]
      if try expectRefused(Self.tricks[index], kind, hasEvidence: step.isMultiple(of: 2)) {
        count += 1
      }
    }
    #expect(count > 0, "\(Self.tricks[index].name)")
  }

  @Test(arguments: tricks) func everyTrickOverEveryKind(_ trick: ForgeryTrick) throws {
    var count = 0
    for kind in SignedBases.Kind.allCases {
      for hasEvidence in [false, true]
      where try expectRefused(trick, kind, hasEvidence: hasEvidence, isFollowed: hasEvidence) {
        count += 1
      }
    }
    #expect(count > 0)
  }

  /// The same updates without a trick, and what the module writes, are no forgery of any kind of file.
  @Test(arguments: SignedBases.Kind.allCases) func honestAdditions(_ kind: SignedBases.Kind) throws
  {
    let bases = try SignedBases.shared()
    let base = try bases.file(kind)
    #expect(try bases.judge(base).outcome == .proved)
    var files = [
      "evidence by hand": try Forgery(base, hasEvidence: true).file(),
      "evidence": try bases.stored(base), "a time stamp": try bases.stamped(base, kind),
    ]
    // A certification with P=1 forbids signatures.
    if kind != .certifiedForNothing {
      files["a signature"] = try Signed.pdf(base, by: .anna)
      files["a signature, evidence"] = try bases.stored(Signed.pdf(base, by: .anna))
      if kind != .longTerm {
        files["a signature, a time stamp"] = try bases.stamped(Signed.pdf(base, by: .anna), kind)
      }
    } else {
      #expect(throws: DocumentError.refused(.certified)) { try Signed.pdf(base, by: .anna) }
    }
    for (name, file) in files {
      try bases.keep(file, "honest \(name) \(kind)")
      let report = try bases.judge(file)
      #expect(report.outcome == .proved, "\(name)")
      #expect(
        report.signatures.allSatisfy {
          $0.laterContent == ($0.laterBytes > 0 ? .signatures : .none)
        }, "\(name)")
    }
  }

  /// Given up: qpdf alone reads what an object stream of an encrypted file holds.
  @Test(arguments: [SignedBases.Kind.encrypted, .encryptedByRC4])
  func objectStreamOfAnEncryptedUpdate(_ kind: SignedBases.Kind) throws {
    let bases = try SignedBases.shared()
    let parts = try PDFParts(try bases.file(kind))
    var update = try parts.store(form: .stream)
    let catalog = update.objects.removeLast()
    let head = "\(catalog.number) 0 "
    let number = parts.next + 2
    update.add(
      number,
      try parts.stream(
        [UInt8](head.utf8) + catalog.body, number: number,
        "/Type /ObjStm /N 1 /First \(head.utf8.count)"))
    update.rows = { $0.append(.init(number: catalog.number, type: 2, second: number)) }
    let report = try bases.judge(update.appended(to: parts.bytes))
    #expect(report.signatures.map(\.laterContent) == [.other])
    #expect(report.isDisproved == false)
  }
}
