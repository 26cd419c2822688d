import TestSupport
import Testing

@testable import FeedfallText

@Suite(.hangLimit) struct AddressSecretsTests {
  @Test(arguments: [
    ("https://a.example/f?token=s3", "https://a.example/f"),
    ("https://me:pw@a.example/f?api_key=s3&x=1", "https://a.example/f?x=1"),
    ("https://a.example/f?x=1&access_token=s3&y=2#z", "https://a.example/f?x=1&y=2#z"),
    ("https://a.example/f?x=1&sig=s3#t", "https://a.example/f?x=1#t"),
    ("https://a.example/f?X-Plex-Token=s3", "https://a.example/f"),
    ("https://a.example/f?X-Amz-Date=1&X-Amz-Signature=s3&X-Amz-Credential=c", "https://a.example/f?X-Amz-Date=1"),
    ("https://a.example/f?%74oken=s3", "https://a.example/f"), ("https://a.example/f?TOKEN=s3", "https://a.example/f"),
    ("https://a.example/f?a;token=s3;b&c=1", "https://a.example/f?a&c=1"),
    ("https://a.example/f#access_token=s3&x=1", "https://a.example/f#x=1"),
    ("https://a.example/f?sid=s3&pass=p&session=q&secret=r&pwd=t", "https://a.example/f"),
    ("https://a.example/f?u=https%3A%2F%2Fb.example%2F%3Ftoken%3Ds3&x=1", "https://a.example/f?x=1"),
    ("https://a.example/f?u=https%3A%2F%2Fme%3As3%40b.example%2F", "https://a.example/f"),
    ("https://a.example/f?k=0123456789abcdef0123456789abcdef", "https://a.example/f"),
    ("https://a.example/f;jsessionid=s3?x=1", "https://a.example/f?x=1"),
    ("https://a.example/f;jsessionid=s3?x=1&token=s3;y#z", "https://a.example/f?x=1#z"),
    ("https://a.example/f?k=eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc", "https://a.example/f"),
  ])
  func `stored addresses contain no secrets`(text: String, stored: String) throws {
    let address = try #require(WebAddress(text))
    #expect(address.hasSecret)
    #expect(address.forStorage.text == stored)
    #expect(!address.description.contains("s3"))
    #expect(address.text == text)
  }

  @Test(arguments: [
    "https://www.youtube.com/watch?v=dQw4w9WgXcQ&list=PLrAXtmErZgOeiKm4sgNOknGvNjby9efdf&t=10s",
    "https://a.example/?id=0123456789abcdef0123456789abcdef&p=7", "https://a.example/f?page=0&size=20",
    "https://www.youtube.com/feeds/videos.xml?channel_id=UCsXVk37bltHxD1rDPwtNM8Q",
    "https://a.example/api?pageToken=CAUQAA&cursor=QVFEbnBBNmw5UkFVdzJxN1l6S2hGeGJvT0tKcWVMZ3c",
    "https://a.example/f?authuser=0&author=ann&keyword=cats&passage=1&tokens=2",
    "https://a.example/f?file=My-Film-With-A-Long-Title-2024-Episode-12-1080p.mp4", "https://a.example/?q=a:b@c",
    "https://a.example/f?x=123456789012345678901234567890123456", "https://a.example/f", "https://a.example/f?token",
  ])
  func `ordinary parameters are no secrets`(text: String) throws {
    let address = try #require(WebAddress(text))
    #expect(!address.hasSecret && address.forStorage == address && address.description == text)
    #expect(text.hashingSecrets == text)
  }

  @Test func `hashes distinguish secrets, and hashing them again changes nothing`() {
    let (one, other) = ("https://a.example/f?key=1&x=2", "https://a.example/f?key=2&x=2")
    #expect(one.hashingSecrets != other.hashingSecrets && one.hashingSecrets.hasSuffix("&x=2"))
    #expect(one.hashingSecrets.hashingSecrets == one.hashingSecrets)
    #expect("a b?token=s3".hashingSecrets.hasPrefix("a b?token=~"))
  }

  @Test(arguments: 0..<300)
  func `no text that leaves the program contains a planted secret`(seed: Int) throws {
    var random = SeededGenerator(seed: UInt64(seed))
    let secret = "S3CRET\(Int.random(in: 1_000_000...9_999_999, using: &random))"
    let names = [
      "token", "api_key", "apikey", "access_token", "auth", "key", "sig", "signature", "password", "pass", "secret",
      "sid",
      "session", "X-Amz-Signature", "X-Plex-Token", "Token", "auth_token", "client-secret", "p%61ss",
    ]
    var items = (0..<Int.random(in: 0...4, using: &random)).map { "\(["a", "v", "page", "é", "x y"][$0])=\($0)" }
    for _ in 0..<Int.random(in: 1...3, using: &random) {
      let item = "\(names.randomElement(using: &random) ?? "token")=\(random.chance(1, in: 2) ? "" : "a;b?c=")\(secret)"
      items.insert(item, at: Int.random(in: 0...items.count, using: &random))
    }
    let user = random.chance(1, in: 3) ? "ann:\(secret)@" : ""
    let mark = random.chance(1, in: 8) ? "#" : "?"
    let text =
      "https://\(user)a.example/f\(mark)\(items.joined(separator: "&"))\(random.chance(1, in: 3) ? "#end" : "")"
    let address = try #require(WebAddress(text))
    #expect(address.hasSecret)
    for shown in [
      address.forStorage.text, address.description, text.hidingPassword, text.removingUser.hashingSecrets,
      MediaAddress.web(address).forStorage.text, "open \(text)".hidingPassword,
    ] {
      #expect(!shown.contains(secret), "\(shown)")
    }
    #expect(!address.forStorage.hasSecret && WebAddress(address.forStorage.text) == address.forStorage)
    #expect(text.hashingSecrets.hashingSecrets == text.hashingSecrets)
  }

  @Test(arguments: 0..<300)
  func `any text can be searched for secrets`(seed: Int) {
    var random = SeededGenerator(seed: UInt64(seed))
    let pieces = ["?", "&", "#", ";", "=", "%", "token", "key", ":", "//", "@", "a", "é", "%3F", "https://", " "]
    let text = (0..<Int.random(in: 0...40, using: &random)).map { _ in pieces.randomElement(using: &random) ?? "" }
      .joined()
    #expect(text.hashingSecrets.hashingSecrets == text.hashingSecrets)
    #expect(!text.removingSecrets.hasSecretParameter)
    #expect(text.hidingPassword.hidingPassword == text.hidingPassword)
  }
}
