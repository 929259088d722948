/// Content of the file of a local code: about the code itself only its length and its salted scrypt hash.
enum LocalCodeRecord: Sendable, Equatable {
  case code(StoredCode)
  /// Too many wrong codes were entered; the hash is deleted.
  case exhausted

  static let limit = 4096
}

extension LocalLock {
  /// Purposes for which the code is requested; each has a separate count of tries.
  public enum Flow: String, Sendable, CaseIterable {
    case enter
    /// Entry of the old code, before a new one is chosen.
    case change
  }
}

struct StoredCode: Sendable, Equatable {
  /// Number of wrong codes allowed in each flow.
  static let tries = 3

  let length: Int
  let scrypt: Scrypt
  let salt: [UInt8]
  let hash: [UInt8]
  private(set) var triesLeft: [LocalLock.Flow: Int]
  /// Time of the last entry of the code or use of the session; `nil` while it is locked.
  var lastUse: LockMoment?

  /// Creates a new code, with this moment as its last use.
  init(_ code: borrowing LocalCode, at now: LockMoment) throws(CryptoError) {
    var random = SystemRandom()
    length = code.length
    scrypt = .usual
    salt = try random.bytes(LocalCode.saltLength)
    hash = try code.hash(scrypt, salt: salt)
    triesLeft = Self.allTries
    lastUse = now
  }

  private static var allTries: [LocalLock.Flow: Int] {
    Dictionary(uniqueKeysWithValues: LocalLock.Flow.allCases.map { ($0, tries) })
  }

  func triesLeft(_ flow: LocalLock.Flow) -> Int { triesLeft[flow] ?? 0 }

  var isSpent: Bool { LocalLock.Flow.allCases.contains { triesLeft($0) <= 0 } }

  func isSameCode(as other: StoredCode) -> Bool { salt == other.salt && hash == other.hash }

  /// Counts a try, before its result is known.
  mutating func takeTry(_ flow: LocalLock.Flow) {
    triesLeft[flow] = triesLeft(flow) - 1
    lastUse = nil
  }

  mutating func restoreTries(at now: LockMoment) {
    triesLeft = Self.allTries
    lastUse = now
  }

  func matches(_ code: borrowing LocalCode) throws(CryptoError) -> Bool {
    ConstantTime.equal(try code.hash(scrypt, salt: salt), hash)
  }
}

extension LocalCodeRecord {
  var text: [UInt8] {
    let members: [JSON.Member] =
      switch self {
      case .exhausted: [.init("exhausted", true)]
      case .code(let code): code.members
      }
    return [UInt8](JSON.object([.init("version", 1)] + members).text.utf8)
  }

  /// Parses a file; `nil` for content that this program does not write.
  init?(_ text: [UInt8]) {
    guard let value = try? JSONValue(text), value["version"]?.integer == 1 else { return nil }
    if value["exhausted"]?.isTrue == true {
      self = .exhausted
      return
    }
    guard let code = StoredCode(value) else { return nil }
    self = .code(code)
  }
}

extension StoredCode {
  fileprivate var members: [JSON.Member] {
    let scrypt: [JSON.Member] = [
      .init("N", self.scrypt.cost), .init("r", self.scrypt.blockSize),
      .init("p", self.scrypt.parallelization),
    ]
    let tries = LocalLock.Flow.allCases.map { JSON.Member($0.rawValue, triesLeft($0)) }
    let lastUse: [JSON.Member] =
      self.lastUse.map { [.init("start", $0.start), .init("seconds", $0.seconds)] } ?? []
    return [
      .init("length", length), .init("scrypt", .object(scrypt)), .init("salt", salt.hexadecimal),
      .init("hash", hash.hexadecimal), .init("triesLeft", .object(tries)),
      .init("lastUse", .object(lastUse)),
    ]
  }

  fileprivate init?(_ value: JSONValue) {
    guard let length = value["length"]?.integer, LocalCode.lengths.contains(length),
      let cost = value["scrypt"]?["N"]?.integer, let blockSize = value["scrypt"]?["r"]?.integer,
      let parallelization = value["scrypt"]?["p"]?.integer,
      let salt = value["salt"]?.text.flatMap([UInt8].init(hexadecimal:)),
      salt.count == LocalCode.saltLength,
      let hash = value["hash"]?.text.flatMap([UInt8].init(hexadecimal:)),
      hash.count == LocalCode.hashLength
    else { return nil }
    scrypt = Scrypt(cost: cost, blockSize: blockSize, parallelization: parallelization)
    guard scrypt.isReasonable else { return nil }
    triesLeft = [:]
    for flow in LocalLock.Flow.allCases {
      guard let left = value["triesLeft"]?[flow.rawValue]?.integer, (0...Self.tries).contains(left)
      else { return nil }
      triesLeft[flow] = left
    }
    (self.length, self.salt, self.hash) = (length, salt, hash)
    lastUse =
      if let start = value["lastUse"]?["start"]?.text,
        let seconds = value["lastUse"]?["seconds"]?.integer
      { LockMoment(start: start, seconds: seconds) } else { nil }
  }
}
