import Arguments
import CIECard

/// The key to the travel document: the CAN, or the data of the machine readable zone.
struct AccessOptions: ParsableArguments {
  @Option(help: .text("option.can", value: "digits")) var can: String?
  @Option(help: .text("option.can-fd", value: "n")) var canFd: Int32?
  @Option(help: .text("option.mrz-file", value: "file"), completion: .file()) var mrzFile: String?
  @Option(help: .text("option.document", value: "number")) var document: String?
  @Option(help: .text("option.birth", value: "date")) var birth: String?
  @Option(help: .text("option.expiry", value: "date")) var expiry: String?

  /// A source of the key to the document.
  typealias Source = (Session) throws(Failure) -> AwaitedAccess

  /// True if the command line has an option that opens the document.
  var isGiven: Bool { sources > 0 }

  /// The source, as by `access`, if the command line names one.
  var given: Source? {
    guard isGiven else { return nil }
    return { (session) throws(Failure) in try access(session) }
  }

  private var typed: [String?] { [document, birth, expiry] }

  private var sources: Int {
    [can != nil, canFd != nil, mrzFile != nil, typed.contains { $0 != nil }].count { $0 }
  }

  /// The key from the command line; without one the CAN comes from standard input or, on a terminal, from a person once
  /// the card is there.
  ///
  /// - Throws: before any card is asked, also when it is malformed.
  func access(_ session: Session) throws(Failure) -> AwaitedAccess {
    guard sources <= 1 else { throw .usage(.severalAccessCodes) }
    if let can { return .can(try AwaitedCode(.can, Secret([UInt8](can.utf8)))) }
    if let mrzFile { return .zone(try Self.zone(in: mrzFile, session.interruption)) }
    if typed.contains(where: { $0 != nil }) { return .zone(try typedZone()) }
    return .can(try AwaitedCode(.can, descriptor: canFd, file: nil, in: session))
  }

  /// Far more than a zone has, with line ends and blanks.
  private static let longestZone = 4096

  private static func zone(
    in path: String, _ interruption: Interruption
  ) throws(Failure) -> MRZ.Information {
    let bytes = try InputFile.read(path, limit: longestZone, interruption)
    let text = String(decoding: bytes, as: UTF8.self)
    let zone: MRZ
    do throws(MRZ.Malformation) { zone = try MRZ(text: text) } catch {
      throw .usage(.zoneFile)
    }
    // One wrong check digit is a misread character: the card would only reject the key.
    let wrong = zone.wrongCheckDigits.intersection([.documentNumber, .dateOfBirth, .dateOfExpiry])
    guard wrong.isEmpty else { throw .usage(.checkDigit) }
    return MRZ.Information(zone)
  }

  private func typedZone() throws(Failure) -> MRZ.Information {
    guard let document, let birth, let expiry else { throw .usage(.incompleteZone) }
    do throws(MRZ.Information.Problem) {
      return try MRZ.Information(
        documentNumber: document, dateOfBirth: birth, dateOfExpiry: expiry)
    } catch {
      switch error {
      case .documentNumber: throw .usage(.documentNumber)
      case .dateOfBirth: throw .usage(.dateOfBirth)
      case .dateOfExpiry: throw .usage(.dateOfExpiry)
      }
    }
  }
}

/// The option by which an expired document is accepted or not.
struct ValidityOptions: ParsableArguments {
  @Flag(help: .text("option.require-valid")) var requireValid = false

  var demand: ValidityDemand { ValidityDemand(isRequired: requireValid) }
}

/// The demand for validity, or its absence.
struct ValidityDemand: Sendable {
  /// True if the document must be valid.
  let isRequired: Bool

  /// The failure for which the program ends, given that of the judgement alone.
  ///
  /// - Parameter validity: `nil` if no travel document was read.
  func failure(_ validity: Validity?, besides judgement: Failure?) -> Failure? {
    if case .notProved(.false) = judgement { return judgement }
    guard isRequired else { return judgement }
    if validity?.isExpired == true, let until = validity?.until { return .expired(until) }
    return judgement ?? (validity?.isExpired == nil ? .validityUnknown : nil)
  }
}

/// Data groups as a command line names them: `dg1,dg2,dg11`.
enum DataGroupList {
  /// - Throws: `usage` for an unknown name, or DG3 or DG4.
  static func groups(in text: String) throws(Failure) -> Set<DataGroup> {
    var groups: Set<DataGroup> = []
    for name in text.split(separator: ",", omittingEmptySubsequences: false) {
      guard let group = DataGroup(name: name) else { throw .usage(.unknownDataGroup) }
      guard !DataGroup.ofTheState.contains(group) else {
        throw .usage(.protectedDataGroup)
      }
      groups.insert(group)
    }
    return groups
  }
}

extension DataGroup {
  /// Fingerprints and irises, which the card shows to the issuing state alone (Doc 9303-11 §7.1).
  static let ofTheState: Set<DataGroup> = [.dg3, .dg4]
}
