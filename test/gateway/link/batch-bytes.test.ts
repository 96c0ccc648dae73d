import t from 'tap'
import { readBatch, writeBatch } from '../../../gateway/link/batch-bytes.ts'
import type { Batch, Kind, LinkCall, Message, Result } from '../../../gateway/link/link.ts'

const through = (batch: Batch, room = 0): Batch => readBatch(writeBatch(batch, room), room)
const calls = (...messages: unknown[]): Batch => ({
  calls: messages.map((message, n): LinkCall => [n, 'serve', message as Message]),
  results: [],
})

t.test('what is flat comes out as it went in, of whatever length and in whatever alphabet', async (t) => {
  const messages = [
    [],
    [''],
    ['a', '', 'ação', '🦜', 'x'.repeat(100_000)],
    [0, -1, 1.5, 2 ** 53, Number.MAX_SAFE_INTEGER, -0.25],
    [201, Buffer.from([0, 255, 128]), Buffer.alloc(0), 'text', 7, Buffer.alloc(70_000, 1)],
    Array.from({ length: 70_000 }, () => 'a part too many to count'),
  ]
  for (const room of [0, 5]) t.strictSame(through(calls(...messages), room), calls(...messages))
})

t.test('all else comes out too, beside what is flat and in its order', async (t) => {
  const command = { type: 'CreateCharge', accountId: 'acc', amountCents: -(2n ** 70n), reference: undefined }
  const batch: Batch = {
    calls: [
      [2 ** 48 + 7, 'execute', command as unknown as Message],
      [2 ** 48 + 8, 'serve', ['GET', 1]],
      [2 ** 48 + 9, 'query', { type: 'FindAccount', accountId: 'acc' } as unknown as Message],
    ],
    results: [
      [1, 'ok', null],
      [2, 'ok', undefined],
      [3, 'moved', { node: 'node-c', worker: 3 }],
      [4, 'unavailable', 'recovering'],
      [5, 'fault', 'TypeError: we are wrong'],
      [6, 'ok', [200, Buffer.from('body'), 'Name', 'value']],
      [7, 'ok', [{ id: 'a' }, { id: 'b' }]],
      [8, 'ok', [null, 'mixed']],
    ],
  }
  t.strictSame(through(batch), batch)
})

t.test('kinds and outcomes that this build does not know keep what is beside them', async (t) => {
  const batch = {
    calls: [[1, 'watch' as Kind, ['a']] as LinkCall, [2, 'serve', ['b']] as LinkCall],
    results: [[3, 'postponed', null] as unknown as Result, [4, 'ok', ['c']] as Result],
  }
  t.match(through(batch), {
    calls: [
      [1, /^kind /, ['a']],
      [2, 'serve', ['b']],
    ],
    results: [
      [3, /^outcome /, null],
      [4, 'ok', ['c']],
    ],
  })
})

t.test('the memory of a batch is its own: it can be given away', async (t) => {
  const first = writeBatch(calls(['one']))
  const second = writeBatch(calls(['two']))
  structuredClone(first.buffer, { transfer: [first.buffer] })
  t.equal(first.length, 0)
  t.strictSame(readBatch(second), calls(['two']))
})
