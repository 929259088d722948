import CIECard
import Traces

/// A small trace that uses every kind of line; its bytes are made up.
enum SampleTrace {
  static let text = """
    title: Two signatures, the card removed before the third command
    source: virtual
    persona: gemalto
    provenance: written by hand for the tests
    fault: card-removed at 3
    atr: 3B8F80018031806549544A3441120FFF82900088
    extended: 1278
    time: 1767225600
    random: 0102030405060708
    random: AABB
    journey: sign
    pin: 12345678
    digest: sha256 000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F
    digest: sha384 001122330011223300112233001122330011223300112233001122330011223300112233001122330011223300112233
    expect: channel-card-removed at read-services-key
    nis: 123456789012
    signature-sha256: 000102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F
    signature-sha256: FF0102030405060708090A0B0C0D0E0F101112131415161718191A1B1C1D1E1F
    tries-left: 3
    report: passive proved

    # SELECT of the root application
    > 00A4040C0DA0000000308000000009816001
    < 9000
    # READ BINARY of EF.ID_Servizi by short identifier
    > 00B081000C
    < 3132333435363738393031329000
    > 00B08500E7
    ! card-removed

    """

  static func parsed() throws -> Trace { try Trace(parsing: [UInt8](text.utf8)) }

  /// The sample with a piece of its text replaced.
  static func changed(_ piece: String, to other: String) -> [UInt8] {
    guard let range = text.firstRange(of: piece) else { return [] }
    return [UInt8](text.replacingCharacters(in: range, with: other).utf8)
  }
}

extension String {
  fileprivate func replacingCharacters(in range: Range<Index>, with other: String) -> String {
    self[..<range.lowerBound] + other + self[range.upperBound...]
  }
}
