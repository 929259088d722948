internal import CQPDF
internal import CZLib
internal import Glibc
internal import Primitives

/// A PDF that qpdf has read without repairing it. Nothing is changed in it.
final class PDFFile {
  /// The bytes of the file, which qpdf reads too.
  let bytes: [UInt8]
  fileprivate let handle: OpaquePointer
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private let isStrict: Bool
  /// The password that opened the file; empty without one.
  let password: [UInt8]

  /// The largest file: it is held in memory, twice.
  static let largest = 1 << 30

  /// The bytes of a file that is not too large.
  static func read(_ pdf: ByteSource) throws(DocumentError) -> [UInt8] {
    guard pdf.count <= largest else { throw .tooLarge(limit: largest) }
    return try pdf.bytes(0..<pdf.count)
  }

  /// - Parameters:
  ///   - password: of an encrypted file, the owner's or the user's; empty without one.
  ///   - isStrict: true to throw `damaged` also for everything about which qpdf warns.
  static func open(
    _ bytes: [UInt8], password: [UInt8] = [], isStrict: Bool = true
  ) throws(DocumentError) -> PDFFile {
    do throws(DocumentError) {
      return try PDFFile(bytes, password: password, isStrict: isStrict)
    } catch {
      // Before revision 5 a password is no UTF-8, but of one byte a letter.
      let letters = String(validating: password, as: UTF8.self)?.unicodeScalars
      let narrow = letters?.compactMap { UInt8(exactly: $0.value) } ?? password
      guard error == .wrongPassword, narrow.count == letters?.count, narrow != password else {
        throw error
      }
      return try PDFFile(bytes, password: narrow, isStrict: isStrict)
    }
  }

  private init(_ bytes: [UInt8], password: [UInt8], isStrict: Bool) throws(DocumentError) {
    // qpdf takes it as a C string.
    guard !password.contains(0) else { throw .wrongPassword }
    guard let handle = qpdf_init() else { throw .damaged(reason: "qpdf_init") }
    self.bytes = bytes
    self.handle = handle
    self.isStrict = isStrict
    self.password = password
    buffer = UnsafeMutableBufferPointer.allocate(capacity: max(1, bytes.count))
    _ = buffer.update(fromContentsOf: bytes)
    qpdf_silence_errors(handle)
    qpdf_set_suppress_warnings(handle, QPDF_TRUE)
    qpdf_set_attempt_recovery(handle, QPDF_FALSE)
    let isRead = buffer.withMemoryRebound(to: CChar.self) { chars in
      qpdf_read_memory(
        handle, "pdf", chars.baseAddress, UInt64(bytes.count),
        password.map { CChar(bitPattern: $0) } + [0])
    }
    guard isRead & 2 == 0 else { throw error() ?? .damaged(reason: "") }
    try check()
  }

  /// Reports anything about which qpdf complained so far.
  func check() throws(DocumentError) {
    if let error = error() { throw error }
  }

  private func error() -> DocumentError? {
    let found: OpaquePointer?
    if qpdf_has_error(handle) != 0 {
      found = qpdf_get_error(handle)
    } else if isStrict, let warning = nextWarning() {
      found = warning
    } else {
      return nil
    }
    guard qpdf_get_error_code(handle, found) != qpdf_e_password else {
      return password.isEmpty ? .needsPassword : .wrongPassword
    }
    return .damaged(reason: words(found).printable)
  }

  private func words(_ error: OpaquePointer?) -> String {
    qpdf_get_error_message_detail(handle, error).map { String(cString: $0) } ?? ""
  }

  /// The next warning that is one: a Size beyond the last entry only says that more objects are free (ISO 32000-2
  /// §7.5.5), and an update counts from there.
  private func nextWarning() -> OpaquePointer? {
    while qpdf_more_warnings(handle) != 0, let warning = qpdf_next_warning(handle) {
      let text = words(warning)
      let numbers = text.split { !$0.isNumber }.compactMap { Int($0) }
      guard text.hasPrefix("reported number of objects ("), numbers.count == 2,
        numbers[0] > numbers[1]
      else { return warning }
    }
    return nil
  }

  /// An indirect object; null if there is none.
  func object(_ reference: PDFReference) -> PDFObject {
    PDFObject(
      self,
      qpdf_get_object_by_id(
        handle, CInt(clamping: reference.number), CInt(clamping: reference.generation)))
  }

  var isEncrypted: Bool { qpdf_is_encrypted(handle) != 0 }
  var trailer: PDFObject { PDFObject(self, qpdf_get_trailer(handle)) }
  var root: PDFObject { PDFObject(self, qpdf_get_root(handle)) }

  deinit {
    var handle: OpaquePointer? = handle
    qpdf_cleanup(&handle)
    buffer.deallocate()
  }
}

/// An object of a PDF. Members of another type than the expected one are nil or null.
struct PDFObject {
  private let file: PDFFile
  private let object: qpdf_oh

  init(_ file: PDFFile, _ object: qpdf_oh) { (self.file, self.object) = (file, object) }

  /// True if qpdf knows the object, and it is of a type.
  private func isA(_ test: (OpaquePointer?, qpdf_oh) -> QPDF_BOOL) -> Bool {
    qpdf_oh_is_initialized(file.handle, object) != 0 && test(file.handle, object) != 0
  }

  var isDictionary: Bool { isA(qpdf_oh_is_dictionary) }
  var isNull: Bool { !isA(qpdf_oh_is_initialized) || isA(qpdf_oh_is_null) }
  var isStream: Bool { isA(qpdf_oh_is_stream) }
  var isIndirect: Bool { isA(qpdf_oh_is_indirect) }
  var number: Int { Int(qpdf_oh_get_object_id(file.handle, object)) }
  var generation: Int { Int(qpdf_oh_get_generation(file.handle, object)) }
  /// `12 0 R`.
  var reference: String { "\(number) \(generation) R" }

  /// The reference to this object; nil for a direct one.
  var asReference: PDFReference? {
    isIndirect ? PDFReference(number: number, generation: generation) : nil
  }

  /// The syntax of the object itself, of a stream that of its dictionary.
  var ownSyntax: [UInt8] {
    syntax(of: isStream ? qpdf_oh_get_dict(file.handle, object) : object, qpdf_oh_unparse_resolved)
  }

  /// The syntax of this object as a member of another one: a reference if it is indirect.
  var syntax: [UInt8] { syntax(of: object, qpdf_oh_unparse) }

  private func syntax(
    of object: qpdf_oh, _ unparse: (OpaquePointer?, qpdf_oh) -> UnsafePointer<CChar>?
  ) -> [UInt8] {
    guard isA(qpdf_oh_is_initialized) else { return [UInt8]("null".utf8) }
    let start = unparse(file.handle, object)
    return Self.bytes(start, qpdf_get_last_string_length(file.handle))
  }

  /// The data of a stream as they stand in the file, decrypted; nil for other objects.
  var rawData: [UInt8]? {
    guard isStream else { return nil }
    var start: UnsafeMutablePointer<UInt8>?
    var length = 0
    guard
      qpdf_oh_get_stream_data(file.handle, object, qpdf_dl_none, nil, &start, &length) & 2 == 0
    else { return nil }
    defer { free(start) }
    return [UInt8](UnsafeBufferPointer(start: start, count: length))
  }

  /// The data of a stream without a filter, or with Flate alone; nil also if they are longer than a limit.
  func data(atMost limit: Int) -> [UInt8]? {
    guard let raw = rawData, raw.count <= limit else { return nil }
    let members = PDFObject(file, qpdf_oh_get_dict(file.handle, object))
    let filter = members["Filter"]
    let filters = filter.isNull ? [] : filter.items?.map { $0.name } ?? [filter.name]
    guard filters.isEmpty || filters == ["FlateDecode"] && members["DecodeParms"].isNull else {
      return nil
    }
    return filters.isEmpty ? raw : Self.inflated(raw, atMost: limit)
  }

  /// Not by qpdf, which decompresses without a limit: one byte may become a thousand (RFC 1951).
  private static func inflated(_ data: [UInt8], atMost limit: Int) -> [UInt8]? {
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
    guard isDictionary else { return PDFObject(file, qpdf_oh_new_null(file.handle)) }
    return PDFObject(file, qpdf_oh_get_key(file.handle, object, "/" + key))
  }

  var items: [PDFObject]? {
    guard isA(qpdf_oh_is_array) else { return nil }
    let count = max(0, qpdf_oh_get_array_n_items(file.handle, object))
    return (0..<count).map { PDFObject(file, qpdf_oh_get_array_item(file.handle, object, $0)) }
  }

  /// The keys of a dictionary, without slashes.
  var keys: [String] {
    guard isDictionary else { return [] }
    qpdf_oh_begin_dict_key_iter(file.handle, object)
    var keys: [String] = []
    while qpdf_oh_dict_more_keys(file.handle) != 0 {
      guard let key = qpdf_oh_dict_next_key(file.handle) else { break }
      keys.append(String(String(cString: key).dropFirst()))
    }
    return keys
  }

  var integer: Int? {
    isA(qpdf_oh_is_integer) ? Int(qpdf_oh_get_int_value(file.handle, object)) : nil
  }

  /// A number, whole or not.
  var real: Double? {
    var value = 0.0
    let isNumber = isA { qpdf_oh_get_value_as_number($0, $1, &value) }
    return isNumber && value.isFinite ? value : nil
  }

  var boolean: Bool? {
    isA(qpdf_oh_is_bool) ? qpdf_oh_get_bool_value(file.handle, object) != 0 : nil
  }

  /// A name without its slash.
  var name: String? {
    guard isA(qpdf_oh_is_name) else { return nil }
    return qpdf_oh_get_name(file.handle, object).map { String(String(cString: $0).dropFirst()) }
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
    let start = value(file.handle, object, &length)
    return Self.bytes(start, length)
  }

  private static func bytes(_ start: UnsafePointer<CChar>?, _ length: Int) -> [UInt8] {
    UnsafeBufferPointer(start: start, count: start == nil ? 0 : length)
      .map { UInt8(bitPattern: $0) }
  }
}
