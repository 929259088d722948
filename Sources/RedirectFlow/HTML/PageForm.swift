/// A form of a page.
struct PageForm: Sendable, Equatable {
  /// How it is sent.
  enum Method: Sendable, Equatable {
    /// In the query.
    case get
    /// In the body.
    case post

    /// As an attribute says it.
    init(_ text: String?) { self = text?.lowercased() == "post" ? .post : .get }
  }

  /// A control.
  struct Control: Sendable, Equatable {
    /// What it is.
    enum Kind: Sendable, Equatable {
      /// Goes with the form, unseen.
      case hidden
      /// Goes with the form as somebody fills it in.
      case text
      /// Goes with the form as it is set: a choice of a list, a ticked box.
      case choice
      /// Sends the form, and goes with it only when it was pressed.
      case button
    }

    /// What it is.
    var kind: Kind
    /// Its name; empty for a button that sends the form and nothing of its own.
    var name: String
    /// What it holds at first.
    var value: String
    /// What a button says.
    var label = ""
    /// Whether the button is a picture, which tells where it was pressed.
    var isImage = false
  }

  /// Its identifier or name; empty when it has none.
  var identifier: String
  /// Where it is sent, absolute; `nil` when that is no URL.
  var action: String?
  /// How it is sent.
  var method: Method
  /// Its controls in order.
  var fields: [Control]

  /// What is sent when a button is pressed, or when the page sends the form by itself.
  func submission(pressing button: Control? = nil) -> HTTPForm {
    let sent = fields.filter { $0.kind != .button } + (button?.sent ?? [])
    return HTTPForm(sent.filter { !$0.name.isEmpty }.map { QueryItem($0.name, $0.value) })
  }

  /// The first field of this name.
  func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension PageForm {
  /// Reads the start tag of a form; where it leads and what is in it is found elsewhere.
  init(_ form: HTMLElement) {
    identifier = form.attributes["id"] ?? form.attributes["name"] ?? ""
    action = nil
    method = Method(form.attributes["method"])
    fields = []
  }

  /// The control that an element is (HTML Living Standard §4.10.22.4); `nil` for those that are never sent.
  static func field(_ element: HTMLElement) -> Control? {
    guard element.attributes["disabled"] == nil,
      let field = Self.enabledField(element, element.attributes["name"] ?? "")
    else { return nil }
    return field.kind == .button || !field.name.isEmpty ? field : nil
  }

  private static func enabledField(_ element: HTMLElement, _ name: String) -> Control? {
    let value = element.attributes["value"]
    switch element.name {
    case "input":
      switch element.attributes["type"]?.lowercased() {
      case "hidden": return Control(kind: .hidden, name: name, value: value ?? "")
      case "submit":
        return Control(kind: .button, name: name, value: value ?? "", label: value ?? "")
      case "image":
        return Control(
          kind: .button, name: name, value: "", label: element.attributes["alt"] ?? "",
          isImage: true)
      case "checkbox", "radio":
        guard element.attributes["checked"] != nil else { return nil }
        return Control(kind: .choice, name: name, value: value ?? "on")
      case "button", "reset", "file": return nil
      default: return Control(kind: .text, name: name, value: value ?? "")
      }
    case "button":
      guard ["submit", nil].contains(element.attributes["type"]?.lowercased()) else { return nil }
      return Control(kind: .button, name: name, value: value ?? "", label: element.text)
    case "textarea": return Control(kind: .text, name: name, value: element.ownText)
    case "select":
      let options = element.elements(named: "option")
      guard let option = options.first(where: { $0.attributes["selected"] != nil }) ?? options.first
      else { return nil }
      return Control(kind: .choice, name: name, value: option.attributes["value"] ?? option.text)
    default: return nil
    }
  }
}

extension PageForm.Control {
  /// What goes with the form when this button is pressed; a picture as if from the keyboard, at its corner.
  fileprivate var sent: [Self] {
    guard isImage else { return [self] }
    return ["x", "y"].map { axis in
      Self(kind: .button, name: name.isEmpty ? axis : "\(name).\(axis)", value: "0")
    }
  }
}

extension PageForm: Redacted {
  /// The names of the fields.
  var description: String { "form of " + fields.map(\.description).joined(separator: ", ") }
}

extension PageForm.Control: Redacted {
  /// What it is and its name, without its value.
  var description: String { "\(kind) \(name)" }
}
