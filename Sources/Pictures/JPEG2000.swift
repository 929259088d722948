internal import CIECard
internal import COpenJPEG

/// JPEG 2000 (ISO/IEC 15444-1), by OpenJPEG.
enum JPEG2000 {
  /// Decodes the codestream alone: the boxes around it were checked before.
  static func decode(_ image: [UInt8], format: DataGroup.Portrait.ImageFormat) throws(PictureError)
    -> Picture
  {
    let bytes = format == .jp2 ? try JP2File.codestream(in: image) : image
    let codestream = try Codestream(bytes)
    guard let codec = opj_create_decompress(OPJ_CODEC_J2K) else { throw .malformed }
    defer { opj_destroy_codec(codec) }
    var parameters = opj_dparameters_t()
    opj_set_default_decoder_parameters(&parameters)
    guard opj_setup_decoder(codec, &parameters) != 0 else { throw .malformed }
    return try codestream.withStream { stream throws(PictureError) in
      var decoded: UnsafeMutablePointer<opj_image_t>?
      defer { opj_image_destroy(decoded) }
      guard opj_read_header(stream, codec, &decoded) != 0, let image = decoded,
        opj_decode(codec, stream, image) != 0, opj_end_decompress(codec, stream) != 0
      else { throw .malformed }
      return try picture(image.pointee)
    }
  }

  /// One component is grey, three are RGB; a further one is transparency, which is dropped.
  private static func picture(_ image: opj_image_t) throws(PictureError) -> Picture {
    let components = [opj_image_comp_t](
      UnsafeBufferPointer(start: image.comps, count: Int(image.numcomps)))
    guard let first = components.first else { throw .malformed }
    let (width, height) = (Int(first.w), Int(first.h))
    guard Picture.holds(width: width, height: height) else { throw .tooLarge }
    let colours =
      components.count < 3 ? [first, first, first] : [opj_image_comp_t](components.prefix(3))
    let count = width * height
    var pixels = [UInt8](repeating: 0, count: count * 3)
    for (offset, component) in colours.enumerated() {
      guard component.w == first.w, component.h == first.h, (1...8).contains(component.prec),
        component.sgnd == 0, let samples = component.data
      else { throw .unsupported }
      let most = Int32(1) << Int32(component.prec) - 1
      for index in 0..<count {
        let sample = min(max(samples[index], 0), most)
        pixels[index * 3 + offset] = UInt8(clamping: sample * 255 / most)
      }
    }
    guard let picture = Picture(width: width, height: height, pixels: pixels) else {
      throw .malformed
    }
    return picture
  }
}

extension Codestream {
  /// OpenJPEG's position in the bytes.
  private struct Position {
    let bytes: UnsafeRawBufferPointer
    var offset = 0
  }

  /// OpenJPEG's end-of-stream value: all bits set. Swift imports `size_t` as signed.
  private static let endOfStream: OPJ_SIZE_T = -1

  /// Calls `body` with a stream over the bytes.
  fileprivate func withStream<Result>(
    _ body: (UnsafeMutablePointer<opj_stream_t?>) throws(PictureError) -> Result
  ) throws(PictureError) -> Result {
    guard let stream = opj_stream_default_create(1) else { throw .malformed }
    defer { opj_stream_destroy(stream) }
    let length = bytes.count
    let outcome: Swift.Result<Result, PictureError> = bytes.withUnsafeBytes { buffer in
      var position = Position(bytes: buffer)
      return withUnsafeMutablePointer(to: &position) { position in
        opj_stream_set_user_data(stream, position, nil)
        opj_stream_set_user_data_length(stream, OPJ_UINT64(length))
        opj_stream_set_read_function(stream) { target, count, position in
          Codestream.read(target, count, position)
        }
        opj_stream_set_skip_function(stream) { count, position in
          Codestream.seek(by: count, position) ? count : -1
        }
        opj_stream_set_seek_function(stream) { offset, position in
          Codestream.seek(to: offset, position) ? 1 : 0
        }
        do throws(PictureError) { return .success(try body(stream)) } catch {
          return .failure(error)
        }
      }
    }
    return try outcome.get()
  }

  private static func read(
    _ target: UnsafeMutableRawPointer?, _ count: OPJ_SIZE_T, _ data: UnsafeMutableRawPointer?
  ) -> OPJ_SIZE_T {
    guard let target, let position = data?.assumingMemoryBound(to: Position.self) else {
      return endOfStream
    }
    let bytes = position.pointee.bytes.dropFirst(position.pointee.offset).prefix(
      Int(clamping: count))
    guard !bytes.isEmpty else { return endOfStream }
    UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
    position.pointee.offset += bytes.count
    return OPJ_SIZE_T(bytes.count)
  }

  private static func seek(by count: OPJ_OFF_T, _ data: UnsafeMutableRawPointer?) -> Bool {
    guard let position = data?.assumingMemoryBound(to: Position.self) else { return false }
    let (sum, isOverflow) = OPJ_OFF_T(position.pointee.offset).addingReportingOverflow(count)
    return !isOverflow && seek(to: sum, data)
  }

  private static func seek(to offset: OPJ_OFF_T, _ data: UnsafeMutableRawPointer?) -> Bool {
    guard let position = data?.assumingMemoryBound(to: Position.self),
      (0...position.pointee.bytes.count).contains(Int(offset))
    else { return false }
    position.pointee.offset = Int(offset)
    return true
  }
}
