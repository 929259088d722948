@testable import Web
import RedirectFlow
import Testing

@Suite struct NavigationPolicyTests {
  /// A URL; the decisions of the default and the universal mode.
  private static let decidesTable: [(String, Bool, Bool)] = [
    (Links.card, true, true), (Links.level2, true, false),
    ("\(Links.host)/idp/login/livello1", true, true),
    ("\(Links.host)/idp/login/livello1?value=e1s1", true, true),
    ("\(Links.host)/livello1/x", true, true), ("\(Links.host)/livello2/", true, false),
    ("https://ios.idserver.servizicie.interno.gov.it/?\(Links.parameters)", true, true),
    ("https://ios.idserver.servizicie.interno.gov.it/\(Links.parameters)", true, true),
    ("https://ios.idserver.servizicie.interno.gov.it/name=a%2Fb&nextUrl=x", true, true),
    ("CIEID://\(Links.card)", true, true), ("\(Links.host)/x?nextUrl=", true, true),
    ("\(Links.host)/idp/login/app?level=2", false, true),
    ("\(Links.host)/idp/login/app?x=1&level=2", false, true),
    ("\(Links.host)/idp/login/app?level=1", false, false),
    ("\(Links.host)/idp/login/app?level=22", false, false),
    ("\(Links.host)/idp/login/app?level=2&level=2", false, false),
    ("\(Links.host)/idp/login/app?xlevel=2", false, false),
    ("\(Links.host)/idp/login/application?level=2", false, false),
    ("\(Links.host)/?idp/login/app&level=2", false, false),
    ("\(Links.host)/idp/login/livello2mobile?value=e1s2", false, false),
    ("\(Links.host)/idp/login/livello1mobile", false, false),
    ("\(Links.host)/idp/login/livello1e2postqrcode", false, false),
    ("\(Links.host)/idp/xlivello1", false, false), ("\(Links.host)/idp/LIVELLO1", false, false),
    ("\(Links.host)/idp/?x=livello1", false, false), ("\(Links.host)/nextUrl", false, false),
    ("\(Links.host)/idp/?xnextUrl=1", false, false), ("\(Links.host)/idp/?x=nextUrl", false, false),
    ("\(Links.host)/idp/Authn/X509?conversation=e1s1", false, false),
    ("https://sp.example/livello1", false, false), ("https://sp.example/?nextUrl=x", false, false),
    ("https://sp.example/idp/login/app?level=2&idserver.servizicie.interno.gov.it", false, false),
    ("https://sp.example/a=b?nextUrl=x", false, false),
    ("http://idserver.servizicie.interno.gov.it/livello1", false, false),
    ("\(Links.host):8443/livello1", false, false), ("not a URL", false, false), ("", false, false),
  ]

  @Test(arguments: decidesTable)
  func decides(_ text: String, _ byDefault: Bool, _ universally: Bool) {
    let environment = LoginEnvironment.production
    #expect(NavigationPolicy.default.handsOver(text, in: environment) == byDefault)
    #expect(NavigationPolicy.universal.handsOver(text, in: environment) == universally)
    // A URL is decided like its text, unless its text has a form that only links have.
    guard let url = try? RedirectURL(text), url.path.utf8.first(where: { $0 == 0x3D }) == nil
    else { return }
    #expect(NavigationPolicy.default.handsOver(url, in: environment) == byDefault)
  }
}
