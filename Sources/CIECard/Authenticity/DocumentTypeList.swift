/// documentTypeList: the types of documents that a signer may sign (Doc 9303-12 §7.1.1.6), as the zone writes them.
struct DocumentTypeList: Sendable, Equatable {
  /// One or two letters each.
  let types: [String]

  private static let identifier = "2.23.136.1.1.6.2"

  /// - Returns: `nil` when the certificate has none, as those of 2019, or one that cannot be read.
  init?(of signer: Certificate) {
    do {
      let certificate = try X509Handle(prefixOf: signer.der)
      guard let encoded = certificate.extension(Self.identifier) else { return nil }
      try self.init(encoded)
    } catch {
      return nil
    }
  }

  /// `SEQUENCE { version INTEGER { v0(0) }, SET OF PrintableString }`.
  private init(_ encoded: [UInt8]) throws(TLVError) {
    var outer = TLVCursor(encoded)
    var fields = try outer.next(DER.sequence).contents
    try outer.finish()
    _ = try fields.next(DER.integer)
    let list = try fields.next(DER.set).contents.all()
    types = list.map { String(decoding: $0.value.filter { $0 != MRZ.filler }, as: UTF8.self) }
  }

  /// Whether documents with this code are among them. The second letter of a code is the state's own choice (Doc
  /// 9303-3 §4.7), so where only one of the two has it, the first one decides.
  func allows(_ code: String) -> Bool {
    types.contains { !$0.isEmpty && (code.hasPrefix($0) || !code.isEmpty && $0.hasPrefix(code)) }
  }
}
