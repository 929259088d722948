// Deliberately written apart from CIECard: the channels of the travel document.

/// A channel of the travel document.
struct DocumentSession: Equatable {
  /// How it was opened.
  let access: Access
  /// Its ciphers, which decide how much fits into a response.
  var suite: CipherSuite

  /// PACE opens more than basic access control: EF.CardSecurity.
  enum Access {
    case pace
    case basic
  }
}

/// Chip authentication between MSE and GENERAL AUTHENTICATE.
struct ChipAuthenticationRun {
  let group: AgreementGroup
  /// The static private key.
  let scalar: [UInt8]
  let suite: CipherSuite
}
