import CIECard
import CardWork
import DocumentSigning
import Messages
import Primitives

extension SigningOrder: DescribedObject {
  static let members: [Member<SigningOrder>] = [
    Member("in", \.path),
    Member(
      "out", { $0.failure == nil ? $0.output : nil },
      note: "The signed file; null if it was not written."),
    Member("length", { $0.document?.length }, note: "The bytes of the file before it was signed."),
    Member("pages", { $0.document?.pages }, note: "The pages of a PDF."),
    Member(
      "digest", { $0.document.map { Digits($0.digest.bytes) } },
      note: "SHA-256 of the contents: of the file, or of those inside an existing signature."),
    Member("earlierSignatures") { $0.document?.signatures },
    Member(
      "level", { $0.failure == nil ? $0.level : nil },
      note:
        "The level that was reached, with --tsa-optional below the one asked for; null if it is not signed."
    ),
    Member(
      "error", { $0.failure.map { ErrorFacts(diagnosis: Diagnosis($0)) } },
      note: "Why the file is not signed; null if it is."),
    .whenPresent(
      "file", \.upload,
      note: "Over HTTP alone: the number of the signed file; null if it was not written."),
  ]
}

extension SignedFile: DescribedObject {
  static let members: [Member<SignedFile>] = [
    Member("file", \.path),
    Member("form") { $0.report?.form.rawValue }.of {
      .words(["attached", "detached", "pdf", "time-stamp"]).orNull
    },
    Member("outcome") { $0.report?.outcome },
    Member("signatures") { ($0.report?.signatures ?? []).map(ShownSignature.init) }.of {
      ShownSignature.listSchema
    },
    Member("inner") { ($0.report?.inner ?? []).map(ShownReport.init) }.of {
      ShownReport.listSchema
    },
    .whenPresent(
      "signedIn", \.signedIn,
      note:
        "Of a file without signatures: the one of these files that is its detached signature, over these bytes."
    ),
    .whenPresent("outside") { $0.report?.outsideWords }.of { DocumentReport.outsideSchema },
    Member(
      "error", { $0.error.map { ErrorFacts(diagnosis: Diagnosis($0)) } },
      note: "Why the file is not judged; null if it is."),
    .whenPresent(
      "answers", { $0.answers?.list },
      note: "With --online: the answers of the addresses in certificates, in the order of asking."),
    .whenPresent(
      "unasked", { $0.answers?.unasked },
      note: "With --online: addresses that were not asked because the budget of one file was spent."
    ),
  ]

  private var report: DocumentReport? { try? result.get() }

  private var error: Failure? {
    guard signedIn == nil, case .failure(let error) = result else { return nil }
    return error
  }
}

/// A report with its texts for people.
private struct ShownReport: DescribedObject {
  let report: DocumentReport

  static let members: [Member<ShownReport>] = Member.facts(of: \.report)
    .replacing(
      "signatures",
      with: [
        Member("signatures") { $0.report.signatures.map(ShownSignature.init) }.of {
          ShownSignature.listSchema
        }
      ]
    )
    .replacing(
      "inner",
      with: [Member("inner") { $0.report.inner.map(ShownReport.init) }.of { listSchema }])

  static var listSchema: Schema {
    .named("signed-inside") {
      .list(of: schema).with("maxItems", .int(1)).noted(
        "The judgement of the contents, if they are a signed file too.")
    }
  }
}

private struct ShownSignature: DescribedObject {
  let report: SignatureReport

  static var listSchema: Schema { .named("signatures") { .list(of: schema) } }

  static let members: [Member<ShownSignature>] = Member.facts(of: \.report)
    .replacing(
      "points",
      with: [
        Member("points") { $0.report.points.map(SignedPoint.init) },
        Member(
          "quality", { $0.report.quality },
          note:
            "The quality of a signature that a trusted list proves, in a sentence; null for others."
        ),
        Member("listAge", { $0.report.listAge }, note: "That this list is old; null if it is not."),
      ])
}

/// A point with its reason for people.
private struct SignedPoint: DescribedObject {
  let point: SignatureReport.Point

  static let members: [Member<SignedPoint>] = Member.facts(of: \.point)
    .replacing(
      "reason",
      with: [
        Member("reason") { $0.point.verdict.reason?.name },
        Member("what") { $0.point.verdict.reason?.text },
      ])
}

extension DocumentReport.Outcome: Described {}
