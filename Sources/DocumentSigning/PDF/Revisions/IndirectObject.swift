internal import Primitives

/// An object as it stands in the file: `12 0 obj … endobj` (ISO 32000-2 §7.3.10).
struct IndirectObject {
  let number: Int
  let generation: Int
  let value: PDFValue
  /// The bytes of a stream as they stand there, Length of them; nil for other objects.
  let stream: [UInt8]?

  /// Reads the object at the reader's place. The length of a stream is exact.
  ///
  /// - Parameter length: the value of the object that has the length of a stream; nil for none.
  init(
    _ reader: inout PDFValueReader,
    length: (PDFReference) throws(DocumentError) -> Int?
  ) throws(DocumentError) {
    number = try reader.number()
    guard reader.skipSpace() > 0 else { throw .outsideGrammar }
    generation = try reader.number()
    guard reader.skipSpace() > 0 else { throw .outsideGrammar }
    try reader.take("obj")
    reader.skipBlank()
    value = try reader.value()
    reader.skipBlank()
    if reader.isAt("stream") {
      try reader.take("stream")
      // A carriage return alone does not end the keyword (ISO 32000-2 §7.3.8.1).
      guard reader.isAt("\r\n") || reader.next == 0x0A, reader.takeLineEnd() else {
        throw .outsideGrammar
      }
      let count =
        if let reference = value["Length"].reference { try length(reference) } else {
          value["Length"].integer
        }
      guard let count else { throw .outsideGrammar }
      stream = [UInt8](try reader.take(count: count))
      _ = reader.takeLineEnd()
      try reader.take("endstream")
      reader.skipSpace()
    } else {
      stream = nil
    }
    try reader.take("endobj")
  }

  /// The values in an object stream (ISO 32000-2 §7.5.7), by their order, with their numbers.
  ///
  /// - Parameters:
  ///   - rest: the number of values that may still be read.
  ///   - mayExtend: true if the stream may name another one, which only says in what order to look.
  func members(
    _ rest: inout Int, mayExtend: Bool = false
  ) throws(DocumentError) -> [(number: Int, value: PDFValue)] {
    guard let stream, value["Type"].name == "ObjStm", mayExtend || value["Extends"] == .null,
      let count = value["N"].integer, let first = value["First"].integer,
      (0...10_000).contains(count)
    else { throw .outsideGrammar }
    let data = try StreamData.decoded(stream, of: value, atMost: StreamData.largest)
    var head = PDFValueReader(data, end: first)
    var places: [(number: Int, offset: Int)] = []
    for _ in 0..<count {
      head.skipSpace()
      let number = try head.number()
      guard head.skipSpace() > 0 else { throw .outsideGrammar }
      places.append((number, try head.number()))
    }
    var values: [(number: Int, value: PDFValue)] = []
    for place in places {
      var reader = PDFValueReader(data, at: first + place.offset, rest: rest)
      reader.skipSpace()
      values.append((place.number, try reader.value()))
      rest = reader.rest
    }
    return values
  }
}

/// The data of a stream, freed of its filter: Flate, with a predictor of PNG or none (ISO 32000-2 §7.4.4).
enum StreamData {
  /// The most bytes of one stream that is read here.
  static let largest = 16 << 20

  static func decoded(
    _ data: [UInt8], of dictionary: PDFValue, atMost limit: Int
  ) throws(DocumentError) -> [UInt8] {
    let filters = dictionary["Filter"].items ?? [dictionary["Filter"]].filter { $0 != .null }
    guard !filters.isEmpty else { return data }
    let parameters = dictionary["DecodeParms"].items?.first ?? dictionary["DecodeParms"]
    guard filters.count == 1, filters.first?.name == "FlateDecode",
      let bytes = PDFObject.inflated(data, atMost: limit)
    else { throw .outsideGrammar }
    let predictor = parameters["Predictor"].integer ?? 1
    guard predictor != 1 else { return bytes }
    guard (10...15).contains(predictor), parameters["Colors"].integer ?? 1 == 1,
      parameters["BitsPerComponent"].integer ?? 8 == 8
    else { throw .outsideGrammar }
    return try unpredicted(bytes, columns: parameters["Columns"].integer ?? 1)
  }

  /// Undoes the filters of PNG (ISO/IEC 15948 §9.2) for rows of one byte a sample.
  private static func unpredicted(_ bytes: [UInt8], columns: Int) throws(DocumentError) -> [UInt8] {
    guard (1...64).contains(columns), bytes.count.isMultiple(of: columns + 1) else {
      throw .outsideGrammar
    }
    var above = [UInt8](repeating: 0, count: columns)
    var result: [UInt8] = []
    result.reserveCapacity(bytes.count)
    for start in stride(from: 0, to: bytes.count, by: columns + 1) {
      var row = [UInt8](bytes[start + 1..<start + 1 + columns])
      for column in 0..<columns {
        let left = column > 0 ? row[column - 1] : 0
        let corner = column > 0 ? above[column - 1] : 0
        switch bytes[start] {
        case 0: break
        case 1: row[column] &+= left
        case 2: row[column] &+= above[column]
        case 3: row[column] &+= UInt8((Int(left) + Int(above[column])) / 2)
        case 4: row[column] &+= nearest(Int(left), Int(above[column]), Int(corner))
        default: throw .outsideGrammar
        }
      }
      result += row
      above = row
    }
    return result
  }

  /// The Paeth predictor (ISO/IEC 15948 §9.4).
  private static func nearest(_ left: Int, _ above: Int, _ corner: Int) -> UInt8 {
    let estimate = left + above - corner
    let distances = (abs(estimate - left), abs(estimate - above), abs(estimate - corner))
    if distances.0 <= distances.1, distances.0 <= distances.2 { return UInt8(left) }
    return UInt8(distances.1 <= distances.2 ? above : corner)
  }
}
