struct PageForm: Sendable, Equatable {
  enum Method: Sendable, Equatable {
    case get
    case post
    /// Not at all: it closes a dialog of the page.
    case dialog

    /// The method as an attribute names it (HTML Living Standard §4.10.19.6).
    init(_ text: String?) {
      self =
        switch text?.lowercased() {
        case "post": .post
        case "dialog": .dialog
        default: .get
        }
    }
  }

  struct Control: Sendable, Equatable {
    enum Kind: Sendable, Equatable {
      case hidden
      /// A text field; sent with the form as filled in.
      case text
      /// A choice of a list or a box; sent with the form when chosen or ticked.
      case choice
      /// A button; sends the form, and is sent with it only when pressed.
      case button
    }

    var kind: Kind
    /// Its name; empty for a button that adds no field to the form.
    var name: String
    var value: String
    var label = ""
    /// True if the button is a picture, which sends the position of the press.
    var isImage = false
    /// The button's own target in place of the form's (`formaction`); absolute once the page was read, empty when that
    /// is no URL.
    var action: String?
    /// The button's own method in place of the form's (`formmethod`).
    var method: Method?
  }

  /// Its identifier or name; empty without either.
  var identifier: String
  /// Its target, absolute; `nil` when that is no URL.
  var action: String?
  var method: Method
  var fields: [Control]

  /// The fields sent when a button is pressed, or when the page sends the form by itself.
  func submission(pressing button: Control? = nil) -> HTTPForm {
    let sent = fields.filter { $0.kind != .button } + (button?.sent ?? [])
    return HTTPForm(sent.filter { !$0.name.isEmpty }.map { QueryItem($0.name, $0.value) })
  }

  /// The form as a button sends it: the button's target and method precede the form's own (HTML Living Standard
  /// §4.10.22.3, "the submitter element's action" and "method").
  ///
  /// Not followed are `formenctype`, because the bindings of SAML require the one encoding supported here, and
  /// `formnovalidate`, because no validation happens here.
  func sent(by button: Control?) -> PageForm {
    var form = self
    form.action = button?.action ?? action
    form.method = button?.method ?? method
    return form
  }

  /// Its only button; `nil` without buttons or with several.
  var onlyButton: Control? {
    let buttons = fields.filter { $0.kind == .button }
    return buttons.count == 1 ? buttons.first : nil
  }

  func value(of name: String) -> String? { fields.first { $0.name == name }?.value }
}

extension PageForm {
  /// Reads the start tag of a form; its target and its content are found elsewhere.
  init(_ form: HTMLElement) {
    identifier = form.attributes["id"] ?? form.attributes["name"] ?? ""
    action = nil
    method = Method(form.attributes["method"])
    fields = []
  }

  /// The control that an element is (HTML Living Standard §4.10.22.4); `nil` for those that are never sent.
  static func field(
    _ element: HTMLElement, _ budget: inout PageBudget
  ) throws(PageError) -> Control? {
    guard element.attributes["disabled"] == nil,
      var field = try enabledField(element, element.attributes["name"] ?? "", &budget)
    else { return nil }
    if field.kind == .button {
      field.action = element.attributes["formaction"]
      field.method = element.attributes["formmethod"].map { Method($0) }
    }
    return field.kind == .button || !field.name.isEmpty ? field : nil
  }

  /// The longest label of a button, in bytes, that is searched for a yes.
  private static let labelLimit = 2000

  private static func enabledField(
    _ element: HTMLElement, _ name: String, _ budget: inout PageBudget
  ) throws(PageError) -> Control? {
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
      let label = try element.text(&budget, atMost: labelLimit)
      return Control(kind: .button, name: name, value: value ?? "", label: label)
    case "textarea": return Control(kind: .text, name: name, value: element.ownText)
    case "select":
      let options = try element.options(&budget)
      guard let option = options.first(where: { $0.attributes["selected"] != nil }) ?? options.first
      else { return nil }
      if let value = option.attributes["value"] {
        return Control(kind: .choice, name: name, value: value)
      }
      return Control(kind: .choice, name: name, value: try option.text(&budget))
    default: return nil
    }
  }
}

extension PageForm.Control {
  /// The fields sent with the form when this button is pressed; a picture as if from the keyboard, at its corner.
  fileprivate var sent: [Self] {
    guard isImage else { return [self] }
    return ["x", "y"].map { axis in
      Self(kind: .button, name: name.isEmpty ? axis : "\(name).\(axis)", value: "0")
    }
  }
}

extension PageForm: Redacted {
  var description: String { "form of " + fields.map(\.description).joined(separator: ", ") }
}

extension PageForm.Control: Redacted {
  var description: String { "\(kind) \(name)" }
}
