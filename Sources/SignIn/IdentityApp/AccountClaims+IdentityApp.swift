internal import System

extension AccountClaims {
  /// Reads what an identity app tells: `{"userId": …, "data": [{"label", "value", "isValid", "isOwner"}]}`, where a value
  /// may be a number. What the app itself calls invalid, or somebody else's, is left out.
  ///
  /// - Returns: `nil` for anything else.
  init?(identityAppData bytes: [UInt8]) {
    guard let value = try? JSONValue(bytes), value.repeatedMember == nil,
      let user = value["userId"]?.text, !user.isEmpty, case .array(let items) = value["data"]
    else { return nil }
    var claims = [Claim("userId", [user])]
    for item in items {
      guard let label = item["label"]?.text, !label.isEmpty, let text = Self.text(item["value"]),
        case .flag(let isValid) = item["isValid"], case .flag(let isOwner) = item["isOwner"]
      else { return nil }
      guard isValid, isOwner else { continue }
      let last = label.split(separator: ".").last.map(String.init) ?? label
      claims.append(Claim(Self.fields[last] ?? label, [text]))
    }
    self.init(claims)
  }

  private static func text(_ value: JSONValue?) -> String? {
    switch value {
    case .string(let text), .number(let text): text
    case .array, .object, .flag, .null, nil: nil
    }
  }

  /// The last part of a label, and the name under which the other ways in tell the same.
  private static let fields = [
    "givenName": "given_name", "familyName": "family_name", "dateOfBirth": "birthdate",
    "fiscalNumber": "fiscalNumber", "email": "email", "phoneNumber": "phone_number",
    "address": "address", "image": "photo",
  ]

  /// The portrait, PNG or JPEG, that came in base64 or as a data URL (RFC 2397); `nil` when there is none.
  package var photo: [UInt8]? {
    guard let text = self["photo"].first ?? self["picture"].first else { return nil }
    let digits = text.hasPrefix("data:") ? text.drop { $0 != "," }.dropFirst() : text[...]
    guard let bytes = Base64.decode([UInt8](digits.utf8)) else { return nil }
    let beginnings: [[UInt8]] = [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF]]
    return beginnings.contains { bytes.starts(with: $0) } ? bytes : nil
  }
}
