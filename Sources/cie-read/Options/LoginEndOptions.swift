import ArgumentParser
import RedirectFlow

/// What a login is to end like, and what becomes of its end.
struct LoginEndOptions: ParsableArguments {
  @Option(
    help: .text("option.expect", value: "text|css|url"))
  var expect: String?

  @Option(
    help: .text("option.allow-receiver", value: "url"))
  var allowReceiver: [String] = []

  @Flag(
    help: .text("option.show-attributes"))
  var showAttributes = false

  @Option(
    help: .text("option.save-page", value: "file"))
  var savePage: String?

  @Flag(
    help: .text("option.copy"))
  var copy = false

  @Flag(
    help: .text("option.open"))
  var open = false

  /// The expectation.
  func expectation() throws(Failure) -> LoginExpectation? {
    guard let expect else { return nil }
    do throws(ExpectationProblem) { return try LoginExpectation(expect) } catch {
      throw .usage(.expectation)
    }
  }

  /// The origins of --allow-receiver.
  func receivers() throws(Failure) -> Set<URLOrigin> {
    var origins: Set<URLOrigin> = []
    for text in allowReceiver {
      guard let url = try? RedirectURL(text), url.scheme == .https else {
        throw .usage(.receiver)
      }
      origins.insert(url.origin)
    }
    return origins
  }

  /// - Throws: `.otherStart` for an option that has no meaning for a login that begins like that.
  func check(startIsLink isLink: Bool) throws(Failure) {
    let withLink = [("--copy", copy), ("--open", open)]
    let withPage = [
      ("--expect", expect != nil), ("--allow-receiver", !allowReceiver.isEmpty),
      ("--show-attributes", showAttributes), ("--save-page", savePage != nil),
    ]
    if let option = (isLink ? withPage : withLink).first(where: \.1) {
      throw .usage(.otherStart(option: option.0, needsLink: !isLink))
    }
  }
}
