internal import CIECard
internal import Primitives

/// A PDF whose signatures get what they lack for a level: each addition is an incremental update, but for a time stamp in the
/// room of the newest signature.
struct PDFRaising: Sendable {
  private var pdf: [UInt8]
  private let password: [UInt8]
  private let rule: SignatureExtension
  private var stage = Stage.begin

  /// Additions, each of which is made of the document as the one before it left it.
  private enum Stage: Sendable {
    case begin
    /// A time stamp in the newest signature, whose Contents no signature covers.
    case signatureStamp(SignedData, at: Int, room: Int)
    /// A time stamp of the document in this room, and no evidence behind it.
    case documentStamp(SignatureRoom, isLast: Bool)
    /// The evidence for these, beside that of the document.
    case evidence([Subject], SecurityStore)
    case done
  }

  /// A signature that is to be proved later.
  private enum Subject: Sendable {
    case signer(SignerInfo, [Certificate])
    case timeStamp(TimeStampToken)
  }

  init(_ pdf: [UInt8], password: [UInt8], _ rule: SignatureExtension) {
    (self.pdf, self.password, self.rule) = (pdf, password, rule)
  }

  /// The raised document; nil if an answer is wanted.
  mutating func raised(
    _ authorities: inout AuthorityExchanges
  ) throws(DocumentError) -> [UInt8]? {
    while true {
      switch stage {
      case .begin: try begin()
      case .signatureStamp(var data, at: let start, let room):
        let signer = data.signers[0]
        let token = try authorities.pass { (authorities) throws(DocumentError) in
          try authorities.token(for: signer.signature, by: rule.authority)
        }
        guard let token else { return nil }
        data.signers = [try signer.adding(CMSObject.timeStampToken, token)]
        try fill(room, at: start, with: data.encoded)
      case .documentStamp(let room, let isLast):
        let imprint = try room.digest().bytes
        let token = try authorities.pass { (authorities) throws(DocumentError) in
          try authorities.token(imprint: imprint, by: rule.authority)
        }
        guard let token else { return nil }
        try fill(room, with: token, isLast: isLast)
      case .evidence(let subjects, let store):
        let added = try authorities.pass { (authorities) throws(DocumentError) in
          try Self.evidence(for: subjects, beside: store, rule, &authorities)
        }
        guard let added else { return nil }
        pdf = try store.updated(with: added, in: try PDFFile.open(pdf, password: password))
        stage = .done
        if rule.level >= .lta { try stampDocument(isLast: true) }
      case .done: return pdf
      }
      authorities.settle()
    }
  }

  /// A time stamp in the newest signature; one of the whole document if there is no room for it, or if bytes follow. An
  /// authority is not asked for one that is likely not to fit, because each may be sold.
  private mutating func begin() throws(DocumentError) {
    let all = try EmbeddedSignature.all(
      of: PDFFile.open(pdf, password: password, isStrict: false))
    let stamps = all.compactMap { $0.isTimeStamp ? $0.end : nil }
    let bare = all.filter { signature in
      !signature.isTimeStamp && signature.signer?.timeStamp == nil
        && !stamps.contains { $0 > signature.end ?? 0 }
    }
    guard !bare.isEmpty else {
      guard rule.level > .t, all.contains(where: { !$0.isTimeStamp }) else { throw .nothingToStamp }
      return try prove()
    }
    guard bare.count == 1, bare[0].end == pdf.count, let start = bare[0].contentsStart,
      let data = bare[0].signedData, bare[0].signer != nil,
      bare[0].contents.count - data.encoded.count >= SignatureRoom.ofTimeStamp
    else { return try stampDocument(isLast: false) }
    stage = .signatureStamp(data, at: start, room: 2 * bare[0].contents.count)
  }

  /// Writes a signature with its time stamp in the place of the one without.
  private mutating func fill(
    _ room: Int, at start: Int, with signature: [UInt8]
  ) throws(DocumentError) {
    let digits = [UInt8](signature.hexadecimal.utf8)
    guard digits.count <= room else { return try stampDocument(isLast: false) }
    // Zeros up to the closing angle bracket.
    let zeros = [UInt8](repeating: UInt8(ascii: "0"), count: room - digits.count)
    pdf.replaceSubrange(start..<start + room, with: digits + zeros)
    try prove()
  }

  /// Makes room for a time stamp of the document (ISO 32000-2 §12.8.5) in an update.
  private mutating func stampDocument(
    _ length: Int = SignatureRoom.ofTimeStamp, isLast: Bool
  ) throws(DocumentError) {
    let file = try PDFFile.open(pdf, password: password)
    stage = .documentStamp(try SignatureRoom(length, stamping: file), isLast: isLast)
  }

  /// Writes a time stamp of the document. A longer one is asked for once more, with room for a token of its length.
  private mutating func fill(
    _ room: SignatureRoom, with token: [UInt8], isLast: Bool
  ) throws(DocumentError) {
    guard token.count <= room.length || room.length > SignatureRoom.ofTimeStamp else {
      return try stampDocument(token.count + 1024, isLast: isLast)
    }
    pdf = try room.filled(with: token)
    if isLast { stage = .done } else { try prove() }
  }

  /// Reads what the evidence is needed for, if the level has evidence.
  private mutating func prove() throws(DocumentError) {
    stage = .done
    guard rule.level >= .lt else { return }
    let file = try PDFFile.open(pdf, password: password)
    var subjects: [Subject] = []
    for signature in try EmbeddedSignature.all(of: file) {
      if signature.isTimeStamp {
        subjects.append(.timeStamp(try TimeStampToken(signature.contents)))
      } else if let data = signature.signedData, let signer = signature.signer {
        subjects.append(.signer(signer, data.certificates))
      }
    }
    stage = .evidence(subjects, SecurityStore(file))
  }

  /// The certificates and the evidence of every signature for the document security store.
  private static func evidence(
    for subjects: [Subject], beside store: SecurityStore, _ rule: SignatureExtension,
    _ authorities: inout AuthorityExchanges
  ) throws(DocumentError) -> SecurityStore {
    var added = SecurityStore()
    for subject in subjects {
      var known = store
      known.add(added)
      switch subject {
      case .timeStamp(let token):
        added.add(try authorities.proof(of: token, known.evidence, for: rule))
      case .signer(let signer, let certificates):
        known.add(SecurityStore(certificates))
        added.add(try authorities.proof(of: signer, known, for: rule))
      }
    }
    return added
  }
}
