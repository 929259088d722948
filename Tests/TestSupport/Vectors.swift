import Foundation

/// The published and recomputed values of `Tests/Vectors`.
public enum Vectors {
  /// Decodes a whole vector file; its `snake_case` keys become `camelCase`.
  ///
  /// - Parameter name: the file's name without `.json`.
  public static func decode<File: Decodable>(_ name: String, as type: File.Type) throws -> File {
    let decoder = JSONDecoder()
    decoder.keyDecodingStrategy = .convertFromSnakeCase
    let data = try Data(contentsOf: Repository.url("Tests/Vectors/\(name).json"))
    return try decoder.decode(type, from: data)
  }

  /// The list `cases` of a vector file; an empty list is an error.
  public static func cases<Case: Decodable>(_ name: String, of type: Case.Type) throws -> [Case] {
    let cases = try decode(name, as: VectorFile<Case>.self).cases
    guard !cases.isEmpty else {
      throw RepositoryError.noFiles(folder: "Tests/Vectors", suffix: name)
    }
    return cases
  }
}

/// The common frame of a vector file.
public struct VectorFile<Case: Decodable>: Decodable {
  /// The source of the values.
  public let source: String
  /// The cases.
  public let cases: [Case]
}
