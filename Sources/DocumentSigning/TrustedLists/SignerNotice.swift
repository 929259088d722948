internal import Primitives

/// A notice in the Official Journal of the European Union: the certificates that may sign the list of lists, or its first
/// pivot (ETSI TS 119 615 §4.1). They are named by SHA-256 of their encodings, because they name officials.
struct SignerNotice: Sendable {
  /// The address of the notice, as it stands among the addresses of information of a list of lists (§5.3.7).
  let address: String
  let start: UTCTime
  /// The first moment at which the next notice alone counts; nil for the newest.
  let end: UTCTime?
  let signers: Set<[UInt8]>

  /// The notices that count at a time, the newest first.
  static func all(at time: UTCTime) -> [SignerNotice] {
    notices.filter { $0.start <= time && $0.end.map { time < $0 } ?? true }
  }

  private init(_ address: String, start: UTCTime, end: UTCTime?, _ digests: String) {
    (self.address, self.start, self.end) = (address, start, end)
    signers = Set(
      digests.split(separator: "\n").compactMap { [UInt8](hexadecimal: String($0)) })
  }

  /// The transition from the one to the other ended on 29 April 2026.
  private static let notices = [
    // C/2026/1944 of 15 April 2026 (CELEX 52026XC01944), annex. The digests are those that independent public programs took
    // from the notice or from the list of lists no. 393 and 394 and compared: leht (src of its trustlist), pdf_document 5.1.1
    // (pub.dev; "digest for digest" on 24 September 2026), tg_attest. The notice itself could not be fetched here.
    SignerNotice(
      "https://eur-lex.europa.eu/eli/C/2026/1944/oj", start: 1_776_211_200, end: nil,
      """
      c0641c4f7d56c431b1c924742db7fce9c1eef7d7fd212113a2768486b3abcdc5
      e0a620fbb6747362bb933ac44169d676a553444716cf5f31605f12a22b8396b1
      df7e29360c34b2b8d6d5f40325c1d4d12c9922cecd33b7407674a74b2b3ca1e5
      b63d416744e7098bf9ec2caa596a93bc2468e37f8284ba65ecc061711bcbaa18
      236103f03a8031ae8f47f9059bf8de38564cdbfebedde4a597d50f8980aa653b
      d2064fdd70f6982dcc516b86d9d5c56aea939417c624b2e478c0b29de54f8474
      """),
    // 2019/C 276/01 of 16 August 2019. The digests are those of the certificates of the notice that the Commission's library
    // keeps (esig/dss, commit d9473b8, dss-cookbook/src/main/resources/oj_2019), and of the keystore of its demonstrations.
    SignerNotice(
      "https://eur-lex.europa.eu/legal-content/EN/TXT/?uri=uriserv:OJ.C_.2019.276.01.0001.01.ENG",
      start: 1_565_913_600, end: 1_777_500_000,
      """
      5400ab712c41aaf0c40b505e264d5494d8af4180f8f62955d16223b3290f97c3
      9c1a3b646eaf132398ef319e41c8e7ed725b64d5772580ae125d59c0f6845630
      59a1bf290b818b177ad61ac4b3e6dcddd46da6d5be9579f8564adea6f2cf073e
      8e508f03b132500c3403db66e9dd39cd78f4657c840958a77d34e7bd621468e7
      c1a37db48cd5e0479b97f4de32e3a7470c52aafb94c1656ef56f97503992c8a7
      d2064fdd70f6982dcc516b86d9d5c56aea939417c624b2e478c0b29de54f8474
      435504bfd802edf4db08cbd7c7729a0d45b227797b727e4e6ea1d31684166342
      ccd879b36bb553685becbd12901c7f41f7bd3e07f898fcbbe1eec456b03d7589
      """),
  ]
}
