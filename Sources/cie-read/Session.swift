import Glibc

/// What every command has around it: whom it speaks to and how it can be stopped.
struct Session: Sendable {
  let language: Language
  let interruption: Interruption
  let progress: Progress
  /// When certificates are judged, seconds since 1970-01-01T00:00:00Z.
  var time: Int64
  /// Where the card lies, so that whoever is asked for a PIN sees which card it is for.
  var place = ""
  /// Whether files that exist may be overwritten.
  var mayOverwrite = false
  /// Whether standard input holds what is to be signed, and therefore no PIN.
  var standardInputIsData = false

  init(_ language: Language, _ interruption: Interruption) {
    self.language = language
    self.interruption = interruption
    progress = Progress(language)
    time = Int64(Glibc.time(nil))
  }
}
