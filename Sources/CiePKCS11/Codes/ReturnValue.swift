/// Return values of PKCS #11 functions (v2.40 §5.1): those that this module uses.
package enum ReturnValue: UInt, Error {
  case ok = 0x000
  case hostMemory = 0x002
  case slotIDInvalid = 0x003
  case functionFailed = 0x006
  case argumentsBad = 0x007
  case noEvent = 0x008
  case cantLock = 0x00A
  case attributeSensitive = 0x011
  case attributeTypeInvalid = 0x012
  case dataLenRange = 0x021
  case deviceError = 0x030
  case deviceRemoved = 0x032
  case functionCanceled = 0x050
  case functionNotParallel = 0x051
  case functionNotSupported = 0x054
  case keyHandleInvalid = 0x060
  case keyFunctionNotPermitted = 0x068
  case mechanismInvalid = 0x070
  case mechanismParamInvalid = 0x071
  case objectHandleInvalid = 0x082
  case operationActive = 0x090
  case operationNotInitialized = 0x091
  case pinIncorrect = 0x0A0
  case pinLenRange = 0x0A2
  case pinLocked = 0x0A4
  case sessionCount = 0x0B1
  case sessionHandleInvalid = 0x0B3
  case sessionParallelNotSupported = 0x0B4
  case sessionReadOnly = 0x0B5
  case sessionReadOnlyExists = 0x0B7
  case sessionReadWriteSOExists = 0x0B8
  case templateIncomplete = 0x0D0
  case tokenNotPresent = 0x0E0
  case tokenNotRecognized = 0x0E1
  case userAlreadyLoggedIn = 0x100
  case userNotLoggedIn = 0x101
  case userTypeInvalid = 0x103
  case userAnotherAlreadyLoggedIn = 0x104
  case randomNoRNG = 0x121
  case bufferTooSmall = 0x150
  case cryptokiNotInitialized = 0x190
  case cryptokiAlreadyInitialized = 0x191

  /// The name in the standard: `CKR_PIN_INCORRECT`.
  var name: String {
    let letters = Array(String(describing: self))
    var name = "CKR_"
    for (index, letter) in letters.enumerated() {
      let isFirst = letter.isUppercase && letters.dropFirst(index + 1).first?.isLowercase == true
      let follows = letter.isUppercase && letters.prefix(index).last?.isLowercase == true
      if isFirst || follows { name += "_" }
      name += letter.uppercased()
    }
    return name
  }
}
