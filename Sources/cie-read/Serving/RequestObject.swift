import CIECard
import CardWork
import LocalService
import Primitives

/// The JSON object of a request; every member must be taken.
struct RequestObject: ~Copyable {
  private var members: [String: JSONValue] = [:]
  /// All members that the function knows, for the error about an unknown one.
  private var known: [String] = []
  private var pin: Secret?

  /// Reads a body; an empty one is an empty object. The PIN in it is taken out before any other code sees it.
  init(_ body: RequestBody) throws(Failure) {
    let (bytes, pin) = body.withBytes { bytes in
      let pin = Self.takePIN(from: bytes)
      return ([UInt8](bytes), Held(pin))
    }
    self.pin = pin.take()
    guard !bytes.isEmpty else { return }
    let value: JSONValue
    do throws(JSONProblem) { value = try JSONValue(bytes) } catch {
      throw .usage(.malformedRequest)
    }
    guard case .object(let list) = value else { throw .usage(.malformedRequest) }
    for member in list {
      guard members.updateValue(member.value, forKey: member.name) == nil else {
        throw .usage(.malformedRequest)
      }
    }
  }

  /// A member of another type than this function takes.
  static func unfit(_ member: String) -> Failure { .usage(.badMember(member)) }

  /// A flag; false if it is missing.
  mutating func flag(_ name: String) throws(Failure) -> Bool {
    known.append(name)
    switch members.removeValue(forKey: name) {
    case nil, .flag(false): return false
    case .flag(true): return true
    case .null, .number, .string, .array, .object: throw Self.unfit(name)
    }
  }

  /// A text; `nil` if it is missing.
  mutating func string(_ name: String) throws(Failure) -> String? {
    known.append(name)
    guard let value = members.removeValue(forKey: name) else { return nil }
    guard let text = value.text else { throw Self.unfit(name) }
    return text
  }

  /// Texts; `nil` if they are missing.
  mutating func texts(_ name: String) throws(Failure) -> [String]? {
    known.append(name)
    guard let value = members.removeValue(forKey: name) else { return nil }
    guard case .array(let values) = value else { throw Self.unfit(name) }
    let texts = values.compactMap(\.text)
    guard texts.count == values.count else { throw Self.unfit(name) }
    return texts
  }

  /// The PIN, or the question for it once the card is there.
  ///
  /// - Throws: `pinRefused` if pages may not send one, `pinMissing` if only they can.
  mutating func pin(by entry: PINEntry) throws(Failure) -> HeldCode {
    let given = try string("pin")
    switch entry {
    case .terminal, .pinentry:
      guard given == nil else { throw .usage(.pinRefused) }
      return HeldCode(.toAsk(.pin))
    case .page:
      guard given != nil else { throw .usage(.pinMissing) }
      // A PIN that was not taken out is not written as digits.
      guard let pin = pin.take() else { throw .code(.notDigits(.pin)) }
      return HeldCode(try AwaitedCode(.pin, pin))
    }
  }

  /// - Throws: `badMember` for a member that was not taken.
  consuming func finish() throws(Failure) {
    guard members.isEmpty else {
      throw .usage(.badMember(known.isEmpty ? "-" : known.joined(separator: ", ")))
    }
  }

  /// The longest PIN, right or wrong.
  private static let longestPIN = 64

  /// Takes out the text after each `"pin":`, valid or not, and overwrites it with zeros.
  ///
  /// - Returns: the first one.
  private static func takePIN(from bytes: UnsafeMutableRawBufferPointer) -> Secret? {
    let name = [UInt8]("\"pin\"".utf8)
    let gap = [UInt8](" \t\r\n:".utf8)
    var pin: Secret?
    var rest = bytes[...]
    while rest.count > name.count {
      guard rest.starts(with: name) else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(name.count).drop { gap.contains($0) }
      guard rest.first == UInt8(ascii: "\"") else { continue }
      rest = rest.dropFirst()
      let text = rest.prefix(longestPIN).prefix { $0 != UInt8(ascii: "\"") }
      let digits = UnsafeMutableRawBufferPointer(rebasing: text)
      if pin == nil { pin = Secret(count: text.count) { $0.copyBytes(from: digits) } }
      digits.copyBytes(from: repeatElement(UInt8(ascii: "0"), count: text.count))
      rest = rest.dropFirst(text.count)
    }
    return pin
  }
}
