internal import CIECard
public import Primitives

extension Diagnosis {
  /// A trusted list that is not taken.
  ///
  /// - Parameter territory: of the list; `EU` for the list of lists.
  public init(_ problem: TrustedListProblem, territory: String) {
    let list = territory.printable
    let advice = Message("trusted-list-refused.do")
    switch problem {
    case .unreachable(let reason): self = reason
    case .tooLarge(let limit):
      self.init(
        .couldNotCheck, "trusted-list-too-large", ["territory": list, "limit": limit >> 20],
        advice: advice)
    case .notXML:
      self.init(.couldNotCheck, "trusted-list-not-xml", ["territory": list], advice: advice)
    case .version(let version):
      self.init(
        .couldNotCheck, "trusted-list-version",
        ["territory": list, "version": version.printable], advice: advice)
    case .form(let part):
      self.init(
        .couldNotCheck, "trusted-list-malformed", ["territory": list, "part": part.printable],
        advice: advice)
    case .unsigned:
      self.init(.false, "trusted-list-unsigned", ["territory": list], advice: advice)
    case .unacceptedSignature(let part):
      self.init(
        .couldNotCheck, "trusted-list-algorithm", ["territory": list, "part": part.printable],
        advice: advice)
    case .signatureFalse:
      self.init(.false, "trusted-list-false", ["territory": list], advice: advice)
    case .otherSigner(let name):
      self.init(
        .false, "trusted-list-other-signer",
        ["territory": list, "name": name.map(\.text.printable) ?? "–"])
    case .otherList: self.init(.false, "trusted-list-other", ["territory": list], advice: advice)
    case .older(let number, let stored):
      self.init(
        .false, "trusted-list-older", ["territory": list, "number": number, "stored": stored],
        key: number < stored ? "trusted-list-older" : "trusted-list-older-date", advice: advice)
    case .future(let time):
      self.init(.false, "trusted-list-future", ["territory": list, "time": time])
    case .notListed: self.init(.couldNotCheck, "trusted-list-not-listed", ["territory": list])
    }
  }

  /// libxmlsec1 or its OpenSSL backend is not installed; without it no list can be verified. The program looks for it before it
  /// uses anything of trusted lists.
  public static var noSignatureLibrary: Diagnosis {
    Diagnosis(.couldNotCheck, "trusted-list-library", ["package": "libxmlsec1-openssl"])
  }
}
