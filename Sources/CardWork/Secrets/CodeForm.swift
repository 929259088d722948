import CIECard

/// The form of every code, checked before the card is asked.
package enum CodeForm {
  static func check(_ code: borrowing Secret, as role: CodeRole) throws(Failure) {
    guard code.count > 0 else { throw .code(.missing(role)) }
    guard let length = role.length else { return }
    do throws(AccessCode.FormatError) {
      try AccessCode.FormatError.check(code, length: length...length)
    } catch { throw role.failure(error) }
  }

  /// The PIN in a code.
  static func pin(_ code: consuming Secret, as role: CodeRole = .pin) throws(Failure) -> PIN {
    do throws(AccessCode.FormatError) { return try PIN(code) } catch { throw role.failure(error) }
  }

  /// The PUK in a code.
  static func puk(_ code: consuming Secret) throws(Failure) -> PUK {
    do throws(AccessCode.FormatError) { return try PUK(code) } catch {
      throw CodeRole.puk.failure(error)
    }
  }

  /// A new PIN that is not easy to guess.
  static func newPIN(_ code: consuming Secret) throws(Failure) -> PIN {
    let pin = try pin(code, as: .newPIN)
    if let weakness = pin.weakness() { throw .code(.weak(weakness)) }
    return pin
  }
}

extension CodeRole {
  /// The failure for an invalid code.
  func failure(_ error: AccessCode.FormatError) -> Failure {
    switch error {
    case .length: .code(.length(self))
    case .notDigits: .code(.notDigits(self))
    }
  }
}
