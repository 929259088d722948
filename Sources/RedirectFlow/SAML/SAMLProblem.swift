/// Why a SAML response cannot be read. What it holds is not repeated here.
public enum SAMLProblem: Error, Sendable, Hashable {
  /// The form's field is not base64 (SAML 2.0 Bindings §3.5.4).
  case notBase64
  /// Not well-formed XML in UTF-8.
  case notXML
  /// It has a document type declaration: entities and files of somebody else's choice.
  case documentType
  /// Nested too deeply, or an element with too many attributes, for a response.
  case tooComplex
  /// It is longer than this many bytes.
  case tooLarge(limit: Int)
  /// The document is no `Response` of SAML 2.0.
  case notAResponse
  /// It does not have exactly one `Status` with a `StatusCode` (SAML 2.0 Core §3.2.2).
  case noStatus
}
