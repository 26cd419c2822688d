import FeedfallFeeds
import FeedfallRecords
import FeedfallText
import WaterfallEngine

/// Repeats one kind of work. The difference between the instruction counts of two repetition counts is the cost of the
/// work without start-up and exit.
enum CountedWork {
  static func run(_ arguments: [String]) -> Int32 {
    guard arguments.count == 2, let rounds = Int(arguments[1]), let work = works[arguments[0]] else {
      print("feedfall-bench count: name a work, one of \(works.keys.sorted().joined(separator: ", ")), and how often")
      return 2
    }
    let used = work(rounds)
    print("\(arguments[0]) \(rounds) \(used)")
    return 0
  }

  private static let works = layoutsAndDocuments.merging(CountedSession.counted.map { ($0.name, $0.work) }) { $1 }

  private static let layoutsAndDocuments: [String: @Sendable (Int) -> Int] = [
    "layout": { rounds in layOut(rounds, columns: 4) },
    "layout8": { rounds in layOut(rounds, columns: 8) },
    "load": { rounds in
      let log = RecordLog.bytes(of: 1_000)
      return (0..<rounds).reduce(0) { sum, _ in
        var data = UserData(device: "a")
        return sum + log.withUnsafeBufferPointer { data.read($0, of: "a", now: 1_800_000_000_000) } + data.count
      }
    },
    "append20": { rounds in
      let page = Heights.random(20)
      var layout = waterfall(Heights.random(10_000))
      for _ in 0..<rounds { append(page, to: &layout) }
      return layout.contentSize.height
    },
    "query": { rounds in
      let layout = waterfall(Heights.random(10_000))
      var random = Heights(seed: 3)
      return (0..<rounds).reduce(0) { sum, _ in
        let row = random.next(below: layout.contentSize.height - 208)
        return sum + layout.layoutAttributes(in: Rect(x: 0, y: row, width: 160, height: 208)).count
      }
    },
    "height": { rounds in
      var layout = waterfall(Heights.random(10_000))
      for round in 0..<rounds {
        carryOut { () throws(LayoutError) in try layout.setItemHeight(4 + round % 2, at: ElementPath(item: 7)) }
      }
      return layout.contentSize.height
    },
    "spans": { rounds in
      let items = Heights.mixed(1000)
      return (0..<rounds).reduce(0) { sum, _ in sum + spanning(items, .inOrder).contentSize.height }
    },
    "wide": { rounds in
      let items = [ItemSize(height: 4, span: .columns(2))] + Heights.random(10_000).map { ItemSize(height: $0) }
      var layout = spanning(items, .reordering(within: 9))
      for round in 0..<rounds {
        carryOut { () throws(LayoutError) in try layout.setItemHeight(4 + round % 2, at: ElementPath(item: 70)) }
      }
      return layout.contentSize.height
    },
    "past": { rounds in
      // A giant item beside thousands, of which one has no height.
      var metrics = metrics(2)
      metrics.lineSpacing = 0
      let layout = filled(WaterfallLayout(width: 160), [60_000, 0] + Heights.random(10_000), metrics)
      return (0..<rounds).reduce(0) { sum, _ in
        var goal: NavigationGoal?
        return sum + (layout.neighbor(of: ElementPath(item: 0), toward: .down, goal: &goal)?.item ?? 0)
      }
    },
    "right": { rounds in neighbors(rounds, .right) },
    "down": { rounds in neighbors(rounds, .down) },
    "articles": { rounds in decode(.articles, rounds) },
    "peerTube": { rounds in decode(.peerTube, rounds) },
    "rss": { rounds in decode(.rss, rounds) },
    "m3u": { rounds in decode(.m3u, rounds) },
    "output": { rounds in
      let line = String(repeating: "What happens in it, told in German: schön und gut. ", count: 20)
      return (0..<rounds).reduce(0) { sum, _ in sum + harmlessText(line).utf8.count }
    },
  ]

  /// A round lays out 1000 items.
  private static func layOut(_ rounds: Int, columns: Int) -> Int {
    let heights = Heights.random(1000)
    return (0..<rounds).reduce(0) { sum, _ in sum + waterfall(heights, columns: columns).contentSize.height }
  }

  /// A round decodes a page of 20 items.
  private static func decode(_ sample: FeedSample, _ rounds: Int) -> Int {
    let body = sample.document(of: 20)
    return (0..<rounds).reduce(0) { sum, _ in sum + ((try? FeedDecoder.decode(body, from: nil))?.videos.count ?? 0) }
  }

  private static func neighbors(_ rounds: Int, _ direction: Direction) -> Int {
    let layout = waterfall(Heights.random(10_000))
    var random = Heights(seed: 4)
    return (0..<rounds).reduce(0) { sum, _ in
      var goal: NavigationGoal?
      let path = ElementPath(item: random.next(below: 10_000))
      return sum + (layout.neighbor(of: path, toward: direction, goal: &goal)?.item ?? 0)
    }
  }
}
