import RedirectFlow
import Testing

/// Texts that this library does not accept as URLs, grouped by the expected reason.
///
/// Collected from RFC 3986's own warnings (§7), the WHATWG URL standard's host rules, and the known confusions of the
/// identity provider's clients and of servlet containers.
enum HostileURLs {
  struct Case: Sendable, CustomTestStringConvertible {
    let problem: RedirectURL.Problem
    let text: String

    var testDescription: String { "\(problem): \(text.debugDescription.prefix(80))" }
  }

  static let all = (texts + authorities + paths).flatMap { problem, texts in
    texts.map { Case(problem: problem, text: $0) }
  }

  private static let texts: [(RedirectURL.Problem, [String])] = [
    (.empty, [""]),
    (
      .tooLong,
      [
        "https://a.example/" + String(repeating: "a", count: 8192 - 17),
        "https://a.example/?" + String(repeating: "a", count: 1 << 20),
        String(repeating: "https://", count: 2000),
      ]
    ),
    (
      .notASCII,
      [
        "https://idserver.servizicie.interno.gov.іt/",  // Cyrillic i
        "https://ıdserver.servizicie.interno.gov.it/",  // dotless i
        "https://idserver。servizicie.interno.gov.it/",  // ideographic full stop
        "https://idserver․servizicie.interno.gov.it/",  // one dot leader
        "https://a.example／idp/",  // full-width slash
        "https://a.example＠b.example/",
        "https://a.example？x=1",
        "https://a.example＃x",
        "ｈttps://a.example/",
        "https：//a.example/",
        "https://a.example/città",
        "https://a.example/?x=à",
        "https://a.example/\u{202E}gpj.exe",  // right-to-left override
        "https://a.ex\u{200B}ample/",  // zero-width space
        "https://a.ex\u{AD}ample/",  // soft hyphen
        "\u{FEFF}https://a.example/",
        "https://a.example:４４３/",
        "https://a.example/\u{0301}",
        "https://ⓘⓓserver.servizicie.interno.gov.it/",
      ]
    ),
    (
      .controlCharacter,
      [
        "https://a.example/\0", "https://a.example\0.b.example/", "ht\ttps://a.example/",
        "https://a.example/\n", "https://a.example/\r\nSet-Cookie:a=b",
        "https://a.exam\nple/", "\u{1}https://a.example/", "https://a.example/\u{7F}",
        "https://a.example/?x=1\r\nHost:b.example", "https://a.example/\u{1B}[2J", "\n",
        "https://a.example\t/idp/", "java\nscript:alert(1)",
      ]
    ),
    (
      .space,
      [
        " https://a.example/", "https://a.example/ ", "https:// a.example/",
        "https://a.example /", "https://a.example/a b", "https://a.example/?x=a b",
        "https ://a.example/", "https: //a.example/", "https://a.example/ @b.example/", " ",
      ]
    ),
    (
      .backslash,
      [
        "https:\\\\a.example\\", "https:/\\a.example/", "https://a.example\\@b.example/",
        "https://a.example\\.b.example/", "https://a.example/..\\idp", "https://a.example/?a=\\",
        "\\\\a.example\\share", "https://b.example\\/idserver.servizicie.interno.gov.it/",
      ]
    ),
    (
      .forbiddenCharacter,
      [
        "https://a.example/<script>", "https://a.example/\"", "https://a.example/a|b",
        "https://a.example/{x}", "https://a.example/^", "https://a.example/`id`",
        "https://a.example/[x]", "https://a.example/?a[]=1", "https://a.example/?<b>",
        "https://a.example/?x=\"", "https://a.example/?x=a|b", "https://a.example/?x={}",
        "https://a.example/?x=`id`", "https://a.example/?x=^",
      ]
    ),
    (
      .missingScheme,
      [
        "a.example", "//a.example/", "/idp/Authn/X509", "://a.example/", "?x=1", "#x",
        "https", "https//a.example/", "1https://a.example/", "-https://a.example/",
        "ht_tps://a.example/", "ht%74ps://a.example/", "[::1]", ".", "..",
        "a.example/https://b.example/", "@a.example",
      ]
    ),
    (
      .unsupportedScheme,
      [
        "file:///etc/passwd", "data:text/html,x", "javascript:alert(1)", "ftp://a.example/",
        "gopher://a.example/", "ws://a.example/", "wss://a.example/", "blob:https://a.example/1",
        "view-source:https://a.example/", "CIEID://https://a.example/", "about:blank",
        "httpss://a.example/", "http+unix://a.example/", "mailto:a@b.example", "a.example:443",
        "localhost:8443/idp/", "jar:https://a.example!/x", "dict://a.example/",
        "intent://a.example/#Intent;scheme=https;end", "http.s://a.example/",
      ]
    ),
  ]

  private static let authorities: [(RedirectURL.Problem, [String])] = [
    (
      .missingAuthority,
      [
        "https:", "https:/", "https:a.example", "https:/a.example/", "https:?x", "https:#x",
        "http:idserver.servizicie.interno.gov.it", "https::https://a.example/",
      ]
    ),
    (
      .userInformation,
      [
        "https://idserver.servizicie.interno.gov.it@b.example/",
        "https://idserver.servizicie.interno.gov.it:443@b.example/idp/",
        "https://user:secret@a.example/", "https://@a.example/", "https://:@a.example/",
        "https://a@b@c.example/", "https://idserver.servizicie.interno.gov.it%2F@b.example/",
        "https://a.example;@b.example/", "https://a@[::1]/", "https://a.example&@b.example/",
      ]
    ),
    (
      .emptyHost,
      [
        "https://", "https:///", "https:///a.example/", "https://?x", "https://#x",
        "https://:443/", "https:////a.example/", "https://::1/",
      ]
    ),
    (
      .invalidHost,
      [
        "https://a..example/", "https://.a.example/", "https://a.example./", "https://-a.example/",
        "https://a-.example/", "https://a_b.example/", "https://a%2eexample/",
        "https://%61.example/",
        "https://a,b.example/", "https://a.example;b/", "https://a*b.example/", "https://*/",
        "https://a!b.example/", "https://(a).example/", "https://a=b.example/",
        "https://\(String(repeating: "a", count: 64)).example/",
        "https://\(String(repeating: "a.", count: 126))ex/", "https://./", "https://../",
        "https://a.example%00.b.example/", "https://a.example%23.b.example/",
        "https://$a.example/", "https://~a.example/", "https://'a'.example/", "https://<a>/",
        "https://a|b/", "https://a]/", "https://a.example]/",
        "https://a[::1]/",
      ]
    ),
    (
      .ambiguousNumericHost,
      [
        "https://2130706433/", "https://0x7f000001/", "https://0x7f.1/", "https://127.1/",
        "https://127.0.1/", "https://0177.0.0.1/", "https://127.0.0.01/", "https://256.1.1.1/",
        "https://1.2.3.4.5/", "https://a.example.1/", "https://a.0x1/", "https://a.0X/",
        "https://00.0.0.0/", "https://127.0.0.0x1/", "https://1.2.3.999999999999999999999/",
      ]
    ),
    (
      .invalidIPv6,
      [
        "https://[]/", "https://[::1/", "https://[/", "https://[::1]b.example/", "https://[1]/",
        "https://[fe80::1%25eth0]/", "https://[fe80::1%eth0]/", "https://[::1::]/",
        "https://[v1.a]/", "https://[127.0.0.1]/", "https://[::g]/", "https://[a.example]/",
        "https://[1:2:3:4:5:6:7:8:9]/", "https://[::12345]/", "https://[[::1]]/",
      ]
    ),
    (
      .invalidPort,
      [
        "https://a.example:/", "https://fe80::1/", "https://a.example:0/",
        "https://a.example:65536/",
        "https://a.example:0443/", "https://a.example:-1/", "https://a.example:+443/",
        "https://a.example:443x/", "https://a.example:0x1bb/", "https://a.example:443:443/",
        "https://[::1]:/", "https://[::1]:x/", "https://a.example:99999999999999999999/",
        "https://a.example:%34%34%33/", "https://a:b:c/", "https://a.example:443;x/",
      ]
    ),
  ]

  private static let paths: [(RedirectURL.Problem, [String])] = [
    (
      .malformedEscape,
      [
        "https://a.example/%", "https://a.example/%2", "https://a.example/%zz",
        "https://a.example/%u0041", "https://a.example/%2/f", "https://a.example/?x=%",
        "https://a.example/?x=%4", "https://a.example/?x=%4&y=1", "https://a.example/?%g1=1",
        "https://a.example/%%32%66",
      ]
    ),
    (
      .notUTF8,
      [
        "https://a.example/%ff", "https://a.example/%c0%af", "https://a.example/%c0%ae%c0%ae/",
        "https://a.example/%e0%80%af", "https://a.example/%ed%a0%80", "https://a.example/?x=%ff",
        "https://a.example/?x=%c3", "https://a.example/?x=%f4%90%80%80", "https://a.example/%c3/a",
        "https://a.example/?x=%c3&y=%a0",
      ]
    ),
    (
      .encodedSeparator,
      [
        "https://a.example/idp%2FAuthn", "https://a.example/idp%2fAuthn", "https://a.example/%5C",
        "https://a.example/%5cb.example", "https://a.example/idp/..%2fx",
        "https://a.example/%2F%2F",
      ]
    ),
    (
      .encodedDot,
      [
        "https://a.example/%2e%2e/", "https://a.example/%2E./x", "https://a.example/.%2e/x",
        "https://a.example/idp/%2e/x", "https://a.example/erroreQr%2ejsp",
      ]
    ),
    (
      .encodedControl,
      [
        "https://a.example/%00", "https://a.example/idp%0d%0ax", "https://a.example/%7f",
        "https://a.example/x%09", "https://a.example/%1B",
      ]
    ),
    (
      .dotSegment,
      [
        "https://a.example/..", "https://a.example/.", "https://a.example/idp/../x",
        "https://a.example/idp/./x", "https://a.example/idp/..;/x", "https://a.example/..;a=b/x",
        "https://a.example/.;/x", "https://a.example/idp/Authn/X509/..",
        "https://a.example//../x",
      ]
    ),
    (
      .fragment,
      [
        "https://a.example/#", "https://a.example#", "https://a.example/?x=1#y",
        "https://b.example#@idserver.servizicie.interno.gov.it/", "https://a.example/#/../",
        "https://b.example/#https://idserver.servizicie.interno.gov.it/",
      ]
    ),
  ]
}
