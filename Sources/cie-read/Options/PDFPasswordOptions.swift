import Arguments
import CardWork
import Primitives

/// The password of encrypted PDFs.
struct PDFPasswordOptions: ParsableArguments {
  @Option(name: "password-fd", help: .text("option.pdf-password-fd", value: "n"))
  var descriptor: Int32?
  @Option(
    name: "password-file", help: .text("option.pdf-password-file", value: "file"),
    completion: .file())
  var file: String?

  /// Its bytes; empty without an option.
  func password(in session: RunContext) throws(Failure) -> [UInt8] {
    guard !given.isEmpty else { return [] }
    var code = try AwaitedCode(.password, descriptor: descriptor, file: file, in: session)
    return try code.take(in: session).withBytes { [UInt8]($0) }
  }
}
