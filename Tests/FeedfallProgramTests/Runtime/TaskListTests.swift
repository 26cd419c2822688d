import FeedfallApp
import TestSupport
import Testing

@testable import FeedfallProgram

@Suite(.hangLimit) struct TaskListTests {
  @Test func `a task without a ticket counts as writing until it ends`() async {
    var tasks = Runtime.TaskList()
    #expect(!tasks.isWriting)
    let task = Task {}
    tasks.add(task, nil)
    tasks.cancelAll()
    #expect(tasks.isWriting && tasks.isEmpty)
    await task.value
    tasks.end(nil)
    #expect(!tasks.isWriting && tasks.isIdle)
  }
}
