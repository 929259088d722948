/// Log of a software card, without any data: headers, lengths, status words, counts.
public struct CardLog: Sendable, Equatable {
  /// Every command in order.
  public internal(set) var entries: [Entry] = []
  /// Operations since the card was created.
  public internal(set) var counters = Counters()
  /// Faults triggered so far.
  public internal(set) var triggeredFaults = 0

  /// One command APDU and its response.
  public struct Entry: Sendable, Equatable {
    /// Instruction byte; 0 if the command was too short to have one.
    public let instruction: UInt8
    /// First parameter byte.
    public let p1: UInt8
    /// Second parameter byte.
    public let p2: UInt8
    /// True if it came under secure messaging.
    public let isSecured: Bool
    /// The status word inside secure messaging, or the outer one; 0 if no answer was sent.
    public let statusWord: UInt16
    /// Bytes of the command APDU.
    public let commandLength: Int
    /// Bytes of the response APDU, status word included.
    public let responseLength: Int
  }

  /// Counts of the operations that cost time or tries.
  public struct Counters: Sendable, Equatable {
    /// PIN and PUK comparisons, by any command.
    public internal(set) var verifications = 0
    /// Signatures with the holder's key 81.
    public internal(set) var holderSignatures = 0
    /// Private RSA operations of all keys.
    public internal(set) var rsaPrivateOperations = 0
    /// Public RSA operations: terminal certificate and terminal signature.
    public internal(set) var rsaPublicOperations = 0
    /// Exponentiations of the Diffie–Hellman agreements: IAS, PACE, chip authentication.
    public internal(set) var dhExponentiations = 0
    /// Multiplications of a point by a scalar: PACE, chip authentication, ECDSA.
    public internal(set) var curveMultiplications = 0
  }

  /// Bytes received from the terminal.
  public var bytesReceived: Int { entries.reduce(0) { $0 + $1.commandLength } }
  /// Bytes sent to the terminal.
  public var bytesSent: Int { entries.reduce(0) { $0 + $1.responseLength } }
}
