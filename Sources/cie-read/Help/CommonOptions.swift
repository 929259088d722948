import Arguments
import CardWork
import Messages

/// The options that many commands have: a page of help names them, and `cie-read help options` explains them.
struct CommonOptions: ParsableCommand {
  static let configuration = CommandConfiguration("options", "", isHidden: true)

  @OptionGroup var pin: CodeOptions
  @OptionGroup var newPIN = CodeOptions(.newPIN)
  @OptionGroup var puk = CodeOptions(.puk)
  @OptionGroup var password = CodeOptions(.password)
  @OptionGroup var code = CodeOptions(.oneTimeCode)
  @OptionGroup var newCode = CodeOptions(.newLocalCode)
  @OptionGroup var holder: HolderOptions
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var source: SourceOptions

  static let groups = [
    CodeOptions.title, SourceOptions.title, TrustOptions.title, SubstituteOptions.title,
  ].compactMap { $0 }

  static func lines(_ language: Language) -> [String] {
    let page = HelpPage([Self.self], language)
    let options = declarations
    return Array(groups.map { page.section(of: $0, options) }.joined(separator: [""]))
  }
}
