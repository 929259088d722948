import TestSupport
import Testing
import VirtualCIE

/// Libraries that are opened on use and cannot be: the loader takes the first file of the name, and that is empty.
@Suite struct MissingLibraryTests {
  private func run(_ arguments: [String], without libraries: [String]) throws -> ProcessResult {
    let folder = try TemporaryDirectory()
    for library in libraries { _ = try folder.write(library, []) }
    return try BuiltBinary("cie-read").run(
      arguments, input: [UInt8](Persona.gemalto.pin.utf8),
      environment: ["LD_LIBRARY_PATH": folder.path(".")])
  }

  @Test func `a library is named with its package`() throws {
    let login = ["login", "--virtual", "--pin-fd", "0", "--sp-url", "https://sp.example/"]
    let result = try run(login, without: ["libcurl.so.4"])
    #expect(result.exitStatus == 1)
    #expect(result.errors.contains("libcurl.so.4: file too short"))
    #expect(result.errors.contains("[library-missing; exit 1]"))
    #expect(result.errors.contains("libcurl4"))
  }

  @Test func `commands without these libraries do their work`() throws {
    let libraries = [
      "libcjose.so.0", "libcurl.so.4", "libidn2.so.0", "libmicrohttpd.so.12", "libopenjp2.so.7",
      "libpng16.so.16", "libqpdf.so.29", "libqrencode.so.4", "libturbojpeg.so.0", "libxml2.so.2",
      "libxmlsec1-openssl.so.1", "libxmlsec1.so.1", "libz.so.1",
    ]
    let result = try run(["nis", "--virtual"], without: libraries)
    #expect(result.exitStatus == 0 && result.errors.isEmpty)
  }
}
