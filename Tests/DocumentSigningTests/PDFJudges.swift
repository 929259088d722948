import TestSupport
import Testing

/// Independent judges of PDFs: qpdf of the structure, Poppler's pdfsig of the signatures.
enum PDFJudges {
  /// Fails unless qpdf finds nothing wrong.
  static func expectSound(
    _ file: [UInt8], password: String = "", at location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryDirectory()
    let result = try BuiltBinary(path: "/usr/bin/qpdf")
      .run(["--check", "--password=\(password)", try folder.write("file.pdf", file)])
    #expect(result.exitStatus == 0, "\(result.output)\(result.errors)", sourceLocation: location)
  }

  /// Fails unless pdfsig finds this number of signatures, all valid, the last one over the whole file.
  static func expectValid(
    _ file: [UInt8], count: Int = 1, password: String? = nil,
    at location: SourceLocation = #_sourceLocation
  ) throws {
    let folder = try TemporaryDirectory()
    try folder.makeFolder("nss")
    // Without a database pdfsig checks nothing.
    let database = try BuiltBinary(path: "/usr/bin/certutil")
      .run(["-N", "-d", "sql:\(folder.path("nss"))", "--empty-password"])
    #expect(database.exitStatus == 0, "\(database.errors)", sourceLocation: location)
    let passwords = password.map { ["-upw", $0, "-opw", $0] } ?? []
    let result = try BuiltBinary(path: "/usr/bin/pdfsig")
      .run(passwords + ["-nssdir", folder.path("nss"), try folder.write("file.pdf", file)])
    let lines = result.output.split(separator: "\n")
    let valid = lines.count { $0.contains("Signature Validation: Signature is Valid.") }
    #expect(valid == count, "\(result.output)\(result.errors)", sourceLocation: location)
    #expect(
      lines.contains { $0.contains("Total document signed") }, "\(result.output)",
      sourceLocation: location)
  }
}
