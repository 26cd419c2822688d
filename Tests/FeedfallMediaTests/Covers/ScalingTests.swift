import FeedfallScreen
import TestSupport
import Testing
import WaterfallEngine

@testable import FeedfallMedia

@Suite(.hangLimit) struct ScalingTests {
  /// Scales a grey picture, given by its rows.
  private func scaled(_ rows: [[UInt8]], to target: PictureTarget) -> [UInt8] {
    let size = Size(width: rows[0].count, height: rows.count)
    var scaling = AreaScaling(target.part(of: size), of: size)
    while let row = scaling.wantedRow { scaling.add(rows[row].flatMap { [$0, $0, $0, 255] }) }
    return stride(from: 0, to: scaling.result.count, by: 3).map { scaling.result[$0] }
  }

  private func filling(_ width: Int, _ height: Int, shape: Size) -> PictureTarget {
    .filling(Size(width: width, height: height), shape: shape)
  }

  @Test func `the average of black and white is the grey of half the light`() {
    let pixels = scaled([[0, 255], [255, 0]], to: filling(1, 1, shape: Size(width: 1, height: 1)))
    #expect(pixels == [180])
  }

  @Test func `a pixel split between two targets counts in proportion`() {
    // Two thirds of the light of 255, then all of it: the square root of 2/3 is 0.8165.
    let pixels = scaled([[0, 255, 255]], to: filling(2, 1, shape: Size(width: 3, height: 1)))
    #expect(pixels == [147, 255])
  }

  @Test(arguments: [(7, 5, 3, 2), (100, 90, 33, 17), (3, 2, 7, 9), (1, 1, 5, 5), (1000, 1, 1, 1), (1, 65_000, 1, 3)])
  func `a uniform picture keeps its colour`(width: Int, height: Int, newWidth: Int, newHeight: Int) {
    let row = Array(repeating: UInt8(201), count: width)
    let target = filling(newWidth, newHeight, shape: Size(width: 16, height: 9))
    let pixels = scaled(Array(repeating: row, count: height), to: target)
    #expect(pixels == Array(repeating: 201, count: newWidth * newHeight))
  }

  @Test func `a wide picture is cropped equally on the left and right`() {
    let row: [UInt8] = [10, 20, 30, 40, 50, 60]
    let pixels = scaled([row, row], to: filling(2, 2, shape: Size(width: 2, height: 2)))
    #expect(pixels == [30, 40, 30, 40])
  }

  @Test func `a tall picture is cropped equally above and below`() {
    let rows = [10, 20, 30, 40].map { [UInt8($0), UInt8($0)] }
    #expect(scaled(rows, to: filling(1, 2, shape: Size(width: 2, height: 2))) == [20, 30])
  }

  @Test(arguments: [Size(width: 1, height: .max), Size(width: .max, height: 1), Size(width: 0, height: -1)])
  func `any target shape is accepted`(shape: Size) throws {
    let picture = try PictureDecoder.decode(Sample.jpeg, to: filling(16_384, 3, shape: shape))
    #expect(picture.size == Size(width: 16_384, height: 3))
  }

  @Test func `the target's shape counts, not its number of pixels`() {
    // Pixels half as high as wide: the whole picture is shown in two of them.
    let row: [UInt8] = [10, 20, 30, 40]
    #expect(scaled([row, row, row, row], to: filling(4, 2, shape: Size(width: 4, height: 4))) == row + row)
  }

  @Test(arguments: [(640, 480, 240, 180), (100, 400, 45, 180), (100, 50, 100, 50), (10_000, 1, 320, 1)])
  func `a picture is scaled down to fit, never up`(width: Int, height: Int, newWidth: Int, newHeight: Int) {
    let part = PictureTarget.within(Size(width: 320, height: 180)).part(of: Size(width: width, height: height))
    #expect(part.size == Size(width: newWidth, height: newHeight))
    #expect(part.columns == 0...Double(width) && part.rows == 0...Double(height))
  }

  @Test func `a picture for cells is decoded at fewer pixels`() throws {
    let size = Size(width: 1280, height: 720)
    let part = filling(320, 96, shape: Size(width: 320, height: 192)).part(of: size)
    #expect(part.sizeToDecode(size, .full) == Size(width: 512, height: 144))
    #expect(part.sizeToDecode(size, .coarse) == Size(width: 308, height: 87))
  }

  @Test(arguments: [(960, 540), (640, 360), (333, 777), (90, 60)])
  func `scaling by the JPEG decoder keeps a photograph's brightness`(width: Int, height: Int) throws {
    let size = Size(width: width, height: height)
    let pixels = (0..<width * height).flatMap { place -> [UInt8] in
      [UInt8(place % width * 255 / width), UInt8(place / width * 255 / height), 128]
    }
    let jpeg = try #require(PixelBuffer(size: size, bytes: pixels)?.jpeg(quality: 95))
    let small = try PictureDecoder.decode(jpeg, to: filling(8, 4, shape: Size(width: width, height: height)))
    for (x, y) in [(0, 0), (7, 0), (0, 3), (7, 3), (4, 2)] {
      let wanted = RGB(red: UInt8((2 * x + 1) * 255 / 16), green: UInt8((2 * y + 1) * 255 / 8), blue: 128)
      #expect(small[x, y].isNear(wanted), "\(small[x, y]) at \(x), \(y)")
    }
  }
}
