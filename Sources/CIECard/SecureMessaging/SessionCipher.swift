/// The block cipher and MAC of a secure messaging session (Doc 9303-11 §9.8; BSI TR-03110-3 table 4).
enum SessionCipher: Sendable, Hashable, CaseIterable {
  /// Two-key triple DES in CBC mode, retail MAC.
  case tripleDES
  /// AES with a 128-bit key in CBC mode, CMAC.
  case aes128
  /// AES with a 192-bit key in CBC mode, CMAC.
  case aes192
  /// AES with a 256-bit key in CBC mode, CMAC.
  case aes256
}
