internal import CMemoryBudget
internal import CQPDF
internal import Glibc
internal import Primitives

/// A PDF that qpdf has read without repairing it. Nothing is changed in it.
final class PDFFile {
  /// The bytes of the file, which qpdf reads too.
  let bytes: [UInt8]
  private let handle: OpaquePointer
  /// Memory of qpdf, whose streams expand without a limit.
  private let memory: UnsafeMutablePointer<cie_memory_budget>
  private let buffer: UnsafeMutableBufferPointer<UInt8>
  private let isStrict: Bool
  /// The password that opened the file; empty without one.
  let password: [UInt8]

  /// The largest file: it is held in memory, twice.
  static let largest = 1 << 30

  /// Memory of qpdf at a time, for one document: 300 000 objects take a tenth.
  private static let memoryLimit = 160 << 20
  /// Memory that qpdf may take one after the other, beside that for the length of the file.
  private static let workLimit = 1 << 30

  /// The bytes of a file that is not too large.
  static func read(_ pdf: ByteSource) throws(DocumentError) -> [UInt8] {
    guard pdf.count > 0 else { throw .empty }
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
    memory = .allocate(capacity: 1)
    memory.initialize(
      to: cie_memory_budget(
        limit: Self.memoryLimit, live: 0, rest: Self.workLimit + 64 * bytes.count, isSpent: false))
    self.isStrict = isStrict
    self.password = password
    buffer = UnsafeMutableBufferPointer.allocate(capacity: max(1, bytes.count))
    _ = buffer.update(fromContentsOf: bytes)
    qpdf_silence_errors(handle)
    qpdf_set_suppress_warnings(handle, QPDF_TRUE)
    qpdf_set_attempt_recovery(handle, QPDF_FALSE)
    let isRead = buffer.withMemoryRebound(to: CChar.self) { chars in
      call {
        qpdf_read_memory(
          $0, "pdf", chars.baseAddress, UInt64(bytes.count),
          password.map { CChar(bitPattern: $0) } + [0])
      }
    }
    guard isRead & 2 == 0 else { throw error() ?? .damaged(reason: "") }
    try check()
  }

  /// Reports anything about which qpdf complained so far.
  func check() throws(DocumentError) {
    if let error = error() { throw error }
  }

  /// True after memory was refused: qpdf is asked for no object any more, and `check` throws.
  var isSpent: Bool { memory.pointee.isSpent }

  /// Calls qpdf, whose memory is counted meanwhile.
  func call<Value>(_ body: (OpaquePointer) -> Value) -> Value {
    let before = cie_memory_budget_use(memory)
    defer { cie_memory_budget_use(before) }
    return body(handle)
  }

  private func error() -> DocumentError? {
    guard !isSpent else { return .expands(limit: Self.memoryLimit) }
    let found: OpaquePointer?
    if qpdf_has_error(handle) != 0 {
      found = qpdf_get_error(handle)
    } else if isStrict, let warning = nextWarning() {
      found = warning
    } else {
      return nil
    }
    switch qpdf_get_error_code(handle, found) {
    case qpdf_e_password: return password.isEmpty ? .needsPassword : .wrongPassword
    case qpdf_e_unsupported: return .unsupported(.encryptedPDF)
    case _: return .damaged(reason: words(found).printable)
    }
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
    find {
      qpdf_get_object_by_id(
        $0, CInt(clamping: reference.number), CInt(clamping: reference.generation))
    }
  }

  var isEncrypted: Bool { qpdf_is_encrypted(handle) != 0 }
  var trailer: PDFObject { find(qpdf_get_trailer) }
  var root: PDFObject { find(qpdf_get_root) }

  func find(_ search: (OpaquePointer) -> qpdf_oh) -> PDFObject {
    isSpent ? null : PDFObject(self, call(search))
  }

  /// Made without the budget, because qpdf does not catch an error there.
  var null: PDFObject { PDFObject(self, qpdf_oh_new_null(handle)) }

  deinit {
    var handle: OpaquePointer? = handle
    qpdf_cleanup(&handle)
    memory.deallocate()
    buffer.deallocate()
  }
}
