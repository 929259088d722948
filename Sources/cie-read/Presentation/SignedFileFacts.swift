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
    Member("length", \.document?.length, note: "The bytes of the file before it was signed."),
    Member("pages", \.document?.pages, note: "The pages of a PDF."),
    Member(
      "digest", { $0.document.map { Digits($0.digest.bytes) } },
      note: "SHA-256 of the contents: of the file, or of those inside an existing signature."),
    Member("earlierSignatures", \.document?.signatures),
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
    Member("outcome", \.report?.outcome),
    Member("signatures") { $0.report?.signatures ?? [] }.of { SignatureReport.listSchema },
    Member("inner") { $0.report?.inner ?? [] }.of { DocumentReport.listSchema },
    .whenPresent("outside", \.report?.shownOutside).of { DocumentReport.outsideSchema },
    Member(
      "error", { $0.error.map { ErrorFacts(diagnosis: Diagnosis($0)) } },
      note: "Why the file is not judged; null if it is."),
    .whenPresent(
      "answers", \.answers?.list,
      note: "With --online: the answers of the addresses in certificates, in the order of asking."),
    .whenPresent(
      "unasked", \.answers?.unasked,
      note: "With --online: addresses that were not asked because the budget of one file was spent."
    ),
  ]

  private var report: DocumentReport? { try? result.get() }

  private var error: Failure? { if case .failure(let error) = result { error } else { nil } }
}

extension DocumentReport: DescribedObject {
  static let members: [Member<DocumentReport>] = [
    Member("form", \.form.rawValue).of { .words(["attached", "detached", "pdf"]) },
    Member("outcome", \.outcome),
    Member("signatures", \.signatures).of { SignatureReport.listSchema },
    Member("inner", \.inner).of { listSchema },
    .whenPresent("outside", \.shownOutside).of { outsideSchema },
  ]

  fileprivate static var listSchema: Schema {
    .named("signed-inside") {
      .list(of: schema).with("maxItems", .int(1)).noted(
        "The judgement of the contents, if they are a signed file too.")
    }
  }

  fileprivate static var outsideSchema: Schema {
    .named("signed-outside") {
      .list(of: .words(["text", "message", "bytes", "signatures"]), atLeast: 1).noted(
        "What stands in the file beside the judged part, and no signature covers; absent without such."
      )
    }
  }

  fileprivate var shownOutside: [String]? { outside.isEmpty ? nil : outside.map(\.rawValue) }
}

extension SignatureReport: DescribedObject {
  fileprivate static var listSchema: Schema { .named("signatures") { .list(of: schema) } }

  static let members: [Member<SignatureReport>] = [
    Member(
      "signer", \.signer?.subject.text, note: "The subject of the certificate; null without one."),
    Member("issuer", \.signer?.issuer.text), Member("serial", \.signer?.serial),
    Member("claimedTime", \.claimedTime, note: "The signer's word, not a proof."),
    Member("kind") { $0.isTimeStamp ? "time-stamp" : "signature" }.of {
      .words(["signature", "time-stamp"]).noted("A time stamp of a PDF, or one by itself (.tsr).")
    },
    Member(
      "timeStamp", \.hasTimeStamp,
      note: "There is one, which is judged with --tsa-trust alone."),
    Member("stampedTime", \.stampedTime, note: "The time of a proved time stamp."),
    Member("nonRepudiation", \.commits, note: "The certificate is for signatures that commit."),
    Member("outcome", \.outcome).of {
      .words(["proved", "later-bytes", "false", "could-not-check"])
    },
    Member("indication", \.indication.rawValue).of {
      .words(["passed", "failed", "indeterminate"]).noted(
        "The end of the validation by EN 319 102-1, whatever came later.")
    },
    Member("subindication", \.subindication, note: "The reason for an end that is not passed."),
    Member(
      "signedLength", \.signedLength,
      note: "The bytes of a PDF that are covered, from its beginning; null for other files."),
    Member("laterBytes", \.laterBytes),
    Member("laterContent", \.laterContent.rawValue).of {
      .words(["none", "signatures", "signatures-shown", "other"]).noted(
        "Whether these bytes are only further signatures, time stamps and evidence; "
          + "signatures-shown if one of them has a picture in a new field.")
    },
    Member(
      "issuerAddress", \.issuerAddress,
      note: "Where the issuer's certificate is, by the certificate's own word; "
        + "null if the issuer is trusted."),
    Member("points") { $0.judged.map(SignedPoint.init) },
    Member(
      "unjudged", { $0.unjudged.map { UnjudgedPoint(kind: $0.kind, absence: $0.absence) } },
      note: "The points that were not judged, with the reasons."),
  ]
}

/// A judged point, which has the name of EN 319 102-1, too.
private struct SignedPoint: DescribedObject {
  let point: JudgedPoint

  static let members: [Member<SignedPoint>] = [
    Member("point", \.point.point).of { .words(SignatureReport.Kind.allCases.map(\.rawValue)) },
    Member("verdict", \.point.verdict).of { .words(["proved", "false", "could-not-check"]) },
    Member("reason", \.point.reason?.name), Member("what", \.point.reason?.text),
    .whenPresent("subindication", \.point.subindication),
  ]
}

private struct UnjudgedPoint: DescribedObject {
  let kind: SignatureReport.Kind
  let absence: SignatureReport.Absence

  static let members: [Member<UnjudgedPoint>] = [
    Member("point", \.kind.rawValue), Member("reason", \.absence),
  ]
}

extension SignatureReport.Absence: StableWord {
  static let words = ["nothing-to-judge", "no-evidence", "no-authorities", "not-reached"]
}

extension Subindication: StableWord {
  static let definition: String? = "subindication"
  static let note: String? = "Names of EN 319 102-1, tables 5 and 6."
  static let words: [String] = allCases.map(\.rawValue)
}

extension DocumentReport.Outcome: StableWord {
  static let definition: String? = "signed-outcome"
  static let note: String? =
    "The worst of the signatures, those inside included; null if the file is not judged."
  static let words = [
    "proved", "later-bytes", "in-part", "only-time-stamps", "false", "could-not-check",
    "no-signature",
  ]

  var word: String {
    switch self {
    case .proved: "proved"
    case .provedForItsRevision: "later-bytes"
    case .provedInPart: "in-part"
    case .onlyTimeStamps: "only-time-stamps"
    case .false: "false"
    case .couldNotCheck: "could-not-check"
    case .noSignature: "no-signature"
    }
  }
}
