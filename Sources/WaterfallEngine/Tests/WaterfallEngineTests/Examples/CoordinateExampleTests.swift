import Foundation
import TestBasics
import Testing
import WaterfallEngine

// The documentation contains these examples line by line, which `DocumentationTests` checks.

@Suite(.hangLimit) struct CoordinateExampleTests {
  @Test func `a waterfall in points`() throws {
    var layout = ScaledLayout<WaterfallLayout, Double>(breadth: 320.5)
    let space = layout.scale.units(7.5)
    try layout.appendSection(
      SectionMetrics(columns: .count(3), columnSpacing: space, lineSpacing: space, insets: .zero))
    try layout.append(itemHeights: [81.25, 60.75, 99.5, 40], toSection: 0)

    let frame = layout.frame(ofItem: ElementPath(item: 3))
    // x 109.34375, y 68.25, 101.828125 wide, 40 high: below the second item
    #expect(frame == ScaledRect(x: 109.34375, y: 68.25, width: 101.828125, height: 40))
  }

  #if !canImport(UIKit) && !canImport(AppKit)
    @MainActor @Test func `a collection view shows the frames of a waterfall`() throws {
      let layout = WaterfallCollectionViewLayout()
      layout.itemHeight = { path, width in path[1] == 0 ? width / 2 : width }
      let view = UICollectionView()
      view.bounds = CGRect(x: 0, y: 0, width: 230, height: 400)
      view.itemCounts = [3, 1]
      layout.collectionView = view
      layout.prepare()
      func frame(_ section: Int, _ item: Int) -> CGRect? {
        layout.layoutAttributesForItem(at: IndexPath(indexes: [section, item]))?.frame
      }
      #expect(frame(0, 0) == CGRect(x: 10, y: 10, width: 100, height: 50))
      #expect(frame(0, 2) == CGRect(x: 10, y: 70, width: 100, height: 100))
      #expect(frame(1, 0) == CGRect(x: 10, y: 190, width: 100, height: 50))
      #expect(frame(2, 0) == nil)
      #expect(layout.collectionViewContentSize == CGSize(width: 230, height: 250))
      #expect(layout.layoutAttributesForElements(in: CGRect(x: 0, y: 0, width: 230, height: 100)).count == 3)

      let preferred = UICollectionViewLayoutAttributes(forCellWith: IndexPath(indexes: [0, 0]))
      preferred.frame.size.height = 60.5
      let original = UICollectionViewLayoutAttributes(forCellWith: preferred.indexPath)
      #expect(layout.shouldInvalidateLayout(forPreferredLayoutAttributes: preferred, withOriginalAttributes: original))
      layout.prepare()
      #expect(frame(0, 2)?.minY == 80.5)

      view.bounds.size.width = 430
      #expect(layout.shouldInvalidateLayout(forBoundsChange: CGRect(x: 0, y: 0, width: 300, height: 400)))
      layout.prepare()
      #expect(frame(0, 0)?.width == 200)

      view.itemCounts = [1]
      let context = UICollectionViewLayoutInvalidationContext()
      context.invalidateDataSourceCounts = true
      layout.invalidateLayout(with: context)
      layout.prepare()
      #expect(frame(0, 1) == nil)
    }

    @Test func `the collection view compiles with AppKit`() throws {
      let folder = FileManager.default.temporaryDirectory.appendingPathComponent("appkit-\(UUID().uuidString)")
      try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
      defer { try? FileManager.default.removeItem(at: folder) }
      try appKitStubs.write(to: folder.appendingPathComponent("AppKit.swift"), atomically: true, encoding: .utf8)
      let modules = URL(fileURLWithPath: CommandLine.arguments[0]).deletingLastPathComponent()
        .appendingPathComponent("Modules").path
      func compile(_ arguments: String...) throws -> Int32 {
        let compiler = Process()
        compiler.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        compiler.currentDirectoryURL = folder
        compiler.arguments = ["swiftc", "-swift-version", "6", "-I", ".", "-I", modules] + arguments
        try compiler.run()
        compiler.waitUntilExit()
        return compiler.terminationStatus
      }
      let example = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
        .appendingPathComponent("CollectionViewLayoutExample.swift").path
      #expect(try compile("-parse-as-library", "-emit-module", "-module-name", "AppKit", "AppKit.swift") == 0)
      #expect(try compile("-typecheck", "-parse-as-library", example) == 0)
    }
  #endif
}
