public import CIECard

extension Trace {
  /// Everything done with a travel document in one contact.
  public struct DocumentVisit: Sendable, Equatable {
    /// The code that opens it.
    public let code: DocumentCode
    /// The tasks, in order.
    public let tasks: [DocumentTask]
    /// True if the session then ends and the services number is read on the other side of the card.
    public let readsServicesNumberAfterwards: Bool

    /// A visit.
    public init(
      code: DocumentCode, tasks: [DocumentTask], readsServicesNumberAfterwards: Bool = false
    ) {
      self.code = code
      self.tasks = tasks
      self.readsServicesNumberAfterwards = readsServicesNumberAfterwards
    }
  }

  /// The code that opens a travel document, as printed on the card of an invented citizen.
  public enum DocumentCode: Sendable, Equatable {
    /// The card access number, six digits.
    case can(String)
    /// Document number, date of birth and date of expiry, the dates as YYMMDD.
    case mrz(number: String, birth: String, expiry: String)
  }

  /// One task with an open travel document.
  public enum DocumentTask: Sendable, Equatable {
    /// Reading a file as a whole.
    case read(DocumentFile)
    /// Reading EF.COM as in Doc 9303-11 appendix D.4: SELECT, and a READ BINARY of each length.
    case readCommonData(inParts: [Int])
    /// Chip authentication with the key of DG14, if that was read before.
    case authenticateChip
    /// Active authentication; the answer is verified with the key of DG15, if that was read before.
    case answerChallenge
  }

  /// A file of the travel document.
  public enum DocumentFile: Sendable, Hashable {
    /// EF.COM.
    case common
    /// EF.SOD.
    case securityObject
    case group(DataGroup)

    /// `com`, `sod`, `dg1` to `dg16`.
    public var name: String {
      switch self {
      case .common: "com"
      case .securityObject: "sod"
      case .group(let group): group.name
      }
    }

    init?(name: some StringProtocol) {
      switch name {
      case "com": self = .common
      case "sod": self = .securityObject
      default:
        guard let group = DataGroup(name: name), group.name == name else { return nil }
        self = .group(group)
      }
    }
  }
}

extension Trace.DocumentCode {
  /// The printed data; `nil` for a CAN and for invalid dates.
  var mrzInformation: MRZ.Information? {
    switch self {
    case .can: nil
    case .mrz(let number, let birth, let expiry):
      birth.utf8.count == 6 && expiry.utf8.count == 6
        ? try? MRZ.Information(documentNumber: number, dateOfBirth: birth, dateOfExpiry: expiry)
        : nil
    }
  }
}

extension Trace.DocumentTask {
  /// The text form: `read dg1`, `read com in 4 18`, `chip-authentication`, `active-authentication`.
  init?(text: String) {
    switch text {
    case "chip-authentication": self = .authenticateChip
    case "active-authentication": self = .answerChallenge
    case _ where text.hasPrefix(Self.partsText):
      let words = text.dropFirst(Self.partsText.count).split(separator: " ")
      let lengths = words.compactMap { Int($0) }.filter { (1...256).contains($0) }
      self = .readCommonData(inParts: lengths)
      guard self.text == text else { return nil }
    default:
      guard text.hasPrefix("read "), let file = Trace.DocumentFile(name: text.dropFirst(5)) else {
        return nil
      }
      self = .read(file)
    }
  }

  private static let partsText = "read com in "

  fileprivate var text: String {
    switch self {
    case .read(let file): "read \(file.name)"
    case .readCommonData(let lengths):
      Self.partsText + lengths.map { String($0) }.joined(separator: " ")
    case .authenticateChip: "chip-authentication"
    case .answerChallenge: "active-authentication"
    }
  }
}

extension Trace.DocumentVisit {
  /// The only thing that a trace can do afterwards.
  static let servicesNumber = "nis"

  var lines: [(TraceKey, String)] {
    let opening: (TraceKey, String) =
      switch code {
      case .can(let digits): (.can, digits)
      case .mrz(let number, let birth, let expiry): (.mrz, "\(number) \(birth) \(expiry)")
      }
    return [opening] + tasks.map { (.task, $0.text) }
      + (readsServicesNumberAfterwards ? [(.afterwards, Self.servicesNumber)] : [])
  }
}
