/// What an app of the identity provider says went wrong, in `cieid_error_message`. The list of its texts is not
/// published; these were seen in cieid-ios-sdk, cieid-ionic and io-app.
public enum AppFailure: Error, Sendable, Hashable {
  /// The person gave up.
  case cancelledByUser
  /// The card's certificate has expired.
  case certificateExpired
  /// The card's certificate was revoked.
  case certificateRevoked
  /// The operation is not valid, or not valid any more.
  case invalidOperation
  /// The app gave no reason.
  case unknown
  /// Another text.
  case other(UntrustedText)

  /// - Parameter message: the parameter's value, decoded; its underscores stand for spaces.
  init(message: String) {
    let text = String(message.map { $0 == "_" ? " " : $0 })
    self =
      switch text {
      case "Operazione annullata dall'utente": .cancelledByUser
      case "Carta non valida: certificato scaduto": .certificateExpired
      case "Carta non valida: certificato revocato": .certificateRevoked
      case "Operazione non valida": .invalidOperation
      case _ where text.allSatisfy { $0 == " " }: .unknown
      default: .other(UntrustedText(text))
      }
  }
}
