internal import CIECard
internal import CProcessControl
internal import Glibc

extension Account {
  /// What keeps a stored session from other eyes.
  public enum Protection: String, Sendable, Hashable, CaseIterable {
    /// It is encrypted, and the key is in the keyring that the kernel keeps while the user is logged in.
    case keyring
    /// Where the kernel offers no keyring: the file's mode, which lets its owner alone read it.
    case fileMode = "file-mode"
  }
}

/// A key in the user's keyring (user-keyring(7)), which is on no disk and goes when the user's last process ends.
///
/// Behind it stands a mark of what else must be as it was left, so that nobody can take the one away without the other.
struct KeyringKey {
  /// AES-256.
  static let length = 32
  /// SHA-256.
  static let markLength = 32

  /// What it is called there.
  let description: String

  /// The key; `nil` when there is none, or no keyring.
  func value() -> Secret? {
    guard let entry = entry() else { return nil }
    return Secret(count: Self.length) { key in
      entry.withBytes { key.copyBytes(from: $0.prefix(Self.length)) }
    }
  }

  /// The key, made now if there is none; `nil` when there is no keyring, or no room in it.
  func valueOrNew() throws(CryptoError) -> Secret? {
    if let key = value() { return consume key }
    return try renew(mark: []) ? value() : nil
  }

  /// The mark; `nil` when there is none, or no keyring.
  var mark: [UInt8]? {
    guard let entry = entry(), entry.count > Self.length else { return nil }
    return entry.withBytes { [UInt8]($0.dropFirst(Self.length)) }
  }

  /// Sets the mark, with a key where there is none.
  func setMark(_ mark: [UInt8]) throws(CryptoError) {
    guard let key = value() else {
      _ = try renew(mark: mark)
      return
    }
    _ = put(key, mark)
  }

  /// Takes the key away, with which nothing can be opened then; a mark stays. None is no error.
  func remove() throws(CryptoError) {
    if let mark, try renew(mark: mark) { return }
    clear()
  }

  /// Takes key and mark away; none is no error.
  func clear() {
    guard cie_reach_user_keyring() >= 0 else { return }
    let number = cie_find_user_key(description)
    if number >= 0 { _ = cie_remove_user_key(number) }
  }

  /// Makes a fresh key.
  ///
  /// - Returns: whether the keyring has taken it.
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
