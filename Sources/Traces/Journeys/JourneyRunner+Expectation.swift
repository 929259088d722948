package import CIECard

extension JourneyRunner {
  /// Runs the journey to whatever end it comes to; the channel is used up.
  ///
  /// - Returns: how it ended, in the form in which a trace's header says how it must end.
  package func end<Channel: CardChannel & ~Copyable>(
    over channel: consuming Channel, random: inout some RandomSource
  ) -> Trace.Expectation {
    do throws(CardError) {
      return Trace.Expectation(.ok, values: try run(over: channel, random: &random))
    } catch {
      return Trace.Expectation(error)
    }
  }
}
