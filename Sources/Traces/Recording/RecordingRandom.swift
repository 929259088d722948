package import CIECard

/// A random source whose draws go into the recorder, if that one keeps them.
package struct RecordingRandom<Inner: RandomSource>: RandomSource {
  private var inner: Inner
  private let recorder: TraceRecorder

  /// Wraps a source.
  package init(_ inner: Inner, recorder: TraceRecorder) {
    self.inner = inner
    self.recorder = recorder
  }

  package mutating func fill(_ buffer: UnsafeMutableRawBufferPointer) throws(CryptoError) {
    guard !buffer.isEmpty else { return }
    try inner.fill(buffer)
    recorder.record(draw: [UInt8](buffer))
  }
}
