package import CIECard
internal import Glibc
package import System

/// Why a session cannot be kept, or is not there. It never carries a byte of it.
package enum SessionStoreError: Error, Equatable {
  /// The key went with the user's last process, or the file was changed: nobody is signed in any more.
  case keyLost
  /// The session is larger than `SessionStore.limit`, or its file is.
  case tooLarge
  /// The folder or the file is not one that this user alone can have made, or the system refused it.
  case folder(PrivateFolder.Failure)
  /// OpenSSL refused an operation.
  case crypto(CryptoError)
}

/// Where the session of an account is kept between two runs: one file, encrypted where the kernel keeps the key.
package struct SessionStore: Sendable {
  /// The most bytes that a session has.
  package static let limit = 256 << 10
  /// The file of a user's session.
  package static let usualName = "session"

  private let folder: String
  private let name: String
  /// The key for what is stored here; `nil` where none is to be used.
  private let key: KeyringKey?

  /// A store in a folder, which is made when something is stored.
  ///
  /// - Parameter name: the file's.
  package init(folder: String, name: String = usualName) {
    self.init(folder: folder, name: name, Self.key(folder, name))
  }

  /// The key of a file, and of what belongs to it.
  static func key(_ folder: String, _ name: String = usualName) -> KeyringKey {
    KeyringKey(description: "cie-read:\(folder)/\(name)")
  }

  init(folder: String, name: String, _ key: KeyringKey?) {
    self.folder = folder
    self.name = name
    self.key = key
  }

  /// `$XDG_STATE_HOME/cie-read`, else `~/.local/state/cie-read` (XDG Base Directory Specification 0.8); `nil` where the
  /// environment names neither.
  package static func usualFolder(_ variable: (String) -> String?) -> String? {
    if let state = variable("XDG_STATE_HOME"), state.hasPrefix("/") { return state + "/cie-read" }
    guard let home = variable("HOME"), home.hasPrefix("/") else { return nil }
    return home + "/.local/state/cie-read"
  }

  /// What is stored; `nil` when nobody is signed in.
  package func load() throws(SessionStoreError) -> [UInt8]? {
    guard let folder = try existing(),
      let bytes = try Self.inFolder({ () throws(PrivateFolder.Failure) in
        try folder.read(name, limit: Self.limit + 64 + SessionCipher.overhead)
      })
    else { return nil }
    for protection in Account.Protection.allCases {
      let header = Self.header(protection)
      guard bytes.starts(with: header) else { continue }
      let content = [UInt8](bytes.dropFirst(header.count))
      return protection == .fileMode ? content : try opened(content, header)
    }
    throw .keyLost
  }

  /// What becomes of a stored session.
  package enum Change {
    /// It stays as it is.
    case none
    /// Another one takes its place.
    case replaced(by: [UInt8])
    /// It goes, and the key with it.
    case removed
  }

  /// Decides on what is stored and changes it, while no other process does: what was read before may be gone by now.
  ///
  /// - Parameter change: gets what is stored; `nil` where nobody is signed in, or what is there cannot be read.
  /// - Returns: what protects the session; `nil` where none was stored.
  @discardableResult
  package func update(
    _ change: ([UInt8]?) -> Change
  ) throws(SessionStoreError) -> Account.Protection? {
    let folder = folder
    return try update(
      try Self.inFolder { () throws(PrivateFolder.Failure) in
        try PrivateFolder(folder, isMade: true)
      }, change)
  }

  /// Stores a session in the place of the one before.
  ///
  /// - Returns: what protects it.
  @discardableResult
  package func store(_ bytes: [UInt8]) throws(SessionStoreError) -> Account.Protection {
    try update { _ in .replaced(by: bytes) } ?? .fileMode
  }

  /// Takes the session away, and the key with it; none is no error.
  package func remove() throws(SessionStoreError) {
    guard let place = try existing() else { return }
    try update(place) { _ in .removed }
  }

  @discardableResult
  private func update(
    _ place: consuming PrivateFolder, _ change: ([UInt8]?) -> Change
  ) throws(SessionStoreError) -> Account.Protection? {
    let name = name
    let place = place
    let lock = try Self.inFolder { () throws(PrivateFolder.Failure) in try place.lock(name) }
    let protection: Account.Protection?
    switch change(try? load()) {
    case .none: protection = nil
    case .replaced(let bytes):
      guard bytes.count <= Self.limit else { throw .tooLarge }
      let (kind, content) = try sealed(bytes)
      try Self.inFolder { () throws(PrivateFolder.Failure) in
        try place.replace(name, with: content)
      }
      protection = kind
    case .removed:
      do throws(CryptoError) { try key?.remove() } catch { throw .crypto(error) }
      try Self.inFolder { () throws(PrivateFolder.Failure) in try place.remove(name) }
      protection = nil
    }
    lock.release()
    return protection
  }

  /// The folder; `nil` when there is none.
  private func existing() throws(SessionStoreError) -> PrivateFolder? {
    do throws(PrivateFolder.Failure) { return try PrivateFolder(folder, isMade: false) } catch {
      if error == .system(SystemError(ENOENT)) { return nil }
      throw .folder(error)
    }
  }

  private static func inFolder<Result: ~Copyable>(
    _ body: () throws(PrivateFolder.Failure) -> Result
  ) throws(SessionStoreError) -> Result {
    do { return try body() } catch {
      throw error == .tooLarge ? .tooLarge : .folder(error)
    }
  }

  /// The first line of the file: what protects the rest.
  private static func header(_ protection: Account.Protection) -> [UInt8] {
    [UInt8]("cie-read session 1 \(protection.rawValue)\n".utf8)
  }

  private func sealed(
    _ bytes: [UInt8]
  ) throws(SessionStoreError) -> (Account.Protection, [UInt8]) {
    do throws(CryptoError) {
      guard let key = try key?.valueOrNew() else {
        return (.fileMode, Self.header(.fileMode) + bytes)
      }
      let header = Self.header(.keyring)
      return (.keyring, header + (try SessionCipher.seal(bytes, key: key, context: header)))
    } catch { throw .crypto(error) }
  }

  private func opened(_ content: [UInt8], _ header: [UInt8]) throws(SessionStoreError) -> [UInt8] {
    guard let key = key?.value() else { throw .keyLost }
    let session: [UInt8]?
    do throws(CryptoError) {
      session = try SessionCipher.open(content, key: key, context: header)
    } catch { throw .crypto(error) }
    guard let session else { throw .keyLost }
    return session
  }
}
