import Foundation

/// Keeps an object that a program printed in the folder that CIE_OUTPUTS names, for `tools/check-json`: whatever the tests
/// look at in it, it must be as the JSON Schema says.
func collect(_ output: [UInt8]) {
  guard let folder = ProcessInfo.processInfo.environment["CIE_OUTPUTS"],
    output.starts(with: Array(#"{"schema":"cie-read/"#.utf8))
  else { return }
  let file = URL(fileURLWithPath: folder).appendingPathComponent(UUID().uuidString + ".json")
  do { try Data(output).write(to: file) } catch { print("\(file.path): \(error)") }
}
