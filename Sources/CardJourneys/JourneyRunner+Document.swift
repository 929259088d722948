package import CIECard

extension JourneyRunner {
  /// What was found at a travel document; a trace lists it in this order.
  private struct Findings {
    var access: [Trace.Expectation.Value] = []
    var hashes: [Trace.Expectation.Value] = []
    var chipAuthentication: [Trace.Expectation.Value] = []
    var activeAuthentication: [Trace.Expectation.Value] = []
    var files: [DataGroup: [UInt8]] = [:]

    var values: [Trace.Expectation.Value] {
      access + hashes + chipAuthentication + activeAuthentication
    }
  }

  /// Opens the travel document, does what the visit asks for, and goes back if it says so.
  func carryOut<Channel: CardChannel & ~Copyable>(
    _ visit: Trace.DocumentVisit, on card: consuming IdentityCard<Channel>,
    random: inout some RandomSource
  ) throws(CardError) -> [Trace.Expectation.Value] {
    var document = try card.openTravelDocument(
      with: Self.accessCode(visit.code), random: &random)
    var findings = Findings()
    findings.access = [.access(document.access.word)]
    if let proof = document.chipMapping { findings.access.append(.chipMapping(proof.word)) }
    for task in visit.tasks {
      switch task {
      case .read(let file):
        let content = try Self.read(file, of: &document)
        if case .group(let group) = file { findings.files[group] = content }
        let hash = try Self.hash(content, .readDataGroup)
        findings.hashes.append(.fileHash(name: file.name, hash: hash))
      case .authenticateChip:
        let result = try document.authenticateChip(
          with: findings.files[.dg14] ?? [], random: &random)
        findings.chipAuthentication = [.chipAuthentication(result.word)]
      case .answerChallenge:
        let word = try challenge(&document, findings.files, random: &random)
        findings.activeAuthentication = [.activeAuthentication(word)]
      }
    }
    guard visit.readsServicesNumberAfterwards else { return findings.values }
    var other = try document.endSession()
    return [.servicesNumber(try other.readServicesNumber().description)] + findings.values
  }

  private static func read<Channel: CardChannel & ~Copyable>(
    _ file: Trace.DocumentFile, of document: inout TravelDocument<Channel>
  ) throws(CardError) -> [UInt8] {
    switch file {
    case .common: try document.readCommonData()
    case .securityObject: try document.readSecurityObject()
    case .group(let group): try document.read(group)
    }
  }

  /// Lets the chip sign eight fresh bytes.
  private func challenge<Channel: CardChannel & ~Copyable>(
    _ document: inout TravelDocument<Channel>, _ files: [DataGroup: [UInt8]],
    random: inout some RandomSource
  ) throws(CardError) -> String {
    let drawn: [UInt8]
    do { drawn = try random.bytes(8) } catch { throw CardError(.answerChallenge, .crypto(error)) }
    guard try document.answer(to: drawn) != nil else { return "refused" }
    return "answered"
  }

  private static func accessCode(
    _ code: Trace.DocumentCode
  ) throws(CardError) -> AccessCode {
    switch code {
    case .can(let digits):
      do { return try AccessCode(can: Secret([UInt8](digits.utf8))) } catch {
        throw CardError(.openAccess, .wrongAccessCode(.can, triesLeft: nil))
      }
    case .mrz:
      guard let information = code.mrzInformation else {
        throw CardError(.openAccess, .wrongAccessCode(.mrz, triesLeft: nil))
      }
      do { return try AccessCode(mrz: information) } catch {
        throw CardError(.openAccess, .crypto(error))
      }
    }
  }
}

extension AccessProtocol {
  /// The word in a trace.
  package var word: String {
    switch self {
    case .pace(let name): name
    case .basic: "BAC"
    }
  }
}

extension ChipAuthenticationResult {
  /// The word in a trace.
  package var word: String {
    switch self {
    case .proved: "proved"
    case .failed: "failed"
    case .notOffered: "not-offered"
    case .unsupported: "unsupported"
    case .refused(let status): "refused-\(status)"
    case .extendedLengthNeeded: "extended-length-needed"
    }
  }
}
