import CFeedfall
import FeedfallScreen
import TestServer
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

/// Each limit accepts a picture just below it and refuses one just above, independently of the machine's speed.
@Suite(.hangLimit) struct PictureLimitsTests {
  /// Reads all rows of a picture without scaling them.
  private func read(_ bytes: [UInt8], _ limits: PictureLimits = PictureLimits()) throws(PictureError) {
    guard let format = ImageFormat(firstBytes: bytes) else { throw .unknownFormat }
    let result = bytes.withUnsafeBufferPointer { bytes in
      Result { () throws(PictureError) in
        let picture = try PictureDecoder.OpenPicture(format, bytes, limits)
        let size = try picture.begin(wanted: picture.size)
        var row = [UInt8](repeating: 0, count: size.width * 4)
        while try picture.readRow(into: &row) {}
      }
    }
    try result.get()
  }

  private func isAccepted(_ bytes: [UInt8], work: Int) -> Bool {
    var limits = PictureLimits()
    limits.work = work
    do throws(PictureError) {
      try read(bytes, limits)
      return true
    } catch {
      #expect(error == .tooMuchWork)
      return false
    }
  }

  /// The lowest limit of work that accepts a picture.
  private func leastWork(_ bytes: [UInt8]) -> Int {
    var (refused, accepted) = (-1, 1 << 30)
    while accepted - refused > 1 {
      let work = (refused + accepted) / 2
      if isAccepted(bytes, work: work) { accepted = work } else { refused = work }
    }
    return accepted
  }

  // MARK: - Counting

  @Test func `a file can have as many bytes as the limit`() throws {
    let target = PictureTarget.within(Size(width: 4, height: 4))
    var limits = PictureLimits()
    limits.bytes = Sample.rgbPNG.count
    _ = try PictureDecoder.decode(Sample.rgbPNG, to: target, limits: limits)
    limits.bytes -= 1
    #expect(throws: PictureError.tooLarge) {
      try PictureDecoder.decode(Sample.rgbPNG, to: target, limits: limits)
    }
  }

  @Test(arguments: [Sample.rgbPNG, Sample.gif, Sample.losslessWebP])
  func `a picture can have as many pixels as the limit`(bytes: [UInt8]) throws {
    var limits = PictureLimits()
    limits.pixels = 8
    try read(bytes, limits)
    limits.pixels = 7
    #expect(throws: PictureError.tooLarge) { try read(bytes, limits) }
  }

  @Test func `the work for a PNG is its stored rows and its compressed bytes`() {
    let (rows, bytes) = (2 * 4 * 3, Sample.rgbPNG.count)
    #expect((rows + 2 * bytes...rows + 3 * bytes).contains(leastWork(Sample.rgbPNG)))
    // 16 bits for each sample.
    let deep = [UInt8].png(width: 64, height: 64, bits: 16, hasAlpha: true)
    let flat = [UInt8].png(width: 64, height: 64, bits: 8, hasAlpha: true)
    #expect(leastWork(deep) - leastWork(flat) == 4 * 64 * 64 + 3 * (deep.count - flat.count))
  }

  @Test func `an interlaced PNG is more work`() {
    let interlaced = leastWork(.png(width: 64, height: 64, bits: 8, hasAlpha: false, isInterlaced: true))
    let plain = leastWork(.png(width: 64, height: 64, bits: 8, hasAlpha: false))
    #expect((4096...3 * 4096).contains(interlaced - plain))
  }

  @Test func `a JPEG with slower coding is more work`() {
    let huffman = leastWork(Sample.jpeg)
    #expect((Sample.jpeg.scanByteCount...2 * Sample.jpeg.scanByteCount + 16 * 16).contains(huffman))
    // Scans beyond half of the limit are skipped.
    #expect(leastWork(Sample.progressiveJPEG) > 2 * Sample.progressiveJPEG.scanByteCount)
    #expect(leastWork(Sample.arithmeticJPEG) > 30 * Sample.arithmeticJPEG.scanByteCount)
  }

  @Test(arguments: [Sample.jpeg, Sample.progressiveJPEG, Sample.arithmeticJPEG])
  func `metadata at the start of a JPEG costs nothing`(file: [UInt8]) {
    // Segments for applications of 65,535 bytes each, as large color profiles and previews have them.
    let segment = [0xFF, 0xE5, 0xFF, 0xFF] + [UInt8](repeating: 0, count: 65_533)
    let metadata = Array(repeatElement(segment, count: 16).joined())
    #expect(leastWork(Array(file.prefix(2)) + metadata + file.dropFirst(2)) == leastWork(file))
  }

  @Test(arguments: [(Sample.lossyWebP, 16 * 16), (Sample.losslessWebP, 4 * 2)])
  func `the work for a WebP is its pixels and its bytes`(bytes: [UInt8], pixelCount: Int) {
    #expect(leastWork(bytes) == 2 * pixelCount + 13 * bytes.count)
  }

  @Test func `the work for a GIF is its pixels, its bytes and its clear codes`() {
    let plain = [UInt8].gif(clearCodesPerPixel: 0)
    let pixels = 2 * 64 * 64
    #expect((pixels + plain.count - 300...pixels + plain.count).contains(leastWork(plain)))
    let cleared = [UInt8].gif(clearCodesPerPixel: 1)
    let clearCodes = 90 * 64 * 64
    #expect((pixels + clearCodes...pixels + clearCodes + cleared.count).contains(leastWork(cleared)))
  }

  // MARK: - The program's limits

  @Test func `a PNG with 20 million pixels of four samples is accepted, one with 22 is refused`() throws {
    try read(.png(width: 4500, height: 4500, bits: 8, hasAlpha: true))
    #expect(throws: PictureError.tooMuchWork) {
      try read(.png(width: 4700, height: 4700, bits: 8, hasAlpha: true))
    }
  }

  @Test func `a baseline JPEG with 100 million pixels is accepted, one with several scans is limited by its memory`()
    throws
  {
    func head(_ width: Int, _ height: Int, marker: UInt8) -> [UInt8] {
      let table = [0xFF, 0xDB, 0, 67, 0] + [UInt8](repeating: 1, count: 64)
      func number(_ value: Int) -> [UInt8] { [UInt8(value >> 8), UInt8(value & 255)] }
      let frame = [0xFF, marker, 0, 11, 8] + number(height) + number(width) + [1, 1, 0x11, 0]
      return [0xFF, 0xD8] + table + frame + [0xFF, 0xDA, 0, 8, 1, 1, 0, 0, marker == 0xC2 ? 0 : 63, 0]
    }
    let (baseline, progressive) = (0xC0 as UInt8, 0xC2 as UInt8)
    #expect(try PictureDecoder.size(of: head(10_000, 10_000, marker: baseline)) == Size(width: 10_000, height: 10_000))
    #expect(throws: PictureError.tooLarge) { try PictureDecoder.size(of: head(10_500, 10_500, marker: baseline)) }
    // Two bytes a pixel.
    #expect(try PictureDecoder.size(of: head(5_792, 5_792, marker: progressive)) == Size(width: 5_792, height: 5_792))
    #expect(throws: PictureError.tooLarge) { try PictureDecoder.size(of: head(5_793, 5_800, marker: progressive)) }
  }

  @Test func `rows of a JPEG are less work when they are scaled down`() throws {
    // A file of 100 million pixels has 12 MB at most, and needs this for its bytes.
    let size = Size(width: 800, height: 800)
    let jpeg = try #require(PixelBuffer.plain(.white, size).jpeg(quality: 80))
    func isAccepted(_ wanted: Size, work: Int) throws -> Bool {
      var limits = PictureLimits()
      limits.work = work
      return (try? PictureDecoder.decode(jpeg, to: .within(wanted), limits: limits)) != nil
    }
    let bytes = 2 * jpeg.count
    #expect(try isAccepted(Size(width: 50, height: 50), work: 100 * 800 + bytes))
    #expect(try !isAccepted(Size(width: 800, height: 800), work: 100 * 800 + bytes))
  }

  @Test func `a WebP with 16 million pixels is accepted, a larger one is refused`() throws {
    // The head of a lossless picture has 14 bits for each length minus one.
    func head(_ width: Int, _ height: Int) -> [UInt8] {
      let bits = (width - 1) | (height - 1) << 14
      let content =
        [0x2F] + (0..<4).map { UInt8(truncatingIfNeeded: bits >> ($0 * 8)) } + [UInt8](repeating: 0, count: 27)
      return Array("RIFF".utf8) + [44, 0, 0, 0] + Array("WEBPVP8L".utf8) + [32, 0, 0, 0] + content
    }
    #expect(try PictureDecoder.size(of: head(4_096, 4_096)) == Size(width: 4_096, height: 4_096))
    #expect(throws: PictureError.tooLarge) { try PictureDecoder.size(of: head(4_096, 4_097)) }
  }

  @Test func `an interlaced PNG with 3000 by 3000 pixels is accepted, a larger one is refused`() throws {
    try read(.png(width: 3000, height: 3000, bits: 8, hasAlpha: true, isInterlaced: true))
    #expect(throws: PictureError.tooMuchWork) {
      try read(.png(width: 3800, height: 3800, bits: 8, hasAlpha: true, isInterlaced: true))
    }
  }

  @Test func `a GIF of clear codes only is refused`() throws {
    try read(.gif(clearCodesPerPixel: 100))
    #expect(throws: PictureError.tooMuchWork) { try read(.gif(clearCodesPerPixel: 250)) }
  }

  @Test func `a JPEG with too many scans is shown after some of them`() throws {
    // The first scan has the whole picture at low quality; the last one is repeated.
    let file = Sample.progressiveJPEG
    let last = try #require(file.indices.dropLast().last { file[$0] == 0xFF && file[$0 + 1] == 0xDA })
    let scan = Array(file[last..<file.count - 2])
    let scans = Array(repeatElement(scan, count: 200_000).joined())
    let endless = Array(file.dropLast(2)) + scans + [0xFF, 0xD9]
    var limits = PictureLimits()
    limits.bytes = endless.count
    try read(endless, limits)
    let target = PictureTarget.within(Size(width: 16, height: 16))
    let picture = try PictureDecoder.decode(endless, to: target, limits: limits)
    #expect(picture[2, 2].isNear(RGB(red: 255, green: 0, blue: 0)))
  }
}

extension [UInt8] {
  /// The number of bytes in a JPEG behind the head of its first scan.
  fileprivate var scanByteCount: Int {
    guard let scan = indices.dropLast().first(where: { self[$0] == 0xFF && self[$0 + 1] == 0xDA }) else { return 0 }
    return count - scan - 2 - Int(self[scan + 2]) << 8 - Int(self[scan + 3])
  }

  /// A PNG of zeros (W3C PNG, third edition) without checksums, which the decoder ignores.
  fileprivate static func png(
    width: Int, height: Int, bits: Int, hasAlpha: Bool, isInterlaced: Bool = false
  ) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { (0..<4).reversed().map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    func chunk(_ name: String, _ content: [UInt8]) -> [UInt8] {
      number(content.count) + Array(name.utf8) + content + [0, 0, 0, 0]
    }
    let head = number(width) + number(height) + [UInt8(bits), hasAlpha ? 6 : 2, 0, 0, isInterlaced ? 1 : 0]
    let rowBytes = width * (hasAlpha ? 4 : 3) * bits / 8
    // Interlaced rows are shorter and have more filter bytes. Surplus zeros are ignored.
    let content = GzipBomb.zeros((rowBytes + 16) * height)
    return [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A] + chunk("IHDR", head) + chunk("IDAT", content)
      + chunk("IEND", [])
  }

  /// A GIF of 64 by 64 pixels of color 0 (GIF89a, appendix F), with codes that clear the table before each pixel.
  fileprivate static func gif(clearCodesPerPixel: Int) -> [UInt8] {
    let size: [UInt8] = [64, 0, 64, 0]
    let head: [UInt8] = Array("GIF89a".utf8) + size + [0x81, 0, 0] + [255, 0, 0, 0, 255, 0, 0, 0, 255, 0, 0, 0]
    let clearCode = 4
    let pixel = [Int](repeating: clearCode, count: clearCodesPerPixel) + [0]
    var writer = CodeWriter(clearCode: clearCode)
    for _ in 0..<64 * 64 {
      for code in pixel { writer.write(code) }
    }
    let content = writer.bytes + [0, 0]
    let blocks = stride(from: 0, to: content.count, by: 255).flatMap { start -> [UInt8] in
      let block = content[start..<Swift.min(start + 255, content.count)]
      return [UInt8(block.count)] + block
    }
    return head + [0x2C, 0, 0, 0, 0] + size + [0, 2] + blocks + [0, 0x3B]
  }
}

/// Packs codes whose width grows with the table.
private struct CodeWriter {
  private(set) var bytes: [UInt8] = []
  private let clearCode: Int
  private var nextCode: Int
  private var width = 3
  private var bits = 0
  private var bitCount = 0

  init(clearCode: Int) {
    self.clearCode = clearCode
    nextCode = clearCode + 2
  }

  mutating func write(_ code: Int) {
    bits |= code << bitCount
    bitCount += width
    while bitCount >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: bits))
      bits >>= 8
      bitCount -= 8
    }
    if code == clearCode {
      (nextCode, width) = (clearCode + 2, 3)
    } else if nextCode <= 4096 {
      nextCode += 1
      if nextCode > 1 << width, width < 12 { width += 1 }
    }
  }
}
