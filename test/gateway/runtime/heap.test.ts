import { execFile } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

const heap = JSON.stringify(join(import.meta.dirname, '../../../gateway/runtime/heap.js'))

/** Runs a program with a heap of so many MiB; resolves to what it printed, and whether it ended by itself. */
const run = (
  heapMb: number,
  program: string,
): Promise<{ readonly printed: string; readonly error: string }> =>
  new Promise((resolve) => {
    const args = [`--max-old-space-size=${heapMb}`, '--input-type=module', '-e', program]
    execFile(process.execPath, args, (_, printed, error) => resolve({ printed, error }))
  })

t.test('a heap that fills up is noticed before V8 ends the process', async (t) => {
  const { printed, error } = await run(
    64,
    `import { heapFull, watchHeap } from ${heap}
    watchHeap(() => { console.log(heapFull()); process.exit(0) })
    const kept = []
    setInterval(() => { for (let n = 0; n < 5000; n++) kept.push({ n, text: String(n) }) }, 1)`,
  )
  t.match(printed, /^the heap of 64 MiB of a thread is full; raise it with NODE_OPTIONS=--max-old-space-size/)
  t.equal(error, '')
})

t.test('a heap is not full of what can be collected', async (t) => {
  const { printed } = await run(
    64,
    `import { watchHeap } from ${heap}
    watchHeap(() => console.log('full'))
    let made = 0
    const timer = setInterval(() => {
      const lost = Array.from({ length: 100_000 }, (_, n) => ({ n, text: String(n) }))
      made += lost.length
      if (made > 5_000_000) { clearInterval(timer); process.exit(0) }
    }, 0)`,
  )
  t.equal(printed, '')
})

t.test('fewer states are kept in a heap that has no room for more', async (t) => {
  const program = `import { hotStatesIn } from ${heap}
    console.log(JSON.stringify([hotStatesIn(20_000, 1), hotStatesIn(20_000, 4), hotStatesIn(500, 1)]))`
  t.strictSame(JSON.parse((await run(4096, program)).printed), [20_000, 20_000, 500])
  t.strictSame(JSON.parse((await run(96, program)).printed), [4915, 1228, 500])
})
