import Arguments
import CIECard
import CardWork
import Messages
import Primitives

/// The line for the police's portal that a hotel leaves for each guest.
struct GuestChoice: Readable {
  static let title: String? = "guest"

  private var file: String?
  private var places: [String] = []
  private var nights: Int?
  private var role = GuestRecord.Role.single
  private var arrival = Arrival.today
  private var issuer: String?
  private var isGiven = false

  /// The only days that the portal takes.
  private enum Arrival: String, CaseIterable, ArgumentValue {
    case today
    case yesterday
  }

  /// None.
  init() {}

  init(from inputs: inout Inputs) throws(Failure) {
    let before = inputs.given.count
    file = try inputs.text(
      "alloggiati", help: "option.alloggiati", value: "file", completion: .file())
    places = try inputs.texts(
      "places", help: "option.places", value: "file", completion: .file())
    nights = try inputs.option("nights", help: "option.nights", value: "n")
    role = try inputs.option("guest", default: .single, help: "option.guest", value: "role")
    arrival = try inputs.option("arrival", default: .today, help: "option.arrival", value: "day")
    issuer = try inputs.text("issued-in", help: "option.issued-in", value: "place")
    isGiven = inputs.given.count > before
  }

  /// The order for a line; `nil` without options.
  ///
  /// - Throws: before any card is asked, also for a table or a file of another form, or a table without a place that does
  ///   not depend on the card.
  func order(in context: RunContext) throws(Failure) -> GuestOrder? {
    guard isGiven else { return nil }
    guard let file, let nights, !places.isEmpty else { throw .usage("guest-incomplete") }
    guard (1...30).contains(nights) else {
      throw .usage("bad-value", ["name": "--nights"], key: "bad-value-named")
    }
    let day = UTCCalendar.localMoment(context.time.seconds)
    var arrived = [day.year, day.month, day.day]
    if arrival == .yesterday {
      let start = UTCCalendar.start(year: day.year, month: day.month, day: day.day)
      let date = UTCTime(seconds: start - 86_400).date
      arrived = [date.year, date.month, date.day]
    }
    let order = GuestOrder(
      file: GuestFile(path: file), places: try PlaceTable(places),
      stay: GuestRecord.Stay(role: role, arrival: arrived, nights: nights, issuer: issuer))
    _ = try order.file.lines()
    _ = try order.places.state("ITALIA", on: arrived)
    if let issuer { _ = try GuestRecord.issuer(issuer, order.places, arrived) }
    return order
  }
}

/// A line to be made from a card, and its place.
struct GuestOrder {
  /// The data of the line.
  static let groups: Set<DataGroup> = [.dg1, .dg11, .dg12]

  fileprivate let file: GuestFile
  fileprivate let places: PlaceTable
  fileprivate let stay: GuestRecord.Stay

  /// Writes the line of a proved document.
  func finish(_ data: DocumentData) throws(Failure) -> WrittenGuest {
    let record = try GuestRecord(data, stay, places)
    return WrittenGuest(
      file: file.path, entry: try file.add(record.line), name: record.name,
      isZoneName: record.isZoneName)
  }
}

/// The line that is in the file now.
struct WrittenGuest: DescribedObject {
  let file: String
  let entry: GuestFile.Entry
  let name: DataGroup.PersonalDetails.Name
  let isZoneName: Bool

  static let note: String? = "The line for the police's portal, with --alloggiati."
  static let members: [Member<WrittenGuest>] = [
    Member("file", \.file),
    Member("written", { $0.entry != .there }, note: "False if the same line was there."),
    Member(
      "replaced", { $0.entry == .replaced },
      note: "True if it replaced another line of the guest with the same arrival."),
    Member("surname", \.name.surname, note: "As the line has it."),
    Member("givenNames", \.name.givenNames),
  ]

  func lines(isTest: Bool, _ language: Language) -> [String] {
    let name = isZoneName ? [Message("guest.zone-name")(language)] : []
    let end =
      switch entry {
      case .added: Message("guest.written", ["path": file])
      case .replaced: Message("guest.replaced", ["path": file])
      case .there: Message("guest.there", ["path": file])
      }
    return [end.of(test: isTest)(language)] + name
  }
}
