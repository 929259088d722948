public import Foundation

/// The files of the repository during its tests.
public enum Repository {
  /// The folder that holds `Package.swift`, found from the path of this source file.
  public static let root = URL(fileURLWithPath: #filePath)
    .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()

  /// A file or folder by its path in the repository.
  public static func url(_ path: String) -> URL { root.appendingPathComponent(path) }

  /// The absolute path of a file or folder.
  public static func path(_ path: String) -> String { url(path).path }

  /// The contents of a file, by its absolute path.
  public static func read(_ path: String) throws -> [UInt8] {
    [UInt8](try Data(contentsOf: URL(fileURLWithPath: path)))
  }

  /// The regular files directly in a folder whose name has this suffix, sorted by name.
  ///
  /// - Throws: when the folder is missing or holds no such file: an empty list must not pass as a test.
  public static func files(in folder: String, ending suffix: String) throws -> [URL] {
    let files = try FileManager.default
      .contentsOfDirectory(at: url(folder), includingPropertiesForKeys: nil)
      .filter { $0.lastPathComponent.hasSuffix(suffix) }
      .sorted { $0.lastPathComponent < $1.lastPathComponent }
    guard !files.isEmpty else { throw RepositoryError.noFiles(folder: folder, suffix: suffix) }
    return files
  }
}

/// A folder of test data is not as expected.
public enum RepositoryError: Error {
  /// The folder holds no file of this kind.
  case noFiles(folder: String, suffix: String)
}
