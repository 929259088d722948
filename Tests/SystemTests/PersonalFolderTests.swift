import Testing

@testable import Primitives

/// The XDG Base Directory Specification.
@Suite struct PersonalFolderTests {
  @Test(
    arguments: [
      (.configuration, "/h/.config"), (.data, "/h/.local/share"),
      (.state, "/h/.local/state"), (.runtime, nil),
    ] as [(PersonalFolder, String?)])
  func `a folder is where its variable says, else in the home folder`(
    folder: PersonalFolder, usual: String?
  ) {
    func path(_ own: String?, _ home: String?) -> String? {
      folder.path { [folder.rawValue: own, "HOME": home][$0] ?? nil }
    }
    #expect(path("/x", nil) == "/x" && path("/x", "/h") == "/x")
    // A relative path is ignored.
    for own in [nil, "", "x"] { #expect(path(own, "/h") == usual) }
    for home in [nil, "", "h"] { #expect(path("x", home) == nil) }
  }
}
