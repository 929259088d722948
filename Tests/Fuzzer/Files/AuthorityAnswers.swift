internal import CIECard
internal import TestSupport
@testable import DocumentSigning
@testable import VirtualCIE

/// Answers of time stamp authorities and of issuers.
extension FuzzTarget {
  static let authorityAnswers = [timeStamp, certificateStatus]

  private static let authority = Result { try AuthorityAnswers() }

  private static let timeStamp = FuzzTarget("time-stamp") {
    // The second is a rejection (RFC 3161 §2.4.2).
    [try authority.get().timeStamp, [0x30, 0x05, 0x30, 0x03, 0x02, 0x01, 0x02]]
  } play: { probe in
    let response = try TimeStampResponse(probe.bytes)
    guard case .granted(let encoded) = response else { throw Unfit() }
    let token = try TimeStampToken(encoded)
    let verdict = TimeStampJudge(trust: [], at: token.time).verdict(token, of: [1]).verdict
    probe.require(verdict != .proved, "nothing is proved without a trusted authority")
  }

  /// Behind an even byte a CRL, behind an odd one an OCSP response; from 2 on only its signed part, which the fuzzer
  /// signs.
  private static let certificateStatus = FuzzTarget("certificate-status") {
    let answers = try authority.get()
    return Seeds.behind([[0]], answers.lists) + Seeds.behind([[1]], answers.responses)
      + Seeds.behind([[2]], try answers.lists.map(AuthorityAnswers.part))
      + Seeds.behind([[3]], try answers.responses.map(AuthorityAnswers.responseData))
  } play: { probe in
    let (choices, rest) = probe.split(1)
    let isList = choices[0] & 1 == 0
    let isSigned = choices[0] >= 2
    let answer = isSigned ? try AuthorityAnswers.signed(rest, isList: isList) : rest
    let answers = try authority.get()
    guard let status = answers.status(answer, isList: isList) else { throw Unfit() }
    probe.require(
      isSigned || answers.statuses.contains(status), "no status without the issuer's signature")
  }
}

/// Answers about an invented certificate, whose issuer has key 81 of a persona.
private struct AuthorityAnswers {
  let lists: [[UInt8]]
  let responses: [[UInt8]]
  let timeStamp: [UInt8]
  /// The statuses in lists and responses.
  private(set) var statuses: [CertificateStatus] = []
  private let certificate: Certificate
  private let issuer: Certificate

  private struct Vector: Decodable {
    let issuer: HexBytes
    let certificate: HexBytes
    let lists: [HexBytes]
    let responses: [HexBytes]
    let timeStamp: HexBytes
  }

  init() throws {
    let vector = try Vectors.decode("authority-answers", as: Vector.self)
    lists = vector.lists.map(\.bytes)
    responses = vector.responses.map(\.bytes)
    timeStamp = vector.timeStamp.bytes
    certificate = try Certificate(der: vector.certificate.bytes)
    issuer = try Certificate(der: vector.issuer.bytes)
    statuses =
      lists.compactMap { status($0, isList: true) }
      + responses.compactMap { status($0, isList: false) }
    guard statuses.count == lists.count + responses.count else { throw Unfit() }
  }

  func status(_ answer: [UInt8], isList: Bool) -> CertificateStatus? {
    isList
      ? RevocationList(answer)?.status(of: certificate, issuer: issuer)
      : CertificateStatus(of: certificate, issuer: issuer, response: answer)
  }

  /// The first object of a SEQUENCE: the signed one of a CRL and of a BasicOCSPResponse.
  static func part(_ answer: [UInt8]) throws -> [UInt8] {
    var outer = TLVCursor(answer)
    var inner = try outer.next(DER.sequence).contents
    return [UInt8](try inner.next().encoded)
  }

  /// ResponseData (RFC 6960 §4.2.1).
  static func responseData(_ response: [UInt8]) throws -> [UInt8] {
    var outer = TLVCursor(response)
    var inner = try outer.next(DER.sequence).contents
    _ = try inner.next()
    var explicit = try inner.next(0xA0).contents
    var bytes = try explicit.next(DER.sequence).contents
    _ = try bytes.next(DER.objectIdentifier)
    return try part(bytes.next(DER.octetString).bytes)
  }

  /// A CRL (RFC 5280 §5.1) or an OCSPResponse around a part that the fuzzer signs.
  static func signed(_ part: [UInt8], isList: Bool) throws -> [UInt8] {
    guard part.count < 60_000 else { throw Unfit() }
    let signature = try SignedObject.signature(of: part)
    let signed = TLV.encode(
      DER.sequence, [part, SignedObject.rsa, TLV.encode(DER.bitString, [0] + signature)])
    guard !isList else { return signed }
    let basic: [UInt8] = [0x06, 0x09, 0x2B, 0x06, 0x01, 0x05, 0x05, 0x07, 0x30, 0x01, 0x01]
    let bytes = TLV.encode(DER.sequence, [basic, TLV.encode(DER.octetString, signed)])
    return TLV.encode(DER.sequence, [[0x0A, 1, 0], TLV.encode(0xA0, bytes)])
  }
}
