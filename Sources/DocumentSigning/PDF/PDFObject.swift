internal import CQPDF
internal import CZLib
internal import Glibc
internal import Primitives

/// An object of a PDF. Members of another type than the expected one are nil or null.
struct PDFObject {
  private let file: PDFFile
  private let object: qpdf_oh

  init(_ file: PDFFile, _ object: qpdf_oh) { (self.file, self.object) = (file, object) }

  /// True if qpdf knows the object, and it is of a type.
  private func isA(_ test: (OpaquePointer?, qpdf_oh) -> QPDF_BOOL) -> Bool {
    guard !file.isSpent else { return false }
    return file.call { qpdf_oh_is_initialized($0, object) != 0 && test($0, object) != 0 }
  }

  var isDictionary: Bool { isA(qpdf_oh_is_dictionary) }
  var isNull: Bool { !isA(qpdf_oh_is_initialized) || isA(qpdf_oh_is_null) }
  var isStream: Bool { isA(qpdf_oh_is_stream) }
  var isIndirect: Bool { isA(qpdf_oh_is_indirect) }
  var number: Int { Int(file.call { qpdf_oh_get_object_id($0, object) }) }
  var generation: Int { Int(file.call { qpdf_oh_get_generation($0, object) }) }
  /// `12 0 R`.
  var reference: String { "\(number) \(generation) R" }

  /// The reference to this object; nil for a direct one.
  var asReference: PDFReference? {
    isIndirect ? PDFReference(number: number, generation: generation) : nil
  }

  /// The syntax of the object itself, of a stream that of its dictionary.
  var ownSyntax: [UInt8] {
    syntax(
      of: isStream ? file.call { qpdf_oh_get_dict($0, object) } : object, qpdf_oh_unparse_resolved)
  }

  /// The syntax of this object as a member of another one: a reference if it is indirect.
  var syntax: [UInt8] { syntax(of: object, qpdf_oh_unparse) }

  private func syntax(
    of object: qpdf_oh, _ unparse: (OpaquePointer?, qpdf_oh) -> UnsafePointer<CChar>?
  ) -> [UInt8] {
    guard isA(qpdf_oh_is_initialized) else { return [UInt8]("null".utf8) }
    return file.call { handle in
      let start = unparse(handle, object)
      return Self.bytes(start, qpdf_get_last_string_length(handle))
    }
  }

  /// The data of a stream as they stand in the file, decrypted; nil for other objects.
  var rawData: [UInt8]? {
    guard isStream else { return nil }
    var start: UnsafeMutablePointer<UInt8>?
    var length = 0
    let status = file.call {
      qpdf_oh_get_stream_data($0, object, qpdf_dl_none, nil, &start, &length)
    }
    guard status & 2 == 0 else { return nil }
    defer { free(start) }
    return [UInt8](UnsafeBufferPointer(start: start, count: length))
  }

  /// The data of a stream without a filter, or with Flate alone; nil also if they are longer than a limit.
  func data(atMost limit: Int) -> [UInt8]? {
    guard let raw = rawData, raw.count <= limit else { return nil }
    let members = PDFObject(file, file.call { qpdf_oh_get_dict($0, object) })
    let filter = members["Filter"]
    let filters = filter.isNull ? [] : filter.items?.map { $0.name } ?? [filter.name]
    guard filters.isEmpty || filters == ["FlateDecode"] && members["DecodeParms"].isNull else {
      return nil
    }
    return filters.isEmpty ? raw : Self.inflated(raw, atMost: limit)
  }

  /// Not by qpdf, which decompresses without a limit: one byte may become a thousand (RFC 1951).
  static func inflated(_ data: [UInt8], atMost limit: Int) -> [UInt8]? {
    var capacity = min(limit, 4 * data.count + 4096)
    while true {
      var length = uLong(capacity)
      var status = Z_OK
      let bytes = [UInt8](unsafeUninitializedCapacity: capacity) { buffer, count in
        status = uncompress(buffer.baseAddress, &length, data, uLong(data.count))
        count = status == Z_OK ? Int(length) : 0
      }
      if status == Z_OK { return bytes }
      guard status == Z_BUF_ERROR, capacity < limit else { return nil }
      capacity = min(limit, 4 * capacity)
    }
  }

  /// The member of a dictionary; null if there is none.
  subscript(key: String) -> PDFObject {
    guard isDictionary else { return file.null }
    return file.find { qpdf_oh_get_key($0, object, "/" + key) }
  }

  var items: [PDFObject]? {
    guard isA(qpdf_oh_is_array) else { return nil }
    return file.call { handle in
      (0..<max(0, qpdf_oh_get_array_n_items(handle, object))).map {
        PDFObject(file, qpdf_oh_get_array_item(handle, object, $0))
      }
    }
  }

  /// The keys of a dictionary, without slashes.
  var keys: [String] {
    guard isDictionary else { return [] }
    return file.call { handle in
      qpdf_oh_begin_dict_key_iter(handle, object)
      var keys: [String] = []
      while qpdf_oh_dict_more_keys(handle) != 0 {
        guard let key = qpdf_oh_dict_next_key(handle) else { break }
        keys.append(String(String(cString: key).dropFirst()))
      }
      return keys
    }
  }

  var integer: Int? {
    guard isA(qpdf_oh_is_integer) else { return nil }
    return Int(file.call { qpdf_oh_get_int_value($0, object) })
  }

  /// A number, whole or not.
  var real: Double? {
    var value = 0.0
    let isNumber = isA { qpdf_oh_get_value_as_number($0, $1, &value) }
    return isNumber && value.isFinite ? value : nil
  }

  var boolean: Bool? {
    guard isA(qpdf_oh_is_bool) else { return nil }
    return file.call { qpdf_oh_get_bool_value($0, object) } != 0
  }

  /// A name without its slash.
  var name: String? {
    guard isA(qpdf_oh_is_name) else { return nil }
    return file.call { qpdf_oh_get_name($0, object) }
      .map { String(String(cString: $0).dropFirst()) }
  }

  var string: [UInt8]? { string(qpdf_oh_get_binary_string_value) }

  /// A text string (ISO 32000-2 §7.9.2.2) in Unicode.
  var text: String? {
    string(qpdf_oh_get_binary_utf8_value).map { String(decoding: $0, as: UTF8.self) }
  }

  private func string(
    _ value: (OpaquePointer?, qpdf_oh, UnsafeMutablePointer<Int>?) -> UnsafePointer<CChar>?
  ) -> [UInt8]? {
    guard isA(qpdf_oh_is_string) else { return nil }
    var length = 0
    let start = file.call { value($0, object, &length) }
    return Self.bytes(start, length)
  }

  private static func bytes(_ start: UnsafePointer<CChar>?, _ length: Int) -> [UInt8] {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : length)
      .map { UInt8(bitPattern: $0) }
  }
}

/// A reference to an indirect object (ISO 32000-2 §7.3.10).
struct PDFReference: Hashable {
  let number: Int
  let generation: Int
}
