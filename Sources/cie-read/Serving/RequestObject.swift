import CIECard
import CardWork
import LocalService
import Primitives
import RedirectFlow

struct RequestObject: Sendable {
  private var members: [String: JSONValue] = [:]
  /// The codes in it, by their names.
  private let codes: [String: Held<Secret>]

  /// Reads a body; an empty one is an empty object. The codes in it are taken out before any other code sees it.
  ///
  /// - Parameter known: the members that the function has; any other one is an error.
  init(_ body: RequestBody, of known: [String]) throws(Failure) {
    let (bytes, codes) = body.withBytes { bytes in
      let codes = Self.codeNames.map { ($0, Held(Self.take($0, from: bytes))) }
      return ([UInt8](bytes), codes)
    }
    self.codes = Dictionary(uniqueKeysWithValues: codes)
    guard !bytes.isEmpty else { return }
    let value: JSONValue = try mapError(try JSONValue(bytes)) { (_: JSONProblem) in
      Failure.malformedRequest
    }
    guard case .object(let list) = value else { throw .malformedRequest }
    for member in list {
      guard members.updateValue(member.value, forKey: member.name) == nil else {
        throw .malformedRequest
      }
      guard known.contains(member.name) else {
        throw .unknownMember(member.name, among: known)
      }
    }
  }

  /// The same, for functions that read their inputs from it.
  ///
  /// - Parameter chosen: the choices of the service's operator.
  func request(by entry: PINEntry, _ chosen: [any Sendable]) -> Request {
    Request(members, chosen: chosen) { (name, role) throws(Failure) in
      try code(name, role, by: entry)
    }
  }

  func has(_ name: String) -> Bool { members[name] != nil }

  /// A member in its type; nil if it is missing.
  private func value<Value>(
    _ name: String, _ convert: (JSONValue) -> Value?
  ) throws(Failure) -> Value? {
    guard let member = members[name] else { return nil }
    guard let value = convert(member) else { throw Request.unfit(name) }
    return value
  }

  func flag(_ name: String) throws(Failure) -> Bool? {
    try value(name) { if case .flag(let value) = $0 { value } else { nil } }
  }

  func number(_ name: String) throws(Failure) -> Int? { try value(name, \.integer) }

  func string(_ name: String) throws(Failure) -> String? { try value(name, \.text) }

  func texts(_ name: String) throws(Failure) -> [String]? {
    try value(name) {
      guard case .array(let values) = $0 else { return nil }
      let texts = values.compactMap(\.text)
      return texts.count == values.count ? texts : nil
    }
  }

  /// Checks that a page has a chip answer for itself alone: in evidence whose audience is the page's origin or the host of it.
  ///
  /// A challenge without evidence is refused as well, because it may be the hash of evidence for another audience.
  func requireAudience(of origin: String) throws(Failure) {
    guard ["challenge", "audience", "evidence"].contains(where: { members[$0] != nil }) else {
      return
    }
    let host = (try? RedirectURL(origin))?.origin.host ?? origin
    let isEvidence = try flag("evidence") ?? false
    let audience = try string("audience") ?? ""
    // By bytes: two spellings of one name in Unicode are two names.
    guard isEvidence, [origin, host].contains(where: { $0.utf8.elementsEqual(audience.utf8) })
    else { throw .found(Diagnosis(.usage, "foreign-audience", ["name": host])) }
  }

  /// The names of members with a code.
  static let codeNames = ["pin", "newPin", "puk"]

  /// A code, or the question for it once the card is there.
  ///
  /// - Throws: `pinRefused` if pages may not send one, `pinMissing` if only they can.
  func code(_ name: String = "pin", _ role: CodeRole = .pin, by entry: PINEntry) throws(Failure)
    -> HeldCode
  {
    let given = try string(name)
    switch entry {
    case .terminal, .pinentry:
      guard given == nil else { throw .found(Diagnosis(.usage, "pin-refused")) }
      return HeldCode(.toAsk(role))
    case .page:
      guard given != nil else {
        throw role == .pin ? .found(Diagnosis(.usage, "pin-missing")) : .code(.missing(role))
      }
      // A code that was not taken out is not written as digits.
      guard let code = codes[name]?.take() else { throw .code(.notDigits(role)) }
      return HeldCode(try AwaitedCode(role, code))
    }
  }

  private static let longestCode = 64

  /// Takes out the text after each `"pin":`, valid or not, and overwrites it with zeros.
  ///
  /// - Returns: the first one.
  private static func take(_ name: String, from bytes: UnsafeMutableRawBufferPointer) -> Secret? {
    let name = [UInt8]("\"\(name)\"".utf8)
    let gap = [UInt8](" \t\r\n:".utf8)
    var code: Secret?
    var rest = bytes[...]
    while rest.count > name.count {
      guard rest.starts(with: name) else {
        rest = rest.dropFirst()
        continue
      }
      rest = rest.dropFirst(name.count).drop { gap.contains($0) }
      guard rest.first == UInt8(ascii: "\"") else { continue }
      rest = rest.dropFirst()
      let text = rest.prefix(longestCode).prefix { $0 != UInt8(ascii: "\"") }
      let digits = UnsafeMutableRawBufferPointer(rebasing: text)
      if code == nil { code = Secret(count: text.count) { $0.copyBytes(from: digits) } }
      digits.copyBytes(from: repeatElement(UInt8(ascii: "0"), count: text.count))
      rest = rest.dropFirst(text.count)
    }
    return code
  }
}
