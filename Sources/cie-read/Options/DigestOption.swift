import ArgumentParser
import CIECard

/// The hash functions that can be asked for.
enum DigestOption: String, CaseIterable, ExpressibleByArgument {
  case sha256
  case sha384
  case sha512

  var algorithm: Digest.Algorithm {
    switch self {
    case .sha256: .sha256
    case .sha384: .sha384
    case .sha512: .sha512
    }
  }
}
