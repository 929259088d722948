public import Foundation

/// A folder for one test, removed with all its contents when the test releases it.
public struct TemporaryDirectory: ~Copyable {
  private let folder: URL

  /// The folder.
  public var url: URL { folder }

  /// A new, empty folder that only its owner may enter.
  public init() throws {
    folder = FileManager.default.temporaryDirectory
      .appendingPathComponent("cie-read-test-\(UUID().uuidString)")
    try FileManager.default.createDirectory(
      at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
  }

  /// A path in the folder, existing or not.
  public borrowing func path(_ name: String) -> String { url.appendingPathComponent(name).path }

  /// Makes a folder in the folder.
  public borrowing func makeFolder(_ name: String) throws {
    try FileManager.default.createDirectory(
      at: url.appendingPathComponent(name), withIntermediateDirectories: true)
  }

  /// Writes a file and returns its path.
  ///
  /// - Parameter permissions: the POSIX mode; readable by the owner only when absent.
  @discardableResult
  public borrowing func write(
    _ name: String, _ bytes: some Collection<UInt8>, permissions: Int = 0o600
  ) throws -> String {
    let file = url.appendingPathComponent(name)
    try Data(bytes).write(to: file)
    try FileManager.default.setAttributes(
      [.posixPermissions: permissions], ofItemAtPath: file.path)
    return file.path
  }

  /// The contents of a file in the folder.
  public borrowing func read(_ name: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: url.appendingPathComponent(name)))
  }

  deinit { try? FileManager.default.removeItem(at: folder) }
}

extension TemporaryDirectory {
  /// The names of the entries in the folder, sorted.
  public borrowing func fileNames() throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: url.path).sorted()
  }
}
