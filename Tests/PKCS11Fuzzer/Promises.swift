internal import CPKCS11
internal import CiePKCS11
internal import Glibc
internal import VirtualCIE

/// Rules for any call of a host. A broken one ends the process, which reports it to the fuzzer.
extension Host {
  /// Checks the answer to a call, and the card's log since.
  @discardableResult
  func expectAnswer(_ value: CK_RV?, to function: String) -> Bool {
    guard let value else {
      expect(false, "\(function) is null")
      return false
    }
    expect(ReturnValue(rawValue: value) != nil, "\(function) answers \(value)")
    let tries = card.triesLeft
    expect(tries.pin > 0 && tries.puk > 0, "\(function) has spent a last try")
    expect(
      card.log.counters.verifications <= codesGiven, "\(function) has sent a VERIFY of its own")
    return value == CK_RV(CKR_OK)
  }

  func expect(_ holds: Bool, _ complaint: @autoclosure () -> String) {
    guard !holds else { return }
    let text = "not as promised: \(complaint())\n"
    _ = write(STDERR_FILENO, text, text.utf8.count)
    abort()
  }
}
