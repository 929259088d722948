import CIECard
import Glibc
import Messages
import Synchronization

/// What every command has around it: whom it speaks to and how it can be stopped.
struct Session: Sendable {
  let language: Language
  let interruption: Interruption
  let progress: Progress
  /// When certificates are judged.
  var time: UTCTime
  /// Where the card lies, so that whoever is asked for a PIN sees which card it is for.
  var place = ""
  /// Whether files that exist may be overwritten.
  var mayOverwrite = false
  /// Whether extended-length APDUs are used.
  var lengths = ChannelTraits.LengthPolicy.announced
  /// Whether the result is one JSON object.
  var isJSON = false
  /// What is found on the way and belongs into that object.
  let notices = Notices()
  /// Whether standard input holds what is to be signed, and therefore no PIN.
  var standardInputIsData = false

  init(_ language: Language, _ interruption: Interruption) {
    self.language = language
    self.interruption = interruption
    progress = Progress(language)
    time = .now
  }
}

extension Session {
  /// Tells people what is amiss although the command goes on; scripts have a member of the JSON object for it.
  func warn(_ text: Message) {
    guard !isJSON else { return }
    progress.clear()
    let warning = Message("warning", ["text": text])
    Stream.error.write(lines: ["cie-read: " + warning(language)], indent: 10)
  }
}

/// Members of the JSON object that are known before the command's end, whichever end it comes to.
final class Notices: Sendable {
  private let list = Mutex<[JSON.Member]>([])

  var members: [JSON.Member] { list.withLock { $0 } }

  /// Adds a member; what a run that was started over said before is replaced.
  func add(_ member: JSON.Member) {
    list.withLock { list in
      list.removeAll { $0.name == member.name }
      list.append(member)
    }
  }
}
