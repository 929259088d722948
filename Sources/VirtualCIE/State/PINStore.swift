internal import CIECard
internal import Synchronization

/// The part of a card's memory that it writes: PIN and PUK with their tries.
///
/// Cards with the same memory are one card, put on a reader again and again.
public final class CardMemory: Sendable {
  private let written = Mutex<PINStore?>(nil)

  /// The memory of a card as issued.
  public init() {}

  /// PIN and PUK; nil if they are still those of the persona.
  var codes: PINStore? {
    get { written.withLock { $0 } }
    set { written.withLock { $0 = newValue } }
  }
}

/// The two secrets of the holder (P2 of the PIN commands).
enum PINReference: UInt8 {
  case pin = 0x81
  case puk = 0x82
}

/// PIN and PUK with their try counters; it survives resets, as a card's memory does.
struct PINStore {
  /// Length of both, in ASCII digits.
  static let length = 8

  private var pin: Entry
  private var puk: Entry

  init(pin: [UInt8], puk: [UInt8]) {
    self.pin = Entry(value: pin, maximum: 3)
    self.puk = Entry(value: puk, maximum: 10)
  }

  struct Entry {
    fileprivate(set) var value: [UInt8]
    let maximum: Int
    /// Tries left; 0 is blocked.
    fileprivate(set) var remaining: Int

    init(value: [UInt8], maximum: Int) {
      self.value = value
      self.maximum = maximum
      remaining = maximum
    }
  }

  subscript(reference: PINReference) -> Entry {
    get {
      switch reference {
      case .pin: pin
      case .puk: puk
      }
    }
    set {
      switch reference {
      case .pin: pin = newValue
      case .puk: puk = newValue
      }
    }
  }

  /// Compares; a wrong value costs a try, the correct one restores all tries.
  ///
  /// - Returns: 9000, 63Cx with the remaining tries, or 6983 if it was already blocked.
  mutating func verify(_ reference: PINReference, _ candidate: [UInt8]) -> Status {
    guard self[reference].remaining > 0 else { return .methodBlocked }
    guard ConstantTime.equal(candidate, self[reference].value) else {
      self[reference].remaining -= 1
      return .triesLeft(self[reference].remaining)
    }
    self[reference].remaining = self[reference].maximum
    return .success
  }

  /// Counts a try that failed in PACE, which does not compare the value itself.
  ///
  /// - Returns: 63Cx with the tries left.
  mutating func fail(_ reference: PINReference) -> Status {
    self[reference].remaining = max(0, self[reference].remaining - 1)
    return .triesLeft(self[reference].remaining)
  }

  /// Restores all tries and sets the new value, if given.
  mutating func renew(_ reference: PINReference, value: [UInt8]? = nil) {
    if let value { self[reference].value = value }
    self[reference].remaining = self[reference].maximum
  }

  static func isWellFormed(_ value: [UInt8]) -> Bool {
    value.count == length && value.allSatisfy { (0x30...0x39).contains($0) }
  }
}
