import TestSupport
import Testing

@testable import VirtualCIE

/// The bad answers of `pace-negative.json`, as far as the card's faults can produce them.
@Suite struct PACENegativeTests {
  struct Vector: Decodable, Sendable {
    let name: String
    let baseFile: String
    let baseCase: String
    let replaceAnswerIndex: Int
    let answer: HexBytes
  }

  /// The fault for each answer; nil if no card of ours gives such an answer.
  private func fault(_ vector: Vector) -> Fault? {
    switch vector.name {
    case "wrong-t-ic": .wrongToken
    case "same-public-key": .paceValue(.agreementReflected)
    case "point-not-on-curve": .paceValue(.mappingOutside)
    case "dh-public-one": .paceValue(.mappingIdentity)
    case "nonce-odd-length", "missing-7c", "dh-short-public-key-accepted": nil
    default: .statusWord(vector.answer.bytes.reduce(0) { $0 << 8 | UInt16($1) })
    }
  }

  @Test func badAnswersAreThoseOfTheVectors() throws {
    var checked = 0
    for vector in try Vectors.cases("pace-negative", of: Vector.self) {
      guard let fault = fault(vector) else { continue }
      let file = vector.baseFile.replacing(".json", with: "")
      let base = try #require(PACEVector.cases(file).first { $0.name == vector.baseCase })
      let index = vector.replaceAnswerIndex
      let card = try base.card(faults: FaultPlan(fault, at: .command(index + 1)))
      for exchange in base.apdus.prefix(index) {
        #expect(try card.respond(to: exchange.cmd.bytes) == exchange.rsp.bytes)
      }
      let answer = try card.respond(to: base.apdus[index].cmd.bytes)
      #expect(answer == vector.answer.bytes, "\(vector.name)")
      checked += 1
    }
    #expect(checked == 9)
  }
}
