internal import Arguments
@testable import CardWork
@testable import cie_read

/// Command lines, a word a line: a link of a desktop comes from strangers, and a PIN may be typed in the wrong place.
extension FuzzTarget {
  static let commandLines = [
    FuzzTarget("command-line") {
      [
        "--virtual\nnis\n--json", "login\n--browser=firefox\n--return\nstdin\n--\n-",
        "browser\ninstall\nfirefox\n--isolated", "read\n--only=dg1\n--no-extended\n--can-fd\n3",
        "pin\nverify\n--wait\n-1\n--trust\na\n--trust\nb", "help\npin\n--help",
      ].map { [UInt8]($0.utf8) }
    } play: { probe in
      let words = probe.text.split(separator: "\n", omittingEmptySubsequences: false)
      do throws(ParsingError) {
        _ = try Parser.parse(words.map(String.init), of: CieRead.self)
      } catch {
        var reason = error.reason
        // The choices are the program's own words, such as p11-kit.
        if case .badValue(let option, let word, _) = reason {
          reason = .badValue(option: option, word: word)
        }
        probe.require(!"\(reason)".contains(where: \.isNumber), "no digit in a refusal")
        throw error
      }
    }
  ]
}
