public import Foundation

/// The conversations of `CardTraces`, found by listing the folder so that none can be forgotten.
public struct TraceFile: Sendable, CustomStringConvertible {
  /// The file.
  public let url: URL
  /// Its name without folder and ending, e.g. `gemalto-sign`.
  public var name: String { url.deletingPathExtension().lastPathComponent }
  /// The name, for test reports.
  public var description: String { name }

  /// The file's bytes.
  public func bytes() throws -> [UInt8] { [UInt8](try Data(contentsOf: url)) }

  /// Every trace of one folder of `CardTraces` (`virtual`, `attack`, `spec`).
  ///
  /// - Throws: when there is none.
  public static func all(in folder: String) throws -> [TraceFile] {
    try Repository.files(in: "CardTraces/\(folder)", ending: ".trace").map(TraceFile.init(url:))
  }
}
