// Signs in by e-mail address and password, keeps the account, renews its token, sets a local code, and signs out:
// SignIn SERVICE-FILE USER FOLDER, the password on standard input.
import CIECard
import SignIn

@main struct SignInExample {
  static func main() async throws {
    let arguments = CommandLine.arguments
    let service = try SignInService(file: arguments[1])
    print("ways in:", service.methods.map(\.rawValue).joined(separator: ", "))

    let keeper = AccountKeeper(folder: arguments[3])
    let account = try await signIn(at: service, user: arguments[2], readLine() ?? "")
    try keeper.keep(account, of: service)
    print("signed in:", try keeper.account().claims[.nome] ?? "-")

    let renewed = try await keeper.refresh()
    print("renewed:", renewed.claims[.nome] ?? "-")

    if case .notSet(let choosing) = try keeper.lock.state() {
      let code = Secret(count: 6) { $0.copyBytes(from: "271828".utf8) }
      _ = try choosing.choose(LocalCode(digits: "271828")).repeat(code)
    }
    guard case .unlocked(let entering, _) = try keeper.lock.state() else { return }
    do { _ = try entering.enter(LocalCode(digits: "314159")) } catch {
      print("local code:", error)
    }

    print("provider told:", try await keeper.signOut())
    do throws(SignInError) { _ = try await keeper.refresh() } catch {
      print("refresh:", error.reason)
    }
    try keeper.lock.forget()
    try keeper.reset()
  }

  /// Goes from state to state; an error carries the state in which another try makes sense.
  static func signIn(
    at service: SignInService, user: String, _ password: String
  ) async throws -> Account {
    var state = try await service.signIn(by: .email).begin()
    var typed = "wrong"
    while true {
      do throws(SignInError) {
        switch state {
        case .userNameRequired(let need): state = try await need.submit(user)
        case .passwordRequired(let need):
          let text = typed
          state = try await need.submit(
            Secret(count: text.utf8.count) { $0.copyBytes(from: text.utf8) })
        case .completed(let account): return account
        case .providerRequired, .codeRequired, .browserRequired: fatalError("not for a password")
        }
      } catch {
        print("again:", error.reason)
        guard error.reason == .invalidPassword, let again = error.again else { throw error }
        (state, typed) = (again, password)
      }
    }
  }
}
