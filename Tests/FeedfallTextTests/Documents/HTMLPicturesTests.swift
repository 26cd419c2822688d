import FeedfallText
import TestSupport
import Testing

@Suite(.hangLimit) struct HTMLPicturesTests {
  private let base = WebAddress("https://a.example/")

  /// The paths of the pictures of a text on a.example, or the addresses on other servers.
  private func pictures(_ html: String) -> [String] {
    HTMLPictures(in: Array(html.utf8), base: base).addresses.map {
      $0.host == "a.example" ? String($0.text.dropFirst("https://a.example/".count)) : $0.text
    }
  }

  @Test(arguments: [
    #"<img src=t.png width=1 height=1><img src=b.jpg>"#, #"<img src=t.png width="7px" height=300><img src=b.jpg>"#,
    #"<img src=t.png style="WIDTH : 1px; height:2px"><img src=b.jpg>"#, #"<img src=t.png hidden><img src=b.jpg>"#,
    #"<img src=t.png style="visibility: hidden"><img src=b.jpg>"#,
    #"<img src=t.png style="display: none"><img src=b.jpg>"#, #"<img class="wp-smiley x" src=t.png><img src=b.jpg>"#,
    #"<img src=img/1x1.trans.gif><img src=b.jpg>"#, #"<img src=/lazy_placeholder.gif?v=2><img src=b.jpg>"#,
    #"<img src="https://feeds.feedburner.com/~r/x/~4/y"><img src=b.jpg>"#, #"<img src=""><img src=b.jpg>"#,
    #"<img src="data:image/gif;base64,R0lGODlhAQABAAAAACw="><img src=b.jpg>"#, #"<img alt=x><img src=b.jpg>"#,
    #"<!-- <img src=t.png> --><img src=b.jpg>"#, #"<p title="<img src=t.png>"><img src=b.jpg>"#,
    #"<script>"<img src=t.png>"</script><img src=b.jpg>"#, #"<style>a{b:"<img src=t.png>"}</style><IMG SRC=b.jpg>"#,
  ]) func `a mark that is no picture is left out`(html: String) {
    #expect(pictures(html) == ["b.jpg"])
  }

  @Test(arguments: [
    (#"<img src=a.gif data-src=b.jpg>"#, ["b.jpg"]),
    (#"<img src="data:image/gif;base64,x" data-lazy-src="b.jpg"><noscript><img src=b.jpg></noscript>"#, ["b.jpg"]),
    (#"<img src=a.gif data-original=true>"#, ["a.gif"]), (#"<img src=a.gif data-src="{width}x.jpg">"#, ["a.gif"]),
    (#"<img data-src=/blank.gif src=a.jpg>"#, ["a.jpg"]),
    (#"<img src=a.jpg srcset="c.jpg 320w, b.jpg 640w, d.jpg 1280w">"#, ["b.jpg"]),
    (#"<img src=a.jpg srcset="a.jpg, b.jpg 2x">"#, ["b.jpg"]),
    (#"<picture><source type=image/avif srcset=a.avif><source srcset="b.webp"><img alt=x></picture>"#, ["b.webp"]),
    (#"<picture><source srcset=a.webp><img src=b.jpg></picture><img src=/dot.gif>"#, ["b.jpg"]),
    (#"<video><source src=a.mp4></video><img src=b.jpg>"#, ["b.jpg"]),
  ]) func `a picture that is loaded lazily or in a set has its own address`(html: String, expected: [String]) {
    #expect(pictures(html) == expected)
  }

  @Test func `pictures of a stated size come before small ones and icons`() {
    #expect(
      pictures(
        """
        <img src=/icons/play.png><img src=small.jpg width=120 height=90><img src=a.jpg><img src=b.jpg width=600>
        <img src=last.jpg>
        """) == ["a.jpg", "b.jpg", "last.jpg"])
    #expect(
      pictures(
        "<img src=/avatar/1.jpg><img src=c.jpg width=100><img src=https://shields.io/x.png><img src=d.png height=32>")
        == ["c.jpg", "avatar/1.jpg", "https://shields.io/x.png"])
  }

  @Test func `a photo whose name contains one of the words stays a picture`() {
    #expect(pictures("<img src=/google-pixel-9.jpg>") == ["google-pixel-9.jpg"])
    #expect(pictures("<img src=/transparent-fish.jpg><img src=/b.jpg>") == ["transparent-fish.jpg", "b.jpg"])
  }

  @Test func `an address in a set may contain commas`() {
    let set = HTMLPictures.SourceSet(
      "https://c.example/w_300,c_limit/a.jpg 300w,\n https://c.example/w_900,c_limit/a.jpg 900w")
    #expect(set.best == "https://c.example/w_900,c_limit/a.jpg")
    #expect(HTMLPictures.SourceSet("a.jpg, b.jpg 1.5x").best == "b.jpg")
    #expect(HTMLPictures.SourceSet("a.jpg 2000w, b.jpg 700w, c.jpg 640w").best == "c.jpg")
    #expect(HTMLPictures.SourceSet(" ,, ").best == nil)
    #expect(HTMLPictures.SourceSet("a.jpg nanw, b.jpg -1x, c.jpg 1e99w").best == "a.jpg")
  }

  @Test(arguments: [
    "<img src=a", "<img ", "<img src='", "<!--", "<picture>", "<source srcset=a>", "<script>", "<", "<p title=\"<img>",
    "<img data-src=", "<i", "<img srcset=\"a,b c,d 1x,,,\">", "<svg><style>", "<img src=a.jpg>", "<p a='",
  ]) func `any repeated mark is read to its end, and few pictures are returned`(mark: String) {
    let found = HTMLPictures(in: Array(String(repeating: mark, count: 40_000).utf8), base: base).addresses
    #expect(found.count <= 3)
  }

  @Test func `random marks yield few different pictures, whatever their order`() {
    let parts = [
      "<img", " src=", " srcset=", " data-src=", "\"", "'", "a.jpg", "b.png 2x", ", ", "c.webp 700w", ">", "<picture>",
      "<source", "</picture>", "<!--", "-->", "<p>", " width=", "1", "300", " class=emoji", "<", "&lt;", "&#60;",
      "<script>",
      "</script>", " style=\"width:", "px\"", "=", "\u{0}", "é", "data:", "/",
    ]
    var random = SeededGenerator(seed: 11)
    for _ in 0..<3_000 {
      let count = Int.random(in: 0...40, using: &random)
      let html = (0..<count).map { _ in parts[Int.random(in: 0..<parts.count, using: &random)] }.joined()
      let found = pictures(html)
      #expect(found.count <= 3 && Set(found).count == found.count, "\(html)")
      #expect(!found.contains { $0.hasPrefix("data:") }, "\(html)")
      if !html.lowercased().contains("<img") { #expect(found.isEmpty, "\(html)") }
      // A picture before them stays the first one of its rank.
      #expect(pictures("<img src=first.jpg width=900>" + html).first == "first.jpg", "\(html)")
    }
  }
}
