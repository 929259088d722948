internal import RedirectFlow
internal import System

/// A result as the server words it, with what its main button does: the kit has no numbers for errors.
struct BankTemplate: Sendable {
  let shown: ResultTemplate
  let action: Action

  /// What a button does, as far as it matters here.
  enum Action: Sendable, Equatable {
    /// The verification goes on.
    case goOn
    /// The methods are shown again.
    case methods
    /// The same is tried again: a code was wrong.
    case tryAgain
    /// The person gives up.
    case cancel
    /// The person is signed out.
    case logout
    /// It is over, and the words say why.
    case close

    /// A word of the kit; one that is not known does nothing here.
    init(_ word: String?) {
      switch word {
      case "getToken", "prolong", "ok", "confirm", "resume": self = .goOn
      case "authMethods", "getMethods", "showMethods": self = .methods
      case "repeat": self = .tryAgain
      case "cancel", "skip": self = .cancel
      case "logout": self = .logout
      default: self = .close
      }
    }
  }

  /// Reads the template of an answer; `nil` where there is none, or nothing in it to show.
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

  /// What it means where it does not go on.
  var reason: SignInError.Cause? {
    switch action {
    case .goOn: nil
    case .cancel: .cancelled
    case .logout: .notSignedIn
    case .tryAgain: .invalidCode
    case .methods, .close: .template(shown)
    }
  }
}
