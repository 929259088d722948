import Foundation
import Synchronization
import TraceScenarios
import Traces

/// A conversation of `CardTraces`: a file, or one that is made again for the tests.
public struct TraceFile: Sendable, CustomStringConvertible {
  /// Its folder: `virtual`, `attack`, `option`, `spec`.
  public let folder: String
  /// Its name without folder and extension, e.g. `gemalto-sign`.
  public let name: String
  /// The way to make it; `nil` for a file.
  private let scenario: Scenario?
  /// The name, for test reports.
  public var description: String { name }
  /// The path below `CardTraces`.
  public var path: String { "\(folder)/\(name).trace" }

  private static let scenarios = Result { try Scenario.all() }
  /// Several suites read each.
  private static let made = Mutex<[String: [UInt8]]>([:])

  /// The trace as text.
  public func bytes() throws -> [UInt8] {
    guard let scenario else { return try Repository.read(Repository.path("CardTraces/\(path)")) }
    if let bytes = Self.made.withLock({ $0[path] }) { return bytes }
    let bytes = [UInt8](try scenario.record().text.utf8)
    Self.made.withLock { $0[path] = bytes }
    return bytes
  }

  /// Every trace of one folder, sorted by name: the files are found by listing the folder, so that each is included.
  public static func all(in folder: String) throws -> [TraceFile] {
    let files = try? Repository.files(in: "CardTraces/\(folder)", ending: ".trace").map {
      TraceFile(
        folder: folder, name: $0.deletingPathExtension().lastPathComponent, scenario: nil)
    }
    let made = try scenarios.get().filter { !$0.isStored && $0.section.rawValue == folder }
      .map { TraceFile(folder: folder, name: $0.name, scenario: $0) }
    let all = (files ?? []) + made
    guard !all.isEmpty else { throw RepositoryError.noFiles(folder: folder, suffix: ".trace") }
    return all.sorted { $0.name < $1.name }
  }

  /// The trace at a path below `CardTraces`, without its extension.
  public static func at(_ path: String) throws -> TraceFile {
    let folder = String(path.prefix { $0 != "/" })
    guard let file = try all(in: folder).first(where: { $0.path == path + ".trace" }) else {
      throw RepositoryError.noFiles(folder: folder, suffix: path)
    }
    return file
  }
}
