internal import CIECard

/// The keys of a trace's header, in their order.
enum TraceKey: String, CaseIterable {
  case title
  case source
  case persona
  case provenance
  case fault
  case atr
  case extended
  case time
  case random
  case journey
  case pin
  case puk
  case newPIN = "new-pin"
  case digest
  case challenge
  case trustAnchor = "trust-anchor"
  case can
  case mrz
  case task
  case afterwards
  case expect
  case servicesNumber = "nis"
  case serialNumber = "serial-number"
  case documentNumber = "document-number"
  case access
  case chipMapping = "chip-mapping"
  case fileHash = "file-sha256"
  case chipAuthentication = "chip-authentication"
  case activeAuthentication = "active-authentication"
  case certificateHash = "certificate-sha256"
  case signatureHash = "signature-sha256"
  case triesLeft = "tries-left"
  case report

  /// True if the key may be repeated: its lines form a list.
  var isList: Bool {
    switch self {
    case .random, .digest, .trustAnchor, .task, .fileHash, .signatureHash, .report: true
    case .title, .source, .persona, .provenance, .fault, .atr, .extended, .time, .journey, .pin,
      .puk, .newPIN, .challenge, .can, .mrz, .afterwards, .expect, .servicesNumber, .serialNumber,
      .documentNumber, .access, .chipMapping, .chipAuthentication, .activeAuthentication,
      .certificateHash,
      .triesLeft:
      false
    }
  }

  /// The position in the order of the format.
  var rank: Int { Self.allCases.firstIndex(of: self) ?? 0 }
}

/// One line `key: value`, with its number.
struct TraceHeaderLine {
  let line: Int
  let key: TraceKey
  let value: String
}
