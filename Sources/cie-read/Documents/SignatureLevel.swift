import Arguments
import DocumentSigning

/// Levels of signatures (EN 319 122-1 §6, EN 319 142-1 §6).
enum SignatureLevel: String, CaseIterable, ArgumentValue {
  /// The signature alone.
  case b
  /// With a time stamp.
  case t
  /// With the revocation status of its certificates, too.
  case lt
  /// With a time stamp of all of these, too.
  case lta

  init(_ level: SignatureExtension.Level?) {
    switch level {
    case nil: self = .b
    case .t: self = .t
    case .lt: self = .lt
    case .lta: self = .lta
    }
  }

  /// The level above B; nil for B.
  var raised: SignatureExtension.Level? {
    switch self {
    case .b: nil
    case .t: .t
    case .lt: .lt
    case .lta: .lta
    }
  }
}
