import t, { type Test } from 'tap'
import { newChannel, openChannel } from '../../../gateway/runtime/channel.ts'

/** A channel whose second end gathers what arrives. */
const opened = (t: Test, ringBytes: number) => {
  const [here, there] = newChannel(ringBytes)
  const arrived: Buffer[] = []
  let wanted = 0
  let whenArrived = (): void => undefined
  const from = openChannel(
    here,
    () => t.fail('nothing is sent back'),
    () => undefined,
  )
  t.teardown(from.close)
  const open = () =>
    openChannel(
      there,
      (message) => {
        arrived.push(Buffer.from(message))
        if (arrived.length === wanted) whenArrived()
      },
      () => undefined,
    )
  const all = (count: number): Promise<readonly Buffer[]> =>
    new Promise((resolve) => {
      wanted = count
      whenArrived = () => resolve(arrived)
      if (arrived.length >= count) whenArrived()
    })
  return { from, open, all }
}

const message = (length: number, n: number): Buffer => Buffer.alloc(length, n)

t.test(
  'messages of any size arrive whole and in order, round the ring and through it in parts',
  async (t) => {
    const { from, open, all } = opened(t, 256)
    open()
    const sent = Array.from({ length: 200 }, (_, n) => message((n * 37) % 700, n))
    for (const [n, each] of sent.entries()) {
      from.send(each)
      if (n % 5 === 0) await new Promise((resolve) => setImmediate(resolve))
    }
    t.strictSame(await all(sent.length), sent)
    t.equal(from.backlogBytes(), 0)
  },
)

t.test(
  'what a full ring has no room for waits, as it was when it was sent, and leaves once the other side reads',
  async (t) => {
    const { from, open, all } = opened(t, 64)
    const reused = Buffer.alloc(40)
    const sent = Array.from({ length: 50 }, (_, n) => message(40, n))
    for (const each of sent) {
      each.copy(reused)
      from.send(reused)
    }
    t.equal(from.backlogBytes(), 50 * (40 + 4) - 64)
    open()
    t.strictSame(await all(sent.length), sent)
    t.equal(from.backlogBytes(), 0)
  },
)

t.test('each end hears that the other was closed', async () => {
  const [here, there] = newChannel(64)
  const closed = new Promise<void>((resolve) => {
    openChannel(here, () => undefined, resolve)
  })
  openChannel(
    there,
    () => undefined,
    () => undefined,
  ).close()
  await closed
})
