internal import CIECard
internal import Primitives

extension Trace.Header {
  /// The lines of the header in the order of the format.
  var lines: [(TraceKey, String)] {
    var lines: [(TraceKey, String)] = [(.title, title)]
    switch source {
    case .virtual(let persona): lines += [(.source, "virtual"), (.persona, persona)]
    case .specification: lines += [(.source, "spec")]
    }
    lines.append((.provenance, provenance))
    if let fault { lines.append((.fault, fault)) }
    lines.append((.atr, traits.atr.hexadecimal))
    lines.append((.extended, traits.extendedLength.traceText))
    if let time { lines.append((.time, String(time.seconds))) }
    lines += random.map { (.random, $0.hexadecimal) }
    return lines + journey.lines + expectation.lines
  }
}

extension ChannelTraits.ExtendedLength {
  /// The word or number of the line `extended`.
  var traceText: String {
    switch self {
    case .notCarried: "none"
    case .unknown: "unknown"
    case .carried(let maximum): String(maximum)
    }
  }
}

extension Trace.Journey {
  fileprivate var lines: [(TraceKey, String)] {
    let inputs: [(TraceKey, String)] =
      switch self {
      case .information, .servicesNumber, .serialNumber: []
      case .documentNumber(let pin), .certificate(let pin), .verifyPIN(let pin): [(.pin, pin)]
      case .changePIN(let pin, let newPIN): [(.pin, pin), (.newPIN, newPIN)]
      case .unblockPIN(let puk, let newPIN): [(.puk, puk), (.newPIN, newPIN)]
      case .sign(let pin, let digests), .signatures(_, let pin, let digests):
        [(.pin, pin)]
          + digests.map { (.digest, "\($0.algorithm.rawValue) \($0.bytes.hexadecimal)") }
      case .authenticity(let challenge, let trustAnchors):
        [challenge].compactMap { $0 }.map { (.challenge, $0.hexadecimal) }
          + trustAnchors.map { (.trustAnchor, $0.hexadecimal) }
      case .travelDocument(let visit): visit.lines
      case .documentAuthenticity(let code, let groups, let trustAnchors):
        trustAnchors.map { (.trustAnchor, $0.hexadecimal) }
          + Trace.DocumentVisit(code: code, tasks: groups.map { .read(.group($0)) }).lines
      }
    return [(.journey, name)] + inputs
  }
}

extension Trace.Expectation {
  /// The values in the order of their keys; repeated keys keep their order.
  fileprivate var lines: [(TraceKey, String)] {
    let lines = values.map(\.line)
    return [(.expect, outcome.text)]
      + TraceKey.allCases.flatMap { key in lines.filter { $0.0 == key } }
  }
}

extension Trace.Expectation.Value {
  fileprivate var line: (TraceKey, String) {
    switch self {
    case .servicesNumber(let digits): (.servicesNumber, digits)
    case .serialNumber(let bytes): (.serialNumber, bytes.hexadecimal)
    case .documentNumber(let text): (.documentNumber, text)
    case .access(let name): (.access, name)
    case .chipMapping(let word): (.chipMapping, word)
    case .fileHash(let name, let hash): (.fileHash, "\(name) \(hash.hexadecimal)")
    case .chipAuthentication(let word): (.chipAuthentication, word)
    case .activeAuthentication(let word): (.activeAuthentication, word)
    case .certificateHash(let hash): (.certificateHash, hash.hexadecimal)
    case .signatureHash(let hash): (.signatureHash, hash.hexadecimal)
    case .triesLeft(let tries): (.triesLeft, String(tries))
    case .report(let point, let verdict): (.report, "\(point) \(verdict)")
    }
  }
}
