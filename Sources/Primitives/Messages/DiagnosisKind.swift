extension Diagnosis {
  /// The kind of a failure, on which a program may act, rather than a person. All that follows from it stands in its row of
  /// `Kind.consequences`, below.
  public enum Kind: Sendable, Hashable, CaseIterable {
    /// The program or the machine failed, not the card.
    case internalFailure
    case noService
    /// No reader, or not the named one, or several that match.
    case noReader
    /// No card within the time given.
    case noCard
    case notACIE
    /// Wrong PIN or PUK, or wrong code of the travel document.
    case wrongCode
    /// PIN or PUK blocked, or the last try not spent.
    case blocked
    /// The card was lost during the operation.
    case cardLost
    case `false`
    case serverRefused
    /// The reader or the card cannot carry it.
    case notCarried
    case couldNotCheck
    case network
    case untrustedRequest
    case notSignedIn
    /// The signatures are right, but bytes came later.
    case laterBytes
    /// The file has no signature.
    case noSignature
    /// An input that cannot be used (sysexits: EX_USAGE).
    case usage
    /// Given up, by a person or a signal.
    case interrupted
  }
}

extension Diagnosis.Kind {
  /// The consequences of a failure of this kind.
  package struct Consequences: Sendable {
    /// The exit status; its meaning is in the row `exit.N` of the table of messages.
    package let exit: Int32
    /// The HTTP status (RFC 9110 §15).
    package let http: Int
    /// The rank among the failures of several files; the lowest counts.
    package var rank = 1
    /// True if the reader, the service or the connection to the card may be the cause.
    package var mayBeReader = false
  }

  /// The consequences, a row for each kind.
  package var consequences: Consequences {
    switch self {
    case .internalFailure: Consequences(exit: 1, http: 500)
    // 503: the reader, or the end of the request.
    case .noService: Consequences(exit: 3, http: 503, mayBeReader: true)
    case .noReader: Consequences(exit: 4, http: 503, mayBeReader: true)
    // 422: the request was understood, and the card or the person is the reason for the lack of a good result.
    case .noCard: Consequences(exit: 5, http: 422, mayBeReader: true)
    case .notACIE: Consequences(exit: 6, http: 422, mayBeReader: true)
    case .wrongCode: Consequences(exit: 7, http: 422)
    case .blocked: Consequences(exit: 8, http: 422)
    case .cardLost: Consequences(exit: 9, http: 422, mayBeReader: true)
    case .false: Consequences(exit: 10, http: 422, rank: 0)
    // 502: another server on the network.
    case .serverRefused: Consequences(exit: 11, http: 502)
    case .notCarried: Consequences(exit: 12, http: 422, mayBeReader: true)
    case .couldNotCheck: Consequences(exit: 13, http: 422, rank: 2)
    case .network: Consequences(exit: 14, http: 502)
    case .untrustedRequest: Consequences(exit: 15, http: 400)
    // `serve` signs no account in; the client would have to.
    case .notSignedIn: Consequences(exit: 16, http: 401)
    case .laterBytes: Consequences(exit: 17, http: 422, rank: 4)
    case .noSignature: Consequences(exit: 18, http: 422, rank: 3)
    case .usage: Consequences(exit: 64, http: 400)
    // 128 + SIGINT; the status of another signal is counted in the same way.
    case .interrupted: Consequences(exit: 130, http: 503)
    }
  }
}

extension Diagnosis.Kind {
  /// The exit status of `cie-read` for such a failure, by which scripts know the kind; it does not change.
  public var exitStatus: Int { Int(consequences.exit) }
}
