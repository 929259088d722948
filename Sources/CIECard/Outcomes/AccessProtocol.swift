extension AccessCode {
  /// How a travel document was opened.
  public enum AccessProtocol: Sendable, Hashable {
    /// PACE, by the name of its object identifier, such as `id-PACE-DH-GM-3DES-CBC-CBC`.
    case pace(name: String)
    /// Basic Access Control.
    case basic
  }
}
