import CIECard

/// The key to the travel document: already here, or the CAN for which a person will be asked once the card is there.
enum AwaitedAccess: ~Copyable {
  case can(AwaitedCode)
  case zone(MRZ.Information)

  /// The key that opens the document, and the zone if it was one: the data must then be of the same document.
  struct Opening: ~Copyable {
    let code: AccessCode
    let zone: MRZ.Information?
  }

  /// The code; asked for on the terminal now if it is not here yet.
  mutating func resolve(in session: RunContext) throws(Failure) -> Opening {
    switch consume self {
    case .can(var awaited):
      let digits: Secret
      do throws(Failure) { digits = try awaited.resolve(in: session) } catch {
        self = .can(awaited)
        throw error
      }
      self = .can(awaited)
      do throws(AccessCode.FormatError) {
        return Opening(code: try AccessCode(can: digits), zone: nil)
      } catch { throw CodeRole.can.failure(error) }
    case .zone(let information):
      self = .zone(information)
      return Opening(
        code: try mapError(try AccessCode(mrz: information)) { Failure.crypto($0) },
        zone: information)
    }
  }
}
