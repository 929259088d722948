package import CIECard
import Messages

/// The combined contents of a travel document's files; being here does not prove them.
package struct DocumentData: Sendable {
  package private(set) var zone: MRZ?
  package private(set) var person: DataGroup.PersonalDetails?
  package private(set) var issue: DataGroup.DocumentDetails?
  package private(set) var portrait: DataGroup.Portrait?
  /// The groups that are listed but were not returned, or that are malformed.
  package private(set) var unreadable: [DataGroup] = []
  /// The requested groups that the document does not have.
  package private(set) var absent: [DataGroup] = []
  private let validity: Validity

  /// - Parameters:
  ///   - evidence: the files read, and the groups that the card did not return.
  ///   - wanted: the groups to show.
  ///   - withheld: the groups that are present but not reliable.
  ///   - validity: has the dates of the zone with their centuries.
  package init(
    _ evidence: AuthenticityReport.Evidence.Document, wanted: Set<DataGroup>, isNamed: Bool,
    withheld: Set<DataGroup>, _ validity: Validity
  ) {
    self.validity = validity
    let shown = wanted.subtracting(withheld).union(evidence.unread)
    for group in DataGroup.allCases where shown.contains(group) {
      guard let file = evidence.files[group] else {
        if evidence.unread.contains(group) {
          unreadable.append(group)
        } else if isNamed {
          absent.append(group)
        }
        continue
      }
      do throws(DataGroup.Malformation) { try take(group, file) } catch {
        unreadable.append(group)
      }
    }
  }

  private mutating func take(
    _ group: DataGroup, _ file: [UInt8]
  ) throws(DataGroup.Malformation) {
    switch group {
    case .dg1: zone = try MRZ(dataGroup1: file)
    case .dg2: portrait = try DataGroup.Portrait(dataGroup2: file)
    case .dg11: person = try DataGroup.PersonalDetails(dataGroup11: file)
    case .dg12: issue = try DataGroup.DocumentDetails(dataGroup12: file)
    case .dg3, .dg4, .dg5, .dg6, .dg7, .dg8, .dg9, .dg10, .dg13, .dg14, .dg15, .dg16: break
    }
  }

  /// Complete in DG11, possibly cut in the zone.
  package var name: DataGroup.PersonalDetails.Name? { person?.name ?? zone?.name }

  /// With its century: DG11 has it, the zone leaves it to be derived.
  package var birth: MRZ.PartialDate? {
    person?.dateOfBirth ?? (zone == nil ? nil : validity.birth)
  }

  package var expiry: MRZ.PartialDate? { zone == nil ? nil : validity.until }

  /// True if the last day of validity is over; `nil` without a date.
  package var isExpired: Bool? { zone == nil ? nil : validity.isExpired }
}

extension AuthenticityReport {
  /// The groups that are present but not reliable.
  var withheld: Set<DataGroup> {
    switch knownFault {
    case .dataGroup12: [.dg12]
    case nil: []
    }
  }
}

extension MRZ.Sex {
  /// As the zone writes it, with the X of the visual zone for the filler.
  package var letter: String {
    switch self {
    case .female: "F"
    case .male: "M"
    case .unspecified: "X"
    }
  }
}

extension DataGroup {
  /// Fingerprints and irises, which the card shows to the issuing state alone (Doc 9303-11 §7.1).
  package static let ofTheState: Set<DataGroup> = [.dg3, .dg4]
}

/// The data read from a travel document, and their judgement.
package struct DocumentFinding: Sendable {
  package let reading: DocumentReading
  package let data: DocumentData

  package let signer: DocumentSigner
  package let requiresValidity: Bool
  /// The reason why a file of it was not written; it matters less than a false document.
  package var problem: Failure?

  /// The reason why the document is not good, if any.
  package var failure: Failure? {
    let judgement: Failure? =
      switch reading.report.outcome {
      case .proved: problem
      case .false: .notProved(.false)
      case .knownFault: problem ?? .notProved(reading.report.outcome)
      case .couldNotCheck:
        problem ?? reading.present.problem(of: [reading.report]).map { .found($0) }
          ?? .notProved(reading.report.outcome)
      }
    return Validity?(reading.validity).failure(isRequired: requiresValidity, besides: judgement)
  }
}

/// The signer of a document, and the CSCA behind.
package struct DocumentSigner: Sendable {
  package let certificate: Certificate?
  package let anchor: Certificate?
  package let signingTime: UTCTime?

  package init(securityObject file: [UInt8]?, trust: TrustStore?, at time: UTCTime) {
    let object = file.flatMap { try? SecurityObject(file: $0) }
    certificate = object?.signer
    signingTime = object?.signingTime
    anchor = object.flatMap { trust?.anchor(of: $0.signer, at: time) }
  }
}
