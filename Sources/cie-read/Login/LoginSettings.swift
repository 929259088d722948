import CardWork
import Glibc
import Primitives
import Messages
import RedirectFlow

/// The beginning and the settings of a login: options first, then the environment, then the file.
struct LoginSettings {
  enum Start {
    case link(String)
    case page(RedirectURL)
  }

  let start: Start
  let configuration: LoginConfiguration

  /// - Parameter service: the page and the environment that a service's description names, with precedence over all
  ///   others.
  init(
    _ options: LoginOptions, _ end: LoginEndOptions, link: String?,
    service: (page: RedirectURL, environment: LoginEnvironment)? = nil, in context: RunContext
  ) throws(Failure) {
    guard (1...600).contains(options.timeout) else { throw .usage("bad-timeout") }
    guard link == nil || options.spUrl == nil else { throw .usage("several-starts") }
    let file = try options.config.map { (path) throws(Failure) in try ConfigurationFile(path) }
    func value(_ name: String, _ option: String? = nil) -> String? {
      option ?? Environment.value(of: name).flatMap { $0.isEmpty ? nil : $0 }
        ?? file?[name]
    }
    let named = value("CIE_ENVIRONMENT", options.environment)
    var configuration = LoginConfiguration(
      service == nil ? try Self.environment(named) : service?.environment ?? .production)
    configuration.policy = options.policy.policy
    configuration.timeout = .seconds(options.timeout)
    configuration.callbackScheme = try value("SP_URL_SCHEME").map { (scheme) throws(Failure) in
      guard Self.isScheme(scheme) else { throw .usage("bad-scheme") }
      return scheme
    }
    configuration.allowedReceivers = try end.receivers()
    configuration.expectation = try end.expectation()
    configuration.needsCookies = options.cookies != nil
    configuration.returnWords = LoginConfiguration.ReturnWords(context.language)
    self.configuration = configuration
    if let link {
      try end.check(startIsLink: true)
      let link = link == "-" ? try context.standardInputLine() : link
      // Before a PIN is asked for.
      _ = try mapError(try HandOff(link, in: configuration.environment)) {
        Failure.login(LoginError(.handOff($0)))
      }
      start = .link(link)
      return
    }
    if let service {
      try end.check(startIsLink: false)
      start = .page(service.page)
      return
    }
    guard let page = value("SP_URL", options.spUrl) else {
      throw .found(Diagnosis(.usage, "no-start"))
    }
    start = .page(
      try mapError(try RedirectURL(asBrowsersRead: page)) {
        Failure.login(LoginError(.navigation(.url($0), .serviceProvider)))
      })
    try end.check(startIsLink: false)
  }

  init(_ start: Start, _ configuration: LoginConfiguration) {
    self.start = start
    self.configuration = configuration
  }

  /// A built-in environment by its name, else a file; without either, production.
  static func environment(_ name: String?) throws(Failure) -> LoginEnvironment {
    try name.map { (name) throws(Failure) in try LoginEnvironment(nameOrFile: name) } ?? .production
  }

  /// RFC 3986 §3.1.
  private static func isScheme(_ text: String) -> Bool {
    text.utf8.count <= 64 && ASCII.isScheme(text.utf8)
  }
}

extension LoginConfiguration.ReturnWords {
  /// The words of the pages that this machine serves.
  init(_ language: Language) {
    self.init()
    self.language = language.rawValue
    title = "cie-read"
    accepted = Message("app.returned")(language)
    refused = Message("app.not-valid")(language)
  }
}

extension LoginEnvironment {
  init(nameOrFile name: String) throws(Failure) {
    if let known = LoginEnvironment.builtIn.first(where: { $0.name == name }) {
      self = known
      return
    }
    self = try mapError(try LoginEnvironment(file: name)) {
      Failure.found(Diagnosis($0, path: name))
    }
  }
}

/// A file of `NAME=VALUE` lines; `#` begins a comment line.
struct ConfigurationFile {
  private static let names: Set<String> = ["SP_URL", "SP_URL_SCHEME", "CIE_ENVIRONMENT"]
  private let values: [String: String]

  init(_ path: String) throws(Failure) {
    let text = String(decoding: try InputFile.read(path, limit: 64 << 10), as: UTF8.self)
    var values: [String: String] = [:]
    for (number, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated()
    {
      let line = line.trimmed { $0 == " " || $0 == "\t" || $0 == "\r" }
      if line.isEmpty || line.hasPrefix("#") { continue }
      let halves = line.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard halves.count == 2, let name = halves.first.map(String.init), Self.names.contains(name),
        values.updateValue(String(halves[1]), forKey: name) == nil
      else { throw .file(.configuration(path: path, line: number + 1)) }
    }
    self.values = values
  }

  subscript(name: String) -> String? { values[name].flatMap { $0.isEmpty ? nil : $0 } }
}

extension RunContext {
  /// One line of standard input, as long as a URL may be.
  func standardInputLine() throws(Failure) -> String {
    try interruption.line(STDIN_FILENO, atMost: RedirectURL.lengthLimit + 1) {
      .file(.unreadable(path: "-", errno: $0))
    }
  }
}
