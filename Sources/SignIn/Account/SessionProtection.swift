internal import CProcessControl
internal import Glibc

extension Account {
  /// Protection of a stored session against other readers.
  public enum Protection: String, Sendable, Hashable, CaseIterable {
    /// Encrypted; the key is in the kernel's user keyring while the user is logged in.
    case keyring
    /// Not encrypted because the kernel offers no keyring; the file mode lets only the owner read it.
    case fileMode = "file-mode"
  }
}

/// Key in the user keyring (user-keyring(7)): never on disk, gone when the user's last process ends.
///
/// The key's payload also has a mark, a hash of related state, so that neither can be deleted without the other.
struct KeyringKey {
  /// Length of an AES-256 key, in bytes.
  static let length = 32
  /// Length of a SHA-256 hash, in bytes.
  static let markLength = 32

  let description: String

  /// Returns the key; `nil` without a key or a keyring.
  func value() -> Secret? {
    guard let entry = entry() else { return nil }
    return Secret(count: Self.length) { key in
      entry.withBytes { key.copyBytes(from: $0.prefix(Self.length)) }
    }
  }

  /// Returns the key and creates it if necessary; `nil` without a keyring, or if it is full.
  func valueOrNew() throws(CryptoError) -> Secret? {
    if let key = value() { return consume key }
    return try renew(mark: []) ? value() : nil
  }

  /// Mark; `nil` without a mark or a keyring.
  var mark: [UInt8]? {
    guard let entry = entry(), entry.count > Self.length else { return nil }
    return entry.withBytes { [UInt8]($0.dropFirst(Self.length)) }
  }

  func setMark(_ mark: [UInt8]) throws(CryptoError) {
    guard let key = value() else {
      _ = try renew(mark: mark)
      return
    }
    _ = put(key, mark)
  }

  /// Removes the key, so that encrypted data are lost, but keeps the mark. A missing key is not an error.
  func remove() throws(CryptoError) {
    if let mark, try renew(mark: mark) { return }
    clear()
  }

  /// Removes key and mark; missing ones are not an error.
  func clear() {
    guard cie_reach_user_keyring() >= 0 else { return }
    let number = cie_find_user_key(description)
    if number >= 0 { _ = cie_remove_user_key(number) }
  }

  /// - Returns: true if the keyring accepted it.
  private func renew(mark: [UInt8]) throws(CryptoError) -> Bool {
    guard cie_reach_user_keyring() >= 0 else { return false }
    var random = SystemRandom()
    return put(try Secret(randomCount: Self.length, from: &random), mark)
  }

  private func put(_ key: borrowing Secret, _ mark: [UInt8]) -> Bool {
    let entry = Secret(count: Self.length + mark.count) { entry in
      key.withBytes { entry.copyBytes(from: $0) }
      for (index, byte) in mark.enumerated() { entry[Self.length + index] = byte }
    }
    return entry.withBytes { cie_add_user_key(description, $0.baseAddress, $0.count) } >= 0
  }

  private func entry() -> Secret? {
    guard cie_reach_user_keyring() >= 0 else { return nil }
    let number = cie_find_user_key(description)
    guard number >= 0 else { return nil }
    let count = cie_read_key(number, nil, 0)
    guard count == Self.length || count == Self.length + Self.markLength else { return nil }
    var read = 0
    let entry = Secret(count: count) { read = cie_read_key(number, $0.baseAddress, $0.count) }
    return read == count ? consume entry : nil
  }
}
