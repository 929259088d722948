import CIECard
import CardWork
import Messages
import Traces
import VirtualCIE

struct CheckedTrace: Sendable {
  let path: String
  /// nil if the file is neither.
  private(set) var kind: ConversationFile.Kind?
  /// The form, or what the file is instead.
  private(set) var form: Diagnosis?
  /// The number of numbers that belong to no persona.
  private(set) var foreignNumbers = 0
  private(set) var replay = Replay.none

  enum Replay: Sendable, Equatable {
    /// A log, or a trace without its form.
    case none
    case asExpected
    case otherwise(expected: String, got: String)
    case notFollowed(line: Int)
  }

  var isGood: Bool {
    switch replay {
    case .none, .asExpected: form == nil && foreignNumbers == 0
    case .otherwise, .notFollowed: false
    }
  }

  /// - Throws: if the file cannot be read at all.
  init(_ path: String, in context: RunContext) throws(Failure) {
    self.path = path
    do throws(Failure) { try check(in: context) } catch {
      guard case .found(let diagnosis) = error else { throw error }
      form = diagnosis
    }
  }

  private mutating func check(in context: RunContext) throws(Failure) {
    var file = try ConversationFile(path, in: context)
    kind = file.kind
    while try file.next() != nil {}
    guard let trace = file.trace else { return }
    let invented = Persona.everyone.flatMap { [$0.nis, $0.documentNumber, $0.fiscalCode] }
    foreignNumbers = PersonalData(invented: invented).findings(in: trace).count
    do throws(ChannelError) {
      let end = try TraceRecording.end(of: trace)
      let expected = trace.header.expectation
      replay =
        end == expected
        ? .asExpected : .otherwise(expected: expected.outcome.text, got: end.outcome.text)
    } catch {
      guard case .replayMismatch(let line, _) = error else { throw .channel(error) }
      replay = .notFollowed(line: line)
    }
  }
}
