public import Foundation

/// The conversations of `CardTraces`, found by listing the folder so that each is included.
public struct TraceFile: Sendable, CustomStringConvertible {
  /// The file.
  public let url: URL
  /// Its name without folder and extension, e.g. `gemalto-sign`.
  public var name: String { url.deletingPathExtension().lastPathComponent }
  /// The name, for test reports.
  public var description: String { name }

  /// The file's bytes.
  public func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

  /// Every trace of one folder of `CardTraces` (`virtual`, `attack`, `spec`).
  ///
  /// - Throws: when there is no trace.
  public static func all(in folder: String) throws -> [TraceFile] {
    try Repository.files(in: "CardTraces/\(folder)", ending: ".trace").map(TraceFile.init(url:))
  }
}
