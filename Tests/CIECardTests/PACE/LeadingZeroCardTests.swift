import TestSupport
import Testing

@testable import CIECard

/// The card's public value is a number, but the token is computed over the received bytes.
@Suite struct LeadingZeroCardTests {
  @Test(arguments: LeadingZeroCard.Form.allCases)
  func `a public value that begins with a zero byte is accepted`(
    _ form: LeadingZeroCard.Form
  ) throws {
    let card = try LeadingZeroCard(form)
    var channel = PlainChannel(
      ScriptedChannel(log: ScriptedChannel.Log()) { (command, _) throws(ChannelError) in
        do { return try card.respond(to: command) } catch { throw .cardMute }
      }, cardTakesExtended: false)
    let domain = try #require(try AgreementDomain(standardized: 0))
    let info =
      TLV.encode(0x06, LeadingZeroCard.identifier) + TLV.encode(0x02, [0x02])
      + TLV.encode(0x02, [0x00])
    guard
      case .pace(let pace) = try SecurityInfos(
        TLV.encode(0x31, TLV.encode(0x30, info))
      ).infos.first
    else { throw PACECase.Unusable() }
    let selection = PACE.Selection(info: pace, domain: domain, namesParameters: false)
    let code = try AccessCode(can: Secret(LeadingZeroCard.can))
    #expect(try PACE.select(selection, for: .can, through: &channel) == .success)
    var random = SystemRandom()
    switch try PACE.run(selection, code: code, through: &channel, random: &random) {
    case .opened: break
    case .wrongPassword(let status, _): Issue.record("the card refuses: \(status)")
    }
    #expect(card.sent.count < 128 || card.sent.first == 0)
    #expect((card.sent.count == 128) == (form == .whole))
  }
}
