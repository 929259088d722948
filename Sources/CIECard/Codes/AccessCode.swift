/// A code that opens the travel document: printed on the card, or one of its secrets. It can be
/// used once.
///
/// CAN and MRZ are not secret in the sense of a PIN, but they must not be logged either.
public struct AccessCode: ~Copyable, Sendable {
  /// Kind of the code.
  public let kind: Kind
  /// f(π), the password for PACE (Doc 9303-11 §9.7.3): the digits, or the SHA-1 of the MRZ
  /// information.
  let password: Secret

  /// The passwords of PACE (Doc 9303-11 §4.4.4.1, table 5; BSI TR-03110-3 §B.14).
  public enum Kind: String, Sendable, Hashable, CaseIterable {
    /// Document number, date of birth and date of expiry, from the machine readable zone.
    case mrz
    /// The card access number, six digits on the front of a CIE.
    case can
    /// A PIN of the document. A CIE refuses it here (its PIN belongs to the IAS application).
    case pin
    /// The code that unblocks that PIN.
    case puk

    /// True if a wrong code costs a try.
    public var isBlocking: Bool {
      switch self {
      case .mrz, .can: false
      case .pin, .puk: true
      }
    }
  }

  /// The card access number.
  ///
  /// - Throws: `AccessCode.FormatError`, before any card is asked.
  public init(can digits: consuming Secret) throws(FormatError) {
    try FormatError.check(digits, length: Self.canLength...Self.canLength)
    self.init(.can, digits)
  }

  /// The card access number, from a string.
  ///
  /// - Throws: `AccessCode.FormatError`, before any card is asked.
  public init(can digits: String) throws(FormatError) {
    try self.init(can: Secret([UInt8](digits.utf8)))
  }

  /// A PIN or PUK of a document that supports it for PACE: 4 to 16 digits.
  ///
  /// - Parameters:
  ///   - kind: `.pin` or `.puk`.
  ///   - digits: the code, as ASCII digits.
  /// - Throws: `AccessCode.FormatError`, also for the other kinds.
  public init(_ kind: Kind, digits: consuming Secret) throws(FormatError) {
    guard kind.isBlocking else { throw .notDigits }
    try FormatError.check(digits, length: 4...16)
    self.init(kind, digits)
  }

  /// The information of the machine readable zone.
  ///
  /// - Parameter information: includes its check digits.
  public init(mrz information: MRZ.Information) throws(CryptoError) {
    let text = Secret(information.characters)
    self.init(.mrz, try HashAlgorithm.sha1.secretHash(text))
  }

  private init(_ kind: Kind, _ password: consuming Secret) {
    self.kind = kind
    self.password = password
  }

  /// The CAN of a CIE has six digits, as ICAO recommends (Doc 9303-5 §4.2.2).
  package static let canLength = 6
}

extension AccessCode.Kind {
  /// The password reference of MSE:Set AT.
  var reference: UInt8 {
    switch self {
    case .mrz: 0x01
    case .can: 0x02
    case .pin: 0x03
    case .puk: 0x04
    }
  }
}

extension AccessCode {
  /// The protocol that opened a travel document.
  public enum AccessProtocol: Sendable, Hashable {
    /// PACE, by the name of its object identifier, such as `id-PACE-DH-GM-3DES-CBC-CBC`.
    case pace(name: String)
    case basic
  }
}
