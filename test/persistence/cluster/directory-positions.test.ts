import t from 'tap'
import { openDirectoryPositions } from '../../../persistence/cluster/directory-positions.ts'

const beatMs = 250
const deadMs = 1500
const waitMs = 2000

const openAt = () => {
  let nowMs = 0
  const late: string[][] = []
  const positions = openDirectoryPositions({
    monotonicNow: () => nowMs,
    beatMs,
    deadMs,
    waitMs,
    onLate: (nodes) => late.push([...nodes]),
  })
  const done: number[] = []
  return {
    ...positions,
    late,
    /** Records that every node has, as far as was waited for them. */
    done,
    wait: (sequence: number) => void positions.everyNodeHas(sequence).then(() => done.push(sequence)),
    /** Lets time pass, in ticks; meanwhile these nodes say again how far they are. */
    pass: async (ms: number, heard: Readonly<Record<string, number>> = {}) => {
      for (const end = nowMs + ms; nowMs < end; ) {
        nowMs += beatMs
        for (const [node, applied] of Object.entries(heard)) positions.hear(node, applied)
        positions.tick()
      }
      await undefined
    },
    /** The process stands still. */
    stand: (ms: number) => {
      nowMs += ms
    },
  }
}

t.test('a record is waited for until the last of the nodes has it', async (t) => {
  const { hear, wait, done, late } = openAt()
  wait(1)
  await undefined
  t.strictSame(done, [1], 'alone there is nobody to wait for')
  hear('b', 4)
  hear('c', 4)
  wait(5)
  wait(6)
  hear('b', 6)
  await undefined
  t.strictSame(done, [1])
  hear('c', 5)
  await undefined
  t.strictSame(done, [1, 5])
  hear('c', 7)
  await undefined
  t.strictSame(done, [1, 5, 6])
  wait(6)
  await undefined
  t.strictSame(done, [1, 5, 6, 6], 'what all have is not waited for')
  t.strictSame(late, [])
})

t.test('a node that is not heard any more is not waited for', async (t) => {
  const { hear, pass, wait, done, late } = openAt()
  hear('b', 1)
  hear('c', 1)
  await pass(1000, { c: 1 })
  wait(2)
  await pass(250, { c: 2 })
  t.strictSame(done, [])
  await pass(250, { c: 2 })
  t.strictSame(done, [2])
  wait(3)
  hear('c', 3)
  await undefined
  t.strictSame(done, [2, 3], 'nor for the next')
  hear('b', 1)
  wait(4)
  hear('c', 4)
  await undefined
  t.strictSame(done, [2, 3], 'until it is heard again')
  t.strictSame(late, [])
})

t.test('a node that ends is not waited for', async (t) => {
  const { hear, wait, done } = openAt()
  hear('b', 1)
  wait(2)
  hear('b', null)
  await undefined
  t.strictSame(done, [2])
})

t.test('a node that is heard and does not follow is waited for as long as a lease, and named', async (t) => {
  const { hear, pass, wait, done, late } = openAt()
  hear('b', 1)
  hear('c', 1)
  wait(2)
  await pass(waitMs - beatMs, { b: 1, c: 2 })
  t.strictSame(done, [])
  await pass(beatMs, { b: 1, c: 2 })
  t.strictSame(done, [2])
  t.strictSame(late, [['b']])
})

t.test(
  'after a break of this process, or of its connection, the others are not taken for dead',
  async (t) => {
    for (const isConnection of [false, true]) {
      const { hear, pass, stand, resumed, wait, done } = openAt()
      hear('b', 1)
      if (isConnection) {
        await pass(deadMs)
        resumed()
      } else stand(60_000)
      wait(2)
      await undefined
      t.strictSame(done, [])
      hear('b', 2)
      await undefined
      t.strictSame(done, [2])
    }
  },
)
