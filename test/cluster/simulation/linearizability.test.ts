import t from 'tap'
import { linearizabilityProblem, type Operation } from './linearizability.ts'
import { newRandom } from './random.ts'

const write = (value: string, startMs: number, endMs: number | null): Operation => ({
  kind: 'WRITE',
  value,
  startMs,
  endMs,
})
const read = (value: string | null, startMs: number, endMs: number | null): Operation => ({
  kind: 'READ',
  value,
  startMs,
  endMs,
})

const sound: Readonly<Record<string, readonly Operation[]>> = {
  'nothing happened': [],
  'what was never written is read as nothing': [read(null, 0, 1), read(null, 2, 3)],
  'one after the other': [write('a', 0, 1), read('a', 2, 3), write('b', 4, 5), read('b', 6, 7)],
  'a read during a write sees either': [write('a', 0, 1), write('b', 2, 9), read('a', 3, 4), read('b', 5, 6)],
  'writes at one time are in any order': [
    write('a', 0, 9),
    write('b', 0, 9),
    read('b', 10, 11),
    read('b', 12, 13),
  ],
  'a write without an answer may have happened': [write('a', 0, 1), write('b', 2, null), read('b', 50, 51)],
  'or not, or not yet': [write('a', 0, 1), write('b', 2, null), read('a', 50, 51), read('b', 52, 53)],
  'a read without an answer says nothing': [write('a', 0, 1), read('b', 2, null)],
}

const unsound: Readonly<Record<string, readonly Operation[]>> = {
  'a write that was acknowledged is lost': [write('a', 0, 1), read(null, 2, 3)],
  'a read is stale': [write('a', 0, 1), write('b', 2, 3), read('a', 4, 5)],
  'a value that was replaced comes back': [
    write('a', 0, 1),
    write('b', 2, null),
    read('b', 3, 4),
    read('a', 5, 6),
  ],
  'two readers see two orders': [
    write('a', 0, 9),
    write('b', 0, 9),
    read('a', 10, 11),
    read('b', 12, 13),
    read('a', 14, 15),
  ],
  'a value is read before it is written': [read('a', 0, 1), write('a', 2, 3)],
  'a value is read that nobody wrote': [read('x', 0, 1)],
  'a value is there while another was never away': [
    write('a', 0, 1),
    write('b', 3, 4),
    read('a', 2, 3),
    read('a', 5, 6),
  ],
}

for (const [title, history] of Object.entries(sound))
  t.test(`sound: ${title}`, async (t) => t.equal(linearizabilityProblem(history), null))

for (const [title, history] of Object.entries(unsound))
  t.test(`not sound: ${title}`, async (t) => t.type(linearizabilityProblem(history), 'string'))

/** Tries every order: slow, and plainly right. */
const isLinearizable = (operations: readonly Operation[], value: string | null = null): boolean => {
  const open = operations.filter(({ kind, endMs }) => kind === 'WRITE' || endMs !== null)
  if (open.every(({ endMs }) => endMs === null)) return true
  const firstEndMs = Math.min(...open.map(({ endMs }) => endMs ?? Number.POSITIVE_INFINITY))
  return open.some((next) => {
    if (next.startMs > firstEndMs || (next.kind === 'READ' && next.value !== value)) return false
    const others = open.filter((operation) => operation !== next)
    return isLinearizable(others, next.kind === 'WRITE' ? next.value : value)
  })
}

t.test('it says of random histories what trying every order says', async (t) => {
  const random = newRandom(1)
  const counts = { sound: 0, unsound: 0 }
  for (let round = 0; round < 4000; round++) {
    const writes = 1 + random.below(3)
    const moments = Array.from({ length: 40 }, (_, n) => n).sort(() => random.next() - 0.5)
    const between = (): { readonly startMs: number; readonly endMs: number } => {
      const [startMs, endMs] = [moments.pop()!, moments.pop()!].sort((a, b) => a - b)
      return { startMs: startMs!, endMs: endMs! }
    }
    const history: Operation[] = Array.from({ length: writes }, (_, n) => {
      const { startMs, endMs } = between()
      return write(`v${n}`, startMs, random.chance(0.2) ? null : endMs)
    })
    for (let reads = random.below(5); reads > 0; reads--) {
      const { startMs, endMs } = between()
      history.push(read(random.chance(0.2) ? null : `v${random.below(writes)}`, startMs, endMs))
    }
    const expected = isLinearizable(history)
    counts[expected ? 'sound' : 'unsound'] += 1
    if ((linearizabilityProblem(history) === null) !== expected)
      t.fail(`it is ${expected ? 'sound' : 'not sound'}: ${JSON.stringify(history)}`)
  }
  t.ok(counts.sound > 400 && counts.unsound > 400, JSON.stringify(counts))
})
