internal import CIECard
internal import CProcessControl
internal import Glibc

/// What keeps a stored session from other eyes.
public enum SessionProtection: String, Sendable, Hashable, CaseIterable {
  /// It is encrypted, and the key is in the keyring that the kernel keeps while the user is logged in.
  case keyring
  /// Where the kernel offers no keyring: the file's mode, which lets its owner alone read it.
  case fileMode = "file-mode"
}

/// A key in the user's keyring (user-keyring(7)), which is on no disk and goes when the user's last process ends.
struct KeyringKey {
  /// AES-256.
  static let length = 32

  /// What it is called there.
  let description: String

  /// The key; `nil` when there is none, or no keyring.
  func value() -> Secret? {
    guard cie_reach_user_keyring() >= 0 else { return nil }
    let number = cie_find_user_key(description)
    guard number >= 0 else { return nil }
    var count = 0
    let key = Secret(count: Self.length) {
      count = cie_read_key(number, $0.baseAddress, $0.count)
    }
    return count == Self.length ? consume key : nil
  }

  /// The key, made now if there is none; `nil` when there is no keyring, or no room in it.
  func valueOrNew() throws(CryptoError) -> Secret? {
    if let key = value() { return consume key }
    guard cie_reach_user_keyring() >= 0 else { return nil }
    var random = SystemRandom()
    let key = try Secret(randomCount: Self.length, from: &random)
    let number = key.withBytes { cie_add_user_key(description, $0.baseAddress, $0.count) }
    return number >= 0 ? consume key : nil
  }

  /// Takes it away; none is no error.
  func remove() {
    let number = cie_find_user_key(description)
    if number >= 0 { _ = cie_remove_user_key(number) }
  }
}
