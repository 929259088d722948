import Arguments
import Messages

/// The options that many commands have: a page of help names them, and `cie-read help options` explains them.
struct CommonOptions: ParsableCommand {
  static let configuration = CommandConfiguration("options", "", isHidden: true)

  @OptionGroup var pin: CodeOptions<PINCode>
  @OptionGroup var newPIN: CodeOptions<NewPINCode>
  @OptionGroup var puk: CodeOptions<PUKCode>
  @OptionGroup var password: CodeOptions<PasswordCode>
  @OptionGroup var code: CodeOptions<OneTimeCode>
  @OptionGroup var newCode: CodeOptions<NewLocalCode>
  @OptionGroup var holder: HolderOptions
  @OptionGroup var validity: ValidityOptions
  @OptionGroup var source: SourceOptions

  static let groups = [
    CodeOptions<PINCode>.title, SourceOptions.title, TrustOptions.title, SubstituteOptions.title,
  ].compactMap { $0 }

  static func lines(_ language: Language) -> [String] {
    let page = HelpPage([Self.self], language)
    let options = declarations
    return Array(groups.map { page.section(of: $0, options) }.joined(separator: [""]))
  }
}
