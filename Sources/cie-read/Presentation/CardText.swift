import CIECard
import CardWork
import Messages
import Primitives

extension HolderSignatures: FunctionResult {
  static let members: [Member<HolderSignatures>] = [Member("signatures", \.list)]

  func lines(_ language: Language) -> [String] {
    list.map { Message("sign.done", ["input": $0.input, "path": $0.path ?? "-"])(language) }
  }
}

extension HolderSignatures.Signed: DescribedObject {
  static let members: [Member<HolderSignatures.Signed>] = [
    Member("in", \.input), Member("out", \.path),
    Member("algorithm", \.assertion.digest.algorithm),
    Member("digest") { Digits($0.assertion.digest.bytes) },
    Member("signature") { Digits($0.assertion.signature) },
  ]
}

extension Digest.Algorithm: DescribedWord {}

/// A reader in a list, and the card in it.
struct ListedReader: DescribedObject {
  let number: Int
  let reader: PCSCContext.Reader

  static let members: [Member<ListedReader>] = [
    Member("number", \.number), Member("name", \.reader.name),
    Member("available", \.reader.isAvailable), Member("card") { $0.reader.answerToReset != nil },
    Member("atr") { $0.reader.answerToReset.map(Digits.init) },
    Member("family") { $0.reader.answerToReset.map { ChipFamily(atr: $0).rawValue } },
  ]
}
