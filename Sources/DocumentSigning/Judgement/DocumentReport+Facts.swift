import CIECard
public import Primitives

/// The members of a report for scripts. `cie-read check --json` prints the same ones, with texts for people.
extension DocumentReport: StableObject, Encodable {
  package static let facts: [Fact<DocumentReport>] = [
    Fact("form", \.form.rawValue).of { .words(["attached", "detached", "pdf"]) },
    Fact("outcome", \.outcome),
    Fact("signatures", \.signatures), Fact("inner", \.inner),
    .whenPresent("outside", \.outsideWords).of { outsideSchema },
  ]

  /// The parts that no signature covers; nil without any.
  package var outsideWords: [String]? { outside.isEmpty ? nil : outside.map(\.rawValue) }

  package static var outsideSchema: Schema {
    .named("signed-outside") {
      .list(of: .words(["text", "message", "bytes", "signatures"]), atLeast: 1).noted(
        "What stands in the file beside the judged part, and no signature covers; absent without such."
      )
    }
  }

  /// Encodes `form`, `outcome`, `signatures`, `inner` and, where there is any, `outside`.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

extension SignatureReport: StableObject, Encodable {
  package static let facts: [Fact<SignatureReport>] =
    identity + [
      Fact("outcome", \.outcome).of {
        .words(["proved", "later-bytes", "false", "could-not-check"])
      },
      Fact("indication", \.indication.rawValue).of {
        .words(["passed", "failed", "indeterminate"]).noted(
          "The end of the validation by EN 319 102-1, whatever came later.")
      },
      Fact("subindication", \.subindication, note: "The reason for an end that is not passed."),
      Fact(
        "signedLength", \.signedLength,
        note: "The bytes of a PDF that are covered, from its beginning; null for other files."),
      Fact("laterBytes", \.laterBytes),
      Fact("laterContent", \.laterContent.rawValue).of {
        .words(["none", "signatures", "signatures-shown", "other"]).noted(
          "Whether these bytes are only further signatures, time stamps and evidence; "
            + "signatures-shown if one of them has a picture in a new field.")
      },
      Fact(
        "issuerAddress", \.issuerAddress,
        note: "Where the issuer's certificate is, by the certificate's own word; "
          + "null if the issuer is trusted."),
      Fact("points", \.points),
      Fact(
        "unjudged", { $0.unjudged.map { UnjudgedPoint(kind: $0.kind, absence: $0.absence) } },
        note: "The points that were not judged, with the reasons."),
    ]

  private static let identity: [Fact<SignatureReport>] = [
    Fact(
      "signer", { $0.signer?.subject.text },
      note: "The subject of the certificate; null without one."),
    Fact("issuer") { $0.signer?.issuer.text }, Fact("serial") { $0.signer?.serial },
    Fact("claimedTime", \.claimedTime, note: "The signer's word, not a proof."),
    Fact("kind") { $0.isTimeStamp ? "time-stamp" : "signature" }.of {
      .words(["signature", "time-stamp"]).noted("A time stamp of a PDF, or one by itself (.tsr).")
    },
    Fact(
      "timeStamp", \.hasTimeStamp,
      note: "There is one, which is judged with --tsa-trust alone."),
    Fact("stampedTime", \.stampedTime, note: "The time of a proved time stamp."),
    Fact("nonRepudiation", \.commits, note: "The certificate is for signatures that commit."),
    Fact(
      "trustedBy", \.trustedBy,
      note: "The service of a trusted list that was allowed to issue the certificate or to make "
        + "the time stamp; null without one, also if --trust alone proves the issuer."),
    Fact(
      "qualified", \.isQualified,
      note: "A qualified signature, seal or time stamp of Regulation (EU) 910/2014; null if that "
        + "is not known, or not everything is proved."),
    Fact(
      "qualification", \.qualification,
      note: "The conclusion of TS 119 615; null as qualified is, but for undetermined."),
    Fact("listOf", { $0.trustedBy?.list.territory }, note: "The territory of that list."),
    Fact("asOf", { $0.trustedBy?.list.issued }, note: "The day on which that list was issued."),
  ]

  /// Encodes the signer, the times, the outcome, and the points in stable words.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// The first address of the missing issuer's certificate, as the signer's certificate says.
  package var issuerAddress: String? {
    switch self[.chain] {
    case .couldNotCheck(.issuerUnknown), .couldNotCheck(.noTrustStore):
      signer?.addresses.issuers.first
    case nil, .proved, .false, .couldNotCheck: nil
    }
  }
}

extension SignatureReport.TrustedBy: StableObject {
  package static let definition: String? = "trusted-by"
  package static let facts: [Fact<SignatureReport.TrustedBy>] = [
    Fact("provider", \.provider), Fact("service", \.service),
    Fact("national", \.isNational, note: "A state recognises the service without qualifying it."),
    Fact(
      "nextUpdate", \.list.nextUpdate,
      note: "The time by which a newer list is issued; null for a closed one."),
    Fact("old", \.isListOld, note: "That time is past."),
  ]
}

extension SignatureReport.Qualification: StableWord {
  package static let definition: String? = "qualification"
}

extension SignatureReport.Point: StableObject, Encodable {
  package static let facts: [Fact<SignatureReport.Point>] = [
    Fact("point", \.kind.rawValue).of { .words(SignatureReport.Kind.allCases.map(\.rawValue)) },
    Fact("verdict", \.verdict.word).of { .words(["proved", "false", "could-not-check"]) },
    Fact("reason") { $0.verdict.reason?.name },
    .whenPresent("subindication", \.verdict.subindication),
  ]

  /// Encodes `point`, `verdict`, `reason` and, where it is not proved, `subindication`.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }
}

private struct UnjudgedPoint: StableObject {
  let kind: SignatureReport.Kind
  let absence: SignatureReport.Absence

  static let facts: [Fact<UnjudgedPoint>] = [
    Fact("point", \.kind.rawValue), Fact("reason", \.absence),
  ]
}

extension SignatureReport.Absence: StableWord {
  package static let words = ["nothing-to-judge", "no-evidence", "no-authorities", "not-reached"]
}

extension Subindication: StableWord {
  package static let definition: String? = "subindication"
  package static let note: String? = "Names of EN 319 102-1, tables 5 and 6."
  package static let words: [String] = allCases.map(\.rawValue)
}

extension DocumentReport.Outcome: StableWord {
  package static let definition: String? = "signed-outcome"
  package static let note: String? =
    "The worst of the signatures, those inside included; null if the file is not judged."
  package static let words = [
    "proved", "later-bytes", "in-part", "only-time-stamps", "false", "could-not-check",
    "no-signature",
  ]

  /// One word for a file or a script, which does not change.
  public var word: String {
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
