internal import CPKCS11

enum Call {
  /// Runs a function and logs it if there is a log.
  ///
  /// - Parameters:
  ///   - function: its name.
  ///   - details: numbers and sizes; never a value.
  ///   - body: the function.
  static func run(
    _ function: StaticString, _ details: @autoclosure () -> String = "",
    _ body: (Module) throws(ReturnValue) -> Void
  ) -> CK_RV {
    let module: Module
    do throws(ReturnValue) { module = try Installation.module() } catch { return error.rawValue }
    let began = ContinuousClock.now
    let value = ReturnValue.of { () throws(ReturnValue) in try body(module) }
    module.log?.write(
      "\(function)(\(details())) = \(value.name) \(Self.milliseconds(since: began)) ms")
    return value.rawValue
  }

  private static func milliseconds(since moment: ContinuousClock.Instant) -> Int64 {
    Int64((ContinuousClock.now - moment) / .milliseconds(1))
  }
}

extension ReturnValue {
  /// Converts a thrown return value to a returned one; success is CKR_OK.
  static func of(_ body: () throws(ReturnValue) -> Void) -> ReturnValue {
    do throws(ReturnValue) {
      try body()
      return .ok
    } catch { return error }
  }
}
