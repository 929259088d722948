import CIECard
import Testing
import VirtualCIE

/// The conditions for Basic Access Control, and the error when it fails as well.
@Suite struct BasicAccessFallbackTests {
  private func error(
    _ options: String, over reader: ChannelTraits.ExtendedLength, zone: Bool = true
  ) throws -> CardError? {
    let persona = Persona.gemalto
    let channel = VirtualCardChannel(
      persona: persona,
      options: options.isEmpty ? CardOptions() : try CardOptions(parsing: options),
      extendedLength: reader)
    let lines = persona.mrzLines.joined(separator: "\n")
    let code =
      try zone
      ? AccessCode(mrz: MRZ.Information(MRZ(text: lines)))
      : AccessCode(can: Secret([UInt8](persona.can.utf8)))
    var random = SystemRandom()
    do throws(CardError) {
      _ = try IdentityCard(over: channel).openTravelDocument(with: code, random: &random)
      return nil
    } catch {
      return error
    }
  }

  private let long = ChannelTraits.ExtendedLength.carried(maximumDataLength: 65_536)

  @Test func aShortReaderOpensWithTheZoneAlone() throws {
    #expect(try error("", over: .notCarried) == nil)
    #expect(
      try error("", over: .notCarried, zone: false)
        == CardError(.openAccess, .extendedLengthNeeded(nil)))
  }

  @Test func whatKeepsPACEFromRunningIsTold() throws {
    #expect(
      try error("no-bac", over: .notCarried)
        == CardError(.openAccess, .extendedLengthNeeded(nil)))
    #expect(
      try error("no-card-access,no-bac", over: long) == CardError(.openAccess, .noAccessProtocol))
    #expect(
      try error("no-card-access", over: long, zone: false)
        == CardError(.openAccess, .noAccessProtocol))
  }
}
