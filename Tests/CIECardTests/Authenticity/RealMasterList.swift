import CIECard
import TestSupport

/// The German master list as the BSI published it on 2026-05-28.
enum RealMasterList {
  static let path = Repository.path("Tests/Vectors/DE_ML_2026-05-28.ml")
  /// 2026-06-01T00:00:00Z: its signer is valid.
  static let time: UTCTime = 1_780_272_000

  static func bytes() throws -> [UInt8] { try Repository.read(path) }
}
