import Testing

@testable import CIECard

/// The card's data in clear: every prefix and every changed byte of a good answer is a value or a typed error.
@Suite struct CardDataTests {
  private let group = DomainParameters(
    generator: [UInt8](repeating: 2, count: 256),
    modulus: [UInt8](repeating: 0xFF, count: 256),
    order: [UInt8](repeating: 0x81, count: 32))

  private func channel(_ answers: [[UInt8]]) -> PlainChannel<ScriptedChannel> {
    PlainChannel(
      ScriptedChannel(answers: answers, log: ScriptedChannel.Log()), cardTakesExtended: false)
  }

  private static func variants(of good: [UInt8]) -> [[UInt8]] {
    var all = good.indices.map { [UInt8](good.prefix($0)) }
    for index in good.indices {
      for change: UInt8 in [0x01, 0x7F, 0x80, 0xFF] {
        var changed = good
        changed[index] ^= change
        all.append(changed)
      }
    }
    return all
  }

  private static func parameterAnswer(_ objects: [[UInt8]]) -> [UInt8] {
    TLV.encode(0x70, TLV.encode(0xBFA101, TLV.encode(0xA3, objects)))
  }

  @Test func parametersTogether() throws {
    let answer = Self.parameterAnswer([
      TLV.encode(0x97, group.generator), TLV.encode(0x98, group.modulus),
      TLV.encode(0x99, group.order),
    ])
    var channel = channel([answer + [0x90, 0]])
    #expect(try DomainParameters.read(through: &channel, family: .gemalto) == group)
    for variant in Self.variants(of: answer) {
      var channel = self.channel([variant + [0x90, 0]])
      do throws(CardError) {
        _ = try DomainParameters.read(through: &channel, family: .gemalto)
      } catch {
        #expect(error.step == .readDomainParameters)
      }
    }
  }

  @Test func parametersOneByOneWhereTogetherIsRefused() throws {
    let answers = [(0x97, group.generator), (0x98, group.modulus), (0x99, group.order)].map {
      Self.parameterAnswer([TLV.encode($0.0, $0.1)]) + [0x90, 0]
    }
    var channel = channel([[0x6A, 0x88]] + answers)
    #expect(try DomainParameters.read(through: &channel, family: .gemalto) == group)
    var other = self.channel(answers)
    #expect(try DomainParameters.read(through: &other, family: .nxp) == group)
  }

  @Test func authorityKeyInAnyOrder() throws {
    let modulus = [UInt8](repeating: 0xC1, count: 256)
    let reference: [UInt8] = [0, 0, 0, 0, 1, 2, 3, 4, 5, 6, 7, 8]
    let authorization: [UInt8] = [0xA0, 0, 0, 0, 0, 0x39, 0]
    let objects = [
      TLV.encode(0x81, modulus), TLV.encode(0x82, [1, 0, 1]), TLV.encode(0x5F20, reference),
      TLV.encode(0x5F4C, authorization),
    ]
    for order in [[0, 1, 2, 3], [3, 2, 1, 0], [2, 0, 3, 1]] {
      let answer = TLV.encode(
        0x70, TLV.encode(0xBFA004, TLV.encode(0x7F49, order.map { objects[$0] })))
      var channel = channel([answer + [0x90, 0]])
      let key = try AuthorityKey.read(through: &channel)
      #expect(key.modulus == modulus)
      #expect(key.authorityReference == [1, 2, 3, 4, 5, 6, 7, 8])
      #expect(key.applicationIdentifier == [0xA0, 0, 0, 0, 0, 0x39])
      for variant in Self.variants(of: answer) {
        var channel = self.channel([variant + [0x90, 0]])
        do throws(CardError) {
          _ = try AuthorityKey.read(through: &channel)
        } catch {
          #expect(error.step == .readAuthorityKey)
        }
      }
    }
  }

  @Test func triesLeft() throws {
    let answer = TLV.encode(
      0x70, TLV.encode(0xBF8101, TLV.encode(0xA0, [0x9A, 1, 3, 0x9B, 1, 2])))
    #expect(SecurityDataObject.triesLeft(of: .pin, in: answer) == 2)
    #expect(SecurityDataObject.triesLeft(of: .puk, in: answer) == nil)
    for variant in Self.variants(of: answer) {
      _ = SecurityDataObject.triesLeft(of: .pin, in: variant)
    }
  }
}
