/// Names of the system as text.
///
/// A name or path of POSIX (XBD §3.170, §3.271) is any bytes but NUL, a String is UTF-8 only. A byte outside of UTF-8 becomes
/// a scalar of a private use area and comes back from it unchanged, as with the surrogates of Python (PEP 383), which no
/// String holds.
extension String {
  /// U+10FE00 plus the byte, in Supplementary Private Use Area-B.
  private static let held: UInt32 = 0x10_FE00

  /// A name from the system.
  ///
  /// - Parameter bytes: without the NUL at the end.
  package init(system bytes: some Collection<UInt8>) {
    if let text = String(validating: bytes, as: UTF8.self), !text.needsEscape {
      self = text
      return
    }
    var view = String.UnicodeScalarView()
    var rest = Array(bytes)[...]
    while !rest.isEmpty {
      let (scalar, length) = Self.scalar(at: rest)
      let bytes = rest.prefix(length)
      let isEscape = rest.starts(with: [UInt8(ascii: "\\")]) && Self.isEscape(rest.dropFirst())
      if let scalar, Self.byte(of: scalar) == nil, !isEscape {
        view.append(scalar)
      } else {
        view.append(contentsOf: bytes.compactMap { Unicode.Scalar(Self.held + UInt32($0)) })
      }
      rest = rest.dropFirst(length)
    }
    self.init(view)
  }

  /// A C string from the system; nil for NULL.
  package init?(system text: UnsafePointer<CChar>?) {
    guard let text else { return nil }
    var bytes: [UInt8] = []
    var place = text
    while place.pointee != 0 {
      bytes.append(UInt8(bitPattern: place.pointee))
      place += 1
    }
    self.init(system: bytes)
  }

  /// The bytes for the system.
  package var systemBytes: [UInt8] {
    unicodeScalars.flatMap { scalar in
      Self.byte(of: scalar).map { [$0] } ?? Array(UTF8.encode(scalar) ?? .init())
    }
  }

  /// The text for those who show it; nil if its bytes are not UTF-8.
  package var systemText: String? { String(validating: systemBytes, as: UTF8.self) }

  /// A name in the form that people and JSON get.
  package init(escapedSystem text: String) {
    var bytes: [UInt8] = []
    var rest = Array(text.utf8)[...]
    while let byte = rest.popFirst() {
      let digits = rest.dropFirst().prefix(2)
      if byte == UInt8(ascii: "\\"), Self.isEscape(rest),
        let value = UInt8(String(decoding: digits, as: UTF8.self), radix: 16)
      {
        bytes.append(value)
        rest = rest.dropFirst(3)
      } else {
        bytes.append(byte)
      }
    }
    self.init(system: bytes)
  }

  /// The form of a held byte that people and JSON get, `\xHH`; nil for other scalars.
  static func escapedByte(of scalar: Unicode.Scalar) -> String? {
    byte(of: scalar).map { "\\x" + [$0].hexadecimal.uppercased() }
  }

  /// The byte that a scalar holds.
  static func byte(of scalar: Unicode.Scalar) -> UInt8? {
    (held...held + 0xFF).contains(scalar.value) ? UInt8(scalar.value - held) : nil
  }

  /// True for the text `xHH`, which stands for a byte behind a backslash.
  private static func isEscape(_ text: some Sequence<UInt8>) -> Bool {
    var bytes = text.makeIterator()
    guard bytes.next() == UInt8(ascii: "x") else { return false }
    for _ in 0..<2 {
      guard let digit = bytes.next(), "0123456789ABCDEF".utf8.contains(digit) else { return false }
    }
    return true
  }

  /// True if it has a scalar that holds a byte, or a text that would be read as one: their forms must differ.
  private var needsEscape: Bool {
    utf8.contains(UInt8(ascii: "\\"))
      && utf8.indices.contains { index in
        utf8[index] == UInt8(ascii: "\\") && Self.isEscape(utf8[index...].dropFirst())
      } || unicodeScalars.contains { Self.byte(of: $0) != nil }
  }

  /// The first character, and the number of its bytes; nil if they are not UTF-8.
  private static func scalar(at bytes: ArraySlice<UInt8>) -> (Unicode.Scalar?, Int) {
    var parser = Unicode.UTF8.ForwardParser()
    var iterator = bytes.makeIterator()
    return switch parser.parseScalar(from: &iterator) {
    case .valid(let encoded): (UTF8.decode(encoded), encoded.count)
    case .error(let length): (nil, Swift.max(1, length))
    case .emptyInput: (nil, 1)
    }
  }
}
