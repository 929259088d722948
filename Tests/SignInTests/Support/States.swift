import Primitives
import Testing

@testable import SignIn

/// Accessors for the state that a test expects; any other state fails the test with its name.
extension SignInState {
  var userName: SignInState.UserNameRequired {
    get throws {
      guard case .userNameRequired(let state) = self else { throw OtherState(self) }
      return state
    }
  }
  var code: SignInState.CodeRequired {
    get throws {
      guard case .codeRequired(let state) = self else { throw OtherState(self) }
      return state
    }
  }
  var password: SignInState.PasswordRequired {
    get throws {
      guard case .passwordRequired(let state) = self else { throw OtherState(self) }
      return state
    }
  }
  var provider: SignInState.ProviderRequired {
    get throws {
      guard case .providerRequired(let state) = self else { throw OtherState(self) }
      return state
    }
  }
  var browser: SignInState.BrowserRequired {
    get throws {
      guard case .browserRequired(let state) = self else { throw OtherState(self) }
      return state
    }
  }
  var account: Account {
    get throws {
      guard case .completed(let account) = self else { throw OtherState(self) }
      return account
    }
  }
}

/// Unexpected state.
struct OtherState: Error, CustomStringConvertible {
  let description: String

  init(_ state: SignInState) { description = "\(state)" }
}

extension Secret {
  /// Typed text.
  static func typed(_ text: String) -> Secret { Secret([UInt8](text.utf8)) }
}

/// Returns the error of a step.
func refusal(_ step: () async throws -> some Any) async throws -> SignInError {
  do {
    _ = try await step()
  } catch let error as SignInError { return error }
  throw NotRefused()
}

/// Cause of a call's error; `nil` if it succeeds.
func cause(_ call: () throws -> some Any) -> SignInError.Cause? {
  do {
    _ = try call()
    return nil
  } catch let error as SignInError {
    return error.cause
  } catch {
    Issue.record(error)
    return nil
  }
}

/// Unexpected success of a step.
struct NotRefused: Error {}

/// All text that a value may leave in a log.
func printed(_ value: Any) -> String {
  var dumped = ""
  dump(value, to: &dumped)
  return "\(value)" + String(reflecting: value) + dumped
}
