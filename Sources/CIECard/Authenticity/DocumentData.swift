/// The combined contents of a travel document's files; being here does not prove them.
public struct DocumentData: Sendable {
  /// The machine readable zone, from DG1.
  public private(set) var zone: MRZ?
  /// The details of the holder, from DG11.
  public private(set) var person: DataGroup.PersonalDetails?
  /// The details of the document, from DG12.
  public private(set) var issue: DataGroup.DocumentDetails?
  /// The holder's portrait, from DG2.
  public private(set) var portrait: DataGroup.Portrait?
  /// The groups that are listed but were not returned, or that are malformed.
  public private(set) var unreadable: [DataGroup] = []
  /// The groups asked for by name that the document does not have.
  public private(set) var absent: [DataGroup] = []
  /// All files that were read, also for the proof alone.
  package let files: [ReadFile]
  let validity: Validity

  /// Takes the contents out of the files, except those of a group that a known fault makes unreliable.
  ///
  /// - Parameters:
  ///   - evidence: the files read, and the groups that the card did not return.
  ///   - report: the judgement of them.
  ///   - groups: the groups to take; `nil` for all that were read.
  ///   - store: has the signer's certificate if EF.SOD does not.
  ///   - time: the present, from which centuries and expiry follow.
  ///   - earliest: if that is the time of a clock, a time that the present cannot precede. Nothing is expired by a
  ///     clock that is before it, or before the signed issue of the document.
  public init(
    of evidence: AuthenticityReport.Evidence.Document, judgedBy report: AuthenticityReport,
    named groups: Set<DataGroup>? = nil, knowing store: TrustStore? = nil, at time: UTCTime,
    notBefore earliest: UTCTime? = nil
  ) {
    self.init(
      of: evidence, judgedBy: report, named: groups,
      Validity(
        evidence, report, knowing: store, at: JudgementTime(time, notBefore: earliest)))
  }

  /// - Parameter validity: has the dates of the zone with their centuries.
  package init(
    of evidence: AuthenticityReport.Evidence.Document, judgedBy report: AuthenticityReport,
    named groups: Set<DataGroup>?, _ validity: Validity
  ) {
    self.validity = validity
    files = evidence.readFiles
    let shown = (groups ?? Set(DataGroup.allCases)).subtracting(report.withheld)
      .union(evidence.unread)
    for group in DataGroup.allCases where shown.contains(group) {
      guard let file = evidence.files[group] else {
        if evidence.unread.contains(group) {
          unreadable.append(group)
        } else if groups != nil {
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

  /// The name: complete in DG11, possibly cut in the zone.
  public var name: DataGroup.PersonalDetails.Name? { person?.name ?? zone?.name }

  /// The date of birth with its century: DG11 has it, the zone leaves it to be derived.
  public var birth: MRZ.PartialDate? {
    person?.dateOfBirth ?? (zone == nil ? nil : validity.birth)
  }

  /// The last day of validity, with its century.
  public var expiry: MRZ.PartialDate? { zone == nil ? nil : validity.until }

  /// True if that day is over; `nil` without a date, and by a clock that is wrong.
  public var isExpired: Bool? { zone == nil ? nil : validity.isExpired }
}

extension AuthenticityReport {
  /// The groups that are present but not reliable.
  fileprivate var withheld: Set<DataGroup> {
    switch knownFault {
    case .dataGroup12: [.dg12]
    case nil: []
    }
  }
}

extension AuthenticityReport.Evidence.Document {
  /// Every file that was read, in the order of `DocumentFile`.
  fileprivate var readFiles: [ReadFile] {
    DocumentFile.allCases.compactMap { file in
      file.contents(self).map { ReadFile(kind: file, bytes: $0) }
    }
  }
}
