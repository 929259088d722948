/// The sessions of a process with its tokens (PKCS #11 v2.40 §5.6).
struct SessionTable {
  private var sessions: [UInt: Session] = [:]
  /// Sessions whose card was removed: reported once, then unknown.
  private var orphans: Set<UInt> = []
  private var last: UInt = 0

  /// More sessions than any host uses.
  static let mostSessions = 1024

  /// - Returns: its handle, never used before.
  mutating func open(_ session: Session) throws(ReturnValue) -> UInt {
    guard sessions.count < Self.mostSessions else { throw .sessionCount }
    last &+= 1
    sessions[last] = session
    return last
  }

  /// - Throws: `.deviceRemoved` the first time after its card has left the reader.
  mutating func session(_ handle: UInt) throws(ReturnValue) -> Session {
    if let session = sessions[handle] { return session }
    throw orphans.remove(handle) == nil ? .sessionHandleInvalid : .deviceRemoved
  }

  mutating func update<Result>(
    _ handle: UInt, _ change: (inout Session) throws(ReturnValue) -> Result
  ) throws(ReturnValue) -> Result {
    var session = try session(handle)
    defer { sessions[handle] = session }
    return try change(&session)
  }

  /// - Returns: the slot, if it was the last session with it.
  mutating func close(_ handle: UInt) throws(ReturnValue) -> Int? {
    let slot = try session(handle).slot
    sessions[handle] = nil
    return count(in: slot).all == 0 ? slot : nil
  }

  mutating func closeAll(in slot: Int) { sessions = sessions.filter { $0.value.slot != slot } }

  /// Ends all sessions with a token whose card has left.
  mutating func abandon(_ slot: Int) {
    let handles = sessions.filter { $0.value.slot == slot }.keys
    closeAll(in: slot)
    // Limits the memory for sessions that are never used again.
    if orphans.count + handles.count > Self.mostSessions { orphans = [] }
    orphans.formUnion(handles)
  }

  mutating func forgetSignatures(in slot: Int) {
    for (handle, session) in sessions where session.slot == slot && session.signing != nil {
      sessions[handle]?.signing = nil
    }
  }

  /// Number of sessions with a token, and how many of them are read-write.
  func count(in slot: Int) -> (all: Int, readWrite: Int) {
    let own = sessions.values.filter { $0.slot == slot }
    return (own.count, own.count { $0.isReadWrite })
  }
}

/// A session: its rights and its operations in progress.
struct Session {
  let slot: Int
  let isReadWrite: Bool
  /// The handles that C_FindObjects has still to return; `nil` without a search.
  var search: [UInt]?
  var signing: SigningOperation?
}
