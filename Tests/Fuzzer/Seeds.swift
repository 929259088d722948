internal import Foundation
internal import TestSupport

/// Good inputs from the repository.
enum Seeds {
  /// The byte strings with these names in a file of `Tests/Vectors`, at any depth, each once.
  static func vectors(_ file: String, _ names: Set<String>) throws -> [[UInt8]] {
    try texts(file, names).compactMap { try? Hex.bytes($0) }
  }

  /// The texts with these names.
  static func texts(_ file: String, _ names: Set<String>) throws -> [String] {
    let bytes = try Repository.read(Repository.path("Tests/Vectors/\(file).json"))
    var found: [String] = []
    func collect(_ value: Any, isNamed: Bool) {
      switch value {
      case let text as String where isNamed: found.append(text)
      case let list as [Any]: for element in list { collect(element, isNamed: isNamed) }
      case let members as [String: Any]:
        for (name, value) in members.sorted(by: { $0.key < $1.key }) {
          collect(value, isNamed: isNamed || names.contains(name))
        }
      default: break
      }
    }
    collect(try JSONSerialization.jsonObject(with: Data(bytes)), isNamed: false)
    var seen: Set<String> = []
    return found.filter { seen.insert($0).inserted }
  }

  /// Texts as inputs.
  static func lines(_ texts: String...) -> [[UInt8]] { texts.map { [UInt8]($0.utf8) } }

  /// The inputs, each after every one of these beginnings.
  static func behind(_ beginnings: [[UInt8]], _ inputs: [[UInt8]]) -> [[UInt8]] {
    inputs.flatMap { input in beginnings.map { $0 + input } }
  }

  /// The traces of one folder, short ones only.
  static func traces(_ folder: String, atMost length: Int) throws -> [[UInt8]] {
    try TraceFile.all(in: folder).map { try $0.bytes() }.filter { $0.count <= length }
  }
}
