import FeedfallScreen
import TestSupport
import Testing

@Suite(.hangLimit) struct RGBTests {
  @Test func `readable text is black on light colours and white on dark ones`() {
    #expect(RGB.white.readableText == .black && RGB.black.readableText == .white)
    #expect(RGB(red: 255, green: 255, blue: 0).readableText == .black)
    #expect(RGB(red: 0, green: 0, blue: 255).readableText == .white)
    #expect(RGB(red: 122, green: 122, blue: 122).readableText == .black)
    #expect(RGB(red: 112, green: 112, blue: 112).readableText == .white)
    #expect(abs(RGB(red: 128, green: 128, blue: 128).luminance - 0.2159) < 0.005)
  }
}
