import CIECard
import Messages

/// What the files of a travel document say, taken together; nothing of it is proved by being here.
struct DocumentData: Sendable {
  private(set) var zone: MRZ?
  private(set) var person: DataGroup.PersonalDetails?
  private(set) var issue: DataGroup.DocumentDetails?
  private(set) var portrait: DataGroup.Portrait?
  /// The groups that are there and have not their form.
  private(set) var unreadable: [DataGroup] = []
  /// The groups that were wanted and are not there.
  private(set) var absent: [DataGroup] = []
  /// When the dates are looked at.
  private let time: UTCTime

  /// - Parameters:
  ///   - files: what was read.
  ///   - wanted: what is to be shown of it.
  ///   - withheld: what is there and says nothing that could be relied on.
  init(
    _ files: [DataGroup: [UInt8]], wanted: Set<DataGroup>, isNamed: Bool,
    withheld: Set<DataGroup>, at time: UTCTime
  ) {
    self.time = time
    for group in DataGroup.allCases where wanted.subtracting(withheld).contains(group) {
      guard let file = files[group] else {
        if isNamed { absent.append(group) }
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

  /// Whole in DG11, perhaps cut in the zone.
  var name: DataGroup.PersonalDetails.Name? { person?.name ?? zone?.name }

  /// With its century: DG11 has it, the zone leaves it to be told from today.
  var birth: MRZ.PartialDate? { person?.dateOfBirth ?? today.flatMap { zone?.birthDate(asOf: $0) } }

  var expiry: MRZ.PartialDate? { today.flatMap { zone?.expiryDate(asOf: $0) } }

  /// Whether the last day of validity is over; `nil` without a date.
  var isExpired: Bool? {
    today.flatMap { expiry?.isOver(on: $0) }
  }

  private var today: MRZ.PartialDate? { MRZ.PartialDate(time) }
}

extension AuthenticityReport {
  /// What is there and says nothing that could be relied on.
  var withheld: Set<DataGroup> {
    switch knownFault {
    case .dataGroup12: [.dg12]
    case nil: []
    }
  }
}

extension MRZ.Sex {
  /// As the zone writes it, with the X of the visual zone for the filler.
  var letter: String {
    switch self {
    case .female: "F"
    case .male: "M"
    case .unspecified: "X"
    }
  }
}
