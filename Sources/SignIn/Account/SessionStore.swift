internal import Glibc
internal import Primitives

/// Store of an account's session between runs: one file, encrypted if the kernel has a keyring.
struct SessionStore: Sendable {
  static let limit = 256 << 10
  static let name = "session"

  private let folder: String
  /// Encryption key of the session; `nil` for no encryption.
  private let key: KeyringKey?

  /// Uses a folder, which is created by the first write.
  init(folder: String) { self.init(folder: folder, Self.key(folder)) }

  static func key(_ folder: String) -> KeyringKey {
    KeyringKey(description: "cie-read:\(folder)/\(name)")
  }

  init(folder: String, _ key: KeyringKey?) {
    self.folder = folder
    self.key = key
  }

  /// See `AccountKeeper.usualFolder`.
  static func usualFolder(_ variable: (String) -> String?) -> String? {
    PersonalFolder.state.path(variable).map { $0 + "/cie-read" }
  }

  func load() throws(SignInError) -> [UInt8]? {
    guard let folder = try existing(),
      let bytes = try Self.inFolder(
        try folder.read(Self.name, limit: Self.limit + 64 + SessionCipher.overhead))
    else { return nil }
    for protection in Account.Protection.allCases {
      let header = Self.header(protection)
      guard bytes.starts(with: header) else { continue }
      let content = [UInt8](bytes.dropFirst(header.count))
      return protection == .fileMode ? content : try opened(content, header)
    }
    throw .store(.keyLost)
  }

  enum Change {
    case none
    case replaced(by: [UInt8])
    /// Removes it, and its key.
    case removed
  }

  /// Reads the session and changes it under a lock, because another process may have changed it since an earlier read.
  ///
  /// - Parameter change: receives the stored session; `nil` if there is none or it cannot be read.
  /// - Returns: protection of the new session; `nil` if the change stored no session.
  @discardableResult
  func update(
    _ change: ([UInt8]?) -> Change
  ) throws(SignInError) -> Account.Protection? {
    try update(try Self.inFolder(try PrivateFolder(folder, isMade: true)), change)
  }

  @discardableResult
  func store(_ bytes: [UInt8]) throws(SignInError) -> Account.Protection {
    try update { _ in .replaced(by: bytes) } ?? .fileMode
  }

  /// Removes the session and its key; a missing session is not an error.
  func remove() throws(SignInError) {
    guard let place = try existing() else { return }
    try update(place) { _ in .removed }
  }

  @discardableResult
  private func update(
    _ place: consuming PrivateFolder, _ change: ([UInt8]?) -> Change
  ) throws(SignInError) -> Account.Protection? {
    let place = place
    let lock = try Self.inFolder(try place.lock(Self.name))
    let protection: Account.Protection?
    switch change(try? load()) {
    case .none: protection = nil
    case .replaced(let bytes):
      guard bytes.count <= Self.limit else { throw .store(.tooLarge) }
      let (kind, content) = try sealed(bytes)
      try Self.inFolder(try place.replace(Self.name, with: content))
      protection = kind
    case .removed:
      try mapError(try key?.remove()) { SignInError.store(.crypto($0)) }
      try Self.inFolder(try place.remove(Self.name))
      protection = nil
    }
    lock.release()
    return protection
  }

  /// Opens the folder; `nil` if it does not exist.
  private func existing() throws(SignInError) -> PrivateFolder? {
    do throws(PrivateFolder.Failure) { return try PrivateFolder(folder, isMade: false) } catch {
      if error == .system(SystemError(ENOENT)) { return nil }
      throw .store(.folder(error))
    }
  }

  private static func inFolder<Result: ~Copyable>(
    _ value: @autoclosure () throws(PrivateFolder.Failure) -> Result
  ) throws(SignInError) -> Result {
    return try mapError(try value()) {
      SignInError.store($0 == .tooLarge ? .tooLarge : .folder($0))
    }
  }

  /// First line of the file, naming the protection of the rest.
  private static func header(_ protection: Account.Protection) -> [UInt8] {
    [UInt8]("cie-read session 1 \(protection.rawValue)\n".utf8)
  }

  private func sealed(
    _ bytes: [UInt8]
  ) throws(SignInError) -> (Account.Protection, [UInt8]) {
    do throws(CryptoError) {
      guard let key = try key?.valueOrNew() else {
        return (.fileMode, Self.header(.fileMode) + bytes)
      }
      let header = Self.header(.keyring)
      return (.keyring, header + (try SessionCipher.seal(bytes, key: key, context: header)))
    } catch { throw .store(.crypto(error)) }
  }

  private func opened(_ content: [UInt8], _ header: [UInt8]) throws(SignInError) -> [UInt8] {
    guard let key = key?.value() else { throw .store(.keyLost) }
    let session = try mapError(try SessionCipher.open(content, key: key, context: header)) {
      SignInError.store(.crypto($0))
    }
    guard let session else { throw .store(.keyLost) }
    return session
  }
}
