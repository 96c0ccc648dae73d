import t from 'tap'
import { formIn, framesOf, newAssembly, readFrame } from '../../../../gateway/link/cluster/frames.ts'
import type { Batch } from '../../../../gateway/link/link.ts'

const sender = { node: 'node-a', worker: 2 }
let number = 0
const answers = (...values: unknown[]): Batch => ({
  calls: [],
  results: values.map((value, n) => [n, 'ok', value] as const),
})
const long = 'x'.repeat(1_200_000)

for (const form of [1, 2]) {
  const messagesOf = (batch: Batch) =>
    framesOf(sender, batch, () => ++number, form).flatMap(({ messages }) => messages)

  t.test(`form ${form}: a batch that lost a part is dropped whole, and what follows is read`, async (t) => {
    const assemble = newAssembly()
    const hear = (message: Uint8Array) => assemble(readFrame(message))
    const parts = messagesOf(answers(long))
    t.equal(parts.length, 3)
    for (const lost of parts) {
      for (const part of parts) if (part !== lost) t.equal(hear(part), null)
      const [next] = messagesOf(answers('next'))
      t.strictSame(hear(next!), answers('next'))
    }
    t.strictSame(parts.map(hear), [null, null, answers(long)])
  })

  t.test(`form ${form}: parts of different batches never make one`, async (t) => {
    const assemble = newAssembly()
    const [first, second] = [messagesOf(answers(long)), messagesOf(answers(long))]
    t.equal(assemble(readFrame(first[0]!)), null)
    t.equal(assemble(readFrame(second[1]!)), null)
    t.equal(assemble(readFrame(second[2]!)), null)
  })

  t.test(`form ${form}: a batch is halved until it fits, and keeps its order`, async (t) => {
    const values = Array.from({ length: 100 }, (_, n) => `${n} `.padEnd(30_000, 'x'))
    const calls = values.slice(0, 50).map((value, n) => [n, 'serve', [value]] as const)
    const batch = { calls, results: answers(...values).results }
    const outgoing = framesOf(sender, batch, () => ++number, form)
    t.ok(outgoing.every(({ messages }) => messages.length === 1))
    t.strictSame(
      outgoing.flatMap((one) => one.calls),
      calls,
    )
    const heard = outgoing.map(({ messages }) => newAssembly()(readFrame(messages[0]!))!)
    t.strictSame(
      heard.flatMap((one) => one.calls),
      calls,
    )
    t.strictSame(
      heard.flatMap((one) => one.results),
      batch.results,
    )
  })

  t.test(
    `form ${form}: a batch that comes twice is heard once, also behind others and in parts`,
    async (t) => {
      const assemble = newAssembly()
      const hear = (message: Uint8Array) => assemble(readFrame(message))
      const [first] = messagesOf(answers('first'))
      const parts = messagesOf(answers(long))
      const [last] = messagesOf(answers('last'))
      t.strictSame(hear(last!), answers('last'))
      t.strictSame(hear(first!), answers('first'), 'one that was overtaken is heard')
      t.strictSame(parts.map(hear).at(-1), answers(long))
      for (const message of [first!, ...parts, last!]) t.equal(hear(message), null)
      // A sender that started anew counts from elsewhere.
      const [anew] = framesOf(sender, answers('anew'), () => number - 2 ** 40, form)
      t.strictSame(hear(anew!.messages[0]!), answers('anew'))
    },
  )

  t.test(`form ${form}: a sender is known by its frame`, async (t) => {
    const [, node, worker] = readFrame(messagesOf(answers('x'))[0]!)
    t.strictSame({ node, worker }, sender)
  })
}

t.test(
  'a frame of a form that only newer builds know is refused, and each version has its form',
  async (t) => {
    for (const form of [1, 2]) {
      const [outgoing] = framesOf(sender, answers('x'), () => ++number, form)
      // Every form says at this place which one it is.
      const other = Uint8Array.from(outgoing!.messages[0]!)
      other[1] = 99
      t.throws(
        () => readFrame(other),
        /a message of form 99, which only a newer version of the service reads/,
      )
    }
    t.equal(formIn(13), 1)
    t.equal(formIn(14), 2)
    t.equal(formIn(99), 2, 'newer versions of everything else have the same frames')
  },
)
