internal import Primitives
internal import Web

extension Diagnosis {
  init(_ problem: NavigationProblem, at stage: LoginStage) {
    switch problem {
    case .url: self = .untrusted("url-malformed", ["stage": stage.rawValue])
    case .notHTTPS: self = .untrusted("not-https", ["stage": stage.rawValue])
    case .leftEnvironment(let origin): self = .untrusted("left-environment", ["origin": origin])
    case .otherEnvironment(let origin): self = .untrusted("other-environment", ["origin": origin])
    case .tooManyHops: self = .refused("too-many-redirects", ["stage": stage.rawValue])
    }
  }
}
