/// Result in the server's words, with the action of its main button, because the kit has no error numbers.
struct BankTemplate: Sendable {
  let shown: ResultTemplate
  let action: Action

  enum Action: Sendable, Equatable {
    case resume
    /// The list of methods is shown again.
    case methods
    /// The step is repeated, because a code was wrong.
    case tryAgain
    case cancel
    case logout
    /// The verification ends, with the reason in the text.
    case close

    /// Parses a word of the kit; unknown words close.
    init(_ word: String?) {
      switch word {
      case "getToken", "prolong", "ok", "confirm", "resume": self = .resume
      case "authMethods", "getMethods", "showMethods": self = .methods
      case "repeat": self = .tryAgain
      case "cancel", "skip": self = .cancel
      case "logout": self = .logout
      default: self = .close
      }
    }
  }

  /// Reads the template of a response; `nil` if it is missing or has no title.
  init?(_ answer: ServiceAnswer) {
    guard let template = answer.json?["template"], let data = template["data"],
      let title = data["title"]?.text
    else { return nil }
    let buttons = [data["mainButton"], data["alternativeButton"]].compactMap { $0 }
    action = Action(buttons.first?["action"]?.text)
    shown = ResultTemplate(
      title: title, text: data["description"]?.text ?? "",
      buttons: buttons.compactMap { $0["name"]?.text },
      isClosing: action == .close && template["isClosable"]?.isTrue == true)
  }

  var reason: SignInError.Cause? {
    switch action {
    case .resume: nil
    case .cancel: .cancelled
    case .logout: .notSignedIn
    case .tryAgain: .invalidCode
    case .methods, .close: .template(shown)
    }
  }
}
