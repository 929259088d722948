#if FUZZING
  internal import Glibc
  internal import Synchronization

  // libFuzzer has the main function. CIE_FUZZ_TARGET names the target; CIE_FUZZ_SEEDS a folder into which its seeds are
  // written instead; CIE_FUZZ_PLANTED enables its planted fault, CIE_FUZZ_TELL prints each refusal.

  /// Names the targets, or writes seeds, if requested in place of fuzzing.
  @c(LLVMFuzzerInitialize)
  public func initialize(
    _ count: UnsafeMutablePointer<Int32>?,
    _ arguments: UnsafeMutablePointer<UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>?>?
  ) -> Int32 {
    guard let target = Run.target else {
      for target in FuzzTarget.all { print(target.name) }
      exit(0)
    }
    guard let folder = getenv("CIE_FUZZ_SEEDS") else {
      atexit { Run.tell("accepted \(Run.accepted.load(ordering: .relaxed))") }
      return 0
    }
    do {
      for (number, seed) in try target.seeds().enumerated() {
        guard let file = fopen("\(String(cString: folder))/seed-\(number)", "wb") else { exit(1) }
        fwrite(seed, 1, seed.count, file)
        fclose(file)
      }
    } catch {
      print("seeds of \(target.name): \(error)")
      exit(1)
    }
    exit(0)
  }

  /// Plays one input. Its limit of processor time is that of a second without counters and sanitizer.
  @c(LLVMFuzzerTestOneInput)
  public func testOneInput(_ bytes: UnsafePointer<UInt8>?, _ count: Int) -> Int32 {
    guard let target = Run.target else { return 0 }
    let start = Run.processorTime
    let probe = Probe(
      bytes: Array(UnsafeBufferPointer(start: bytes, count: count)), fail: Run.end)
    do {
      try target.play(probe)
      Run.arrive(with: probe.bytes)
    } catch is Deep {
      Run.arrive(with: probe.bytes)
    } catch {
      if Run.isTelling { Run.tell("refused: \(error)") }
    }
    let time = Run.processorTime - start
    if time > Run.timeLimit { Run.end("\(time) s for \(count) bytes") }
    return 0
  }

  /// libFuzzer's own mutations, and now and then one that they do not produce: a part of the input repeated up to 64
  /// kB, which detects quadratic time.
  @c(LLVMFuzzerCustomMutator)
  public func mutate(
    _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int, _ seed: UInt32
  ) -> Int {
    guard count > 1, seed % 61 == 0 else { return libraryMutation(bytes, count, room) }
    let start = Int(seed / 61) % count
    let length = min(1 + Int(seed / 7919) % 24, count - start)
    let end = start + length
    let part = Array(UnsafeBufferPointer(start: bytes + start, count: length))
    let tail = Array(UnsafeBufferPointer(start: bytes + end, count: count - end))
    let copies = min(room - count, room >> (seed / 104_729 % 4)) / length
    guard copies > 0 else { return count }
    var place = end
    for _ in 0..<copies {
      (bytes + place).update(from: part, count: length)
      place += length
    }
    (bytes + place).update(from: tail, count: tail.count)
    return place + tail.count
  }

  @_silgen_name("LLVMFuzzerMutate")
  private func libraryMutation(
    _ bytes: UnsafeMutablePointer<UInt8>, _ count: Int, _ room: Int
  ) -> Int

  /// The work of one process of the fuzzer.
  private enum Run {
    static let target = getenv("CIE_FUZZ_TARGET").flatMap { FuzzTarget.named(String(cString: $0)) }
    /// The inputs that do not reveal the planted fault.
    static let seeds = getenv("CIE_FUZZ_PLANTED").flatMap { _ in
      (try? target?.seeds()).map(Set.init)
    }
    static let isTelling = getenv("CIE_FUZZ_TELL") != nil
    static let timeLimit = 5.0
    static let accepted = Atomic(0)

    static var processorTime: Double {
      var time = timespec()
      clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &time)
      return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
    }

    /// An input is accepted. The planted fault is here, after the whole target: one of four accepted inputs has it, and
    /// no seed.
    static func arrive(with bytes: [UInt8]) {
      accepted.wrappingAdd(1, ordering: .relaxed)
      // libFuzzer begins with the empty input.
      guard let seeds, !bytes.isEmpty, !seeds.contains(bytes) else { return }
      if bytes.reduce(UInt8(0), { $0 &* 31 &+ $1 }) & 3 == 0 { end("planted fault") }
    }

    static func end(_ rule: String) {
      tell(rule)
      abort()
    }

    static func tell(_ words: String) {
      let line = [UInt8]("cie-fuzz: \(words)\n".utf8)
      _ = write(STDERR_FILENO, line, line.count)
    }
  }
#endif
