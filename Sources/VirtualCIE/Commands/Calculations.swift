// Deliberately written apart from CIECard: what several commands calculate with.

internal import CIECard

extension CardApplication {
  /// Runs a calculation; a failure in it is the card's own: 6F00.
  func calculate<Value>(_ body: () throws(CryptoError) -> Value) throws(Refusal) -> Value {
    do throws(CryptoError) { return try body() } catch { throw Refusal(.noDiagnosis) }
  }

  /// Random bytes of the card.
  mutating func randomBytes(_ count: Int) throws(Refusal) -> [UInt8] {
    do throws(CryptoError) { return try random.bytes(count) } catch {
      throw Refusal(.noDiagnosis)
    }
  }

  /// A private key of the card.
  mutating func privateKey(_ group: AgreementGroup) throws(Refusal) -> [UInt8] {
    do throws(CryptoError) { return try group.scalar(from: &random) } catch {
      throw Refusal(.noDiagnosis)
    }
  }

  /// A static key that is not the one of DG14.
  func otherScalar(_ scalar: [UInt8]) -> [UInt8] {
    scalar.dropLast() + scalar.suffix(1).map { $0 ^ 2 }
  }

  /// Counts the work of a key agreement.
  mutating func count(_ operations: Int, in group: AgreementGroup) {
    switch group.kind {
    case .finiteField: counters.dhExponentiations += operations
    case .ellipticCurve: counters.curveMultiplications += operations
    }
  }
}
