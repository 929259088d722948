import Foundation
import TestSupport

/// The names of rows in the page of the service; a name that ends in a hyphen or full stop is completed by a script.
struct PageNames {
  /// The names where only a row can be meant: in an attribute for words, and in a call for one.
  let words: Set<String>
  /// All texts that may be a name.
  let texts: Set<String>

  init() throws {
    let folder = "Sources/C/CServicePage/page"
    let files = try FileManager.default.contentsOfDirectory(atPath: Repository.path(folder))
    let code = try files.map {
      try String(contentsOf: Repository.url("\(folder)/\($0)"), encoding: .utf8)
    }.joined(separator: "\n")
    let attributes = code.matches(of: /data-(?:word|label)=([^"\s>]+)/).map { String($0.1) }
    let calls = code.matches(of: /\b(?:word|tell|button)\("([^"]+)"/).map { String($0.1) }
    words = Set(attributes + calls)
    texts = words.union(code.matches(of: /"([a-z][a-z.-]*)"/).map { String($0.1) })
  }

  /// Checks whether a name means a row; a plain one is of the page itself.
  func means(_ name: String, _ row: String) -> Bool {
    let key = name.contains(".") ? name : "page." + name
    return key.hasSuffix("-") || key.hasSuffix(".") ? row.hasPrefix(key) && row != key : row == key
  }
}
