internal import CLibXML2
internal import CXMLSec
internal import Glibc

/// libxmlsec1 with its OpenSSL backend.
enum SignatureLibrary {
  /// The name by which the one key is found.
  static let keyName = "signer"

  /// Its data and transforms are registered once in a process.
  private static let isReady: Bool = {
    let isReady = xmlSecInit() == 0 && xmlSecOpenSSLInit() == 0
    // Both set one that writes lines on standard error.
    xmlSecErrorsSetCallback { _, _, _, _, _, _, _ in }
    return isReady
  }()

  /// The result of a signature; nil if it could not be processed.
  ///
  /// - Parameters:
  ///   - signature: in a document whose KeyInfo has `keyName` alone.
  ///   - certificate: with the key, DER.
  static func verify(_ signature: xmlNodePtr, by certificate: [UInt8]) -> Bool? {
    guard isReady, let manager = xmlSecKeysMngrCreate() else { return nil }
    defer { xmlSecKeysMngrDestroy(manager) }
    guard xmlSecOpenSSLAppDefaultKeysMngrInit(manager) == 0,
      let key = xmlSecOpenSSLAppKeyLoadMemory(
        certificate, certificate.count, CInt(xmlSecKeyDataFormatCertDer), nil, nil, nil)
    else { return nil }
    guard xmlSecKeySetName(key, keyName) == 0,
      xmlSecOpenSSLAppDefaultKeysMngrAdoptKey(manager, key) == 0
    else {
      xmlSecKeyDestroy(key)
      return nil
    }
    guard let context = xmlSecDSigCtxCreate(manager) else { return nil }
    defer { xmlSecDSigCtxDestroy(context) }
    guard xmlSecDSigCtxVerify(context, signature) == 0 else { return nil }
    return hasSucceeded(context)
  }

  /// The status by the words of the library, because its place in the context depends on the version.
  private static func hasSucceeded(_ context: OpaquePointer) -> Bool {
    // The beginning is enough.
    var text = [CChar](repeating: 0, count: 256)
    text.withUnsafeMutableBufferPointer { buffer in
      guard let stream = fmemopen(buffer.baseAddress, buffer.count, "w") else { return }
      xmlSecDSigCtxDebugXmlDump(context, stream)
      fclose(stream)
    }
    let start = String(
      decoding: text.lazy.map { UInt8(bitPattern: $0) }.prefix {
        ![0, UInt8(ascii: ">")].contains($0)
      },
      as: UTF8.self)
    let words = start.split { $0 == " " || $0 == "\n" }
    // Releases 1.2 and 1.3; the latter calls others FAILED and ERROR.
    let success = ["status=\"succeeded\"", "status=\"OK\""]
    return words.first == "<VerificationContext"
      && words.dropFirst().first.map { success.contains(String($0)) } ?? false
  }
}
