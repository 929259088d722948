// Deliberately written apart from CIECard: public values that are wrong on purpose.

internal import CIECard

extension AgreementGroup {
  /// A public value that no terminal should accept.
  func value(_ flaw: Fault.PACEValue.Flaw, terminal: [UInt8], own: [UInt8]) -> [UInt8] {
    switch (flaw, self) {
    case (.reflected, _): terminal
    case (.identity, .field(let field)): field.one
    case (.identity, .curve): [0x00]  // the point at infinity (BSI TR-03111 §3.2)
    case (.minusOne, .field(let field)): field.minusOne
    case (.minusOne, .curve(let curve)):
      [0x04] + [UInt8](repeating: 0, count: 2 * curve.fieldLength)
    case (.outside, .field(let field)): field.prime
    case (.outside, .curve): own.dropLast() + own.suffix(1).map { $0 ^ 1 }
    }
  }

  /// The common value that such a public value leads to, as far as the card can know it.
  func commonValue(_ flaw: Fault.PACEValue.Flaw) -> [UInt8]? {
    switch (flaw, self) {
    case (.identity, .field(let field)), (.minusOne, .field(let field)): field.one
    case (.identity, .curve(let curve)), (.minusOne, .curve(let curve)):
      [0x04] + [UInt8](repeating: 0, count: 2 * curve.fieldLength)
    case (.reflected, _), (.outside, _): nil
    }
  }
}
