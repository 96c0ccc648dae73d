import type { JsMsg } from '@nats-io/jetstream'
import { headers } from '@nats-io/transport-node'
import t from 'tap'
import { messageOf } from '../../../persistence/nats/message.ts'
import { newPlanning } from '../../../persistence/nats/planning.ts'
import type { StreamMessage } from '../../../persistence/stream/stream.ts'

t.test('the body of an event does not hold on to everything that came with it', async (t) => {
  const head = headers()
  head.set('Nats-Msg-Id', 'a1')
  const data = new Uint8Array(65_536).subarray(100, 110)
  const subject = 'pay.events.sandbox.cmp_1.payment.created'
  const { body, type, accountId } = messageOf({ subject, headers: head, data } as unknown as JsMsg)
  t.equal(body.buffer.byteLength, 10)
  t.strictSame([type, accountId], ['payment.created', 'cmp_1/SANDBOX'])
})

const turn = () => new Promise<void>((resolve) => setImmediate(resolve))

/** Events that are handled when the test says so. */
const heldPlanning = () => {
  const handled: string[] = []
  const acknowledged: string[] = []
  const troubles: string[] = []
  const ends = new Map<string, { resolve: () => void; reject: (error: Error) => void }>()
  const take = newPlanning({
    handle: ({ id }: StreamMessage) => {
      handled.push(id)
      return new Promise<void>((resolve, reject) => ends.set(id, { resolve, reject }))
    },
    onTrouble: (error) => troubles.push(String(error)),
    pause: turn,
  })
  return {
    handled,
    acknowledged,
    troubles,
    take: (id: string, company = 'cmp_1', copy = '') => {
      const head = headers()
      head.set('Nats-Msg-Id', id)
      take({
        subject: `pay.events.sandbox.${company}.payment.created`,
        headers: head,
        data: new Uint8Array(),
        ack: () => acknowledged.push(id + copy),
      } as unknown as JsMsg)
    },
    end: async (...ids: string[]) => {
      for (const id of ids) ends.get(id)!.resolve()
      await turn()
    },
    fail: async (id: string) => {
      ends.get(id)!.reject(new Error(`${id} is refused`))
      await turn()
    },
  }
}

t.test('of one account what came meanwhile goes together, in order; others do not wait', async (t) => {
  const { handled, acknowledged, take, end } = heldPlanning()
  take('a1')
  take('a2')
  take('a3')
  take('b1', 'cmp_2')
  t.strictSame(handled, ['a1', 'b1'])
  await end('a1')
  t.strictSame(handled, ['a1', 'b1', 'a2', 'a3'])
  await end('a3')
  take('a4')
  t.strictSame(acknowledged, ['a1', 'a3'])
  await end('a2')
  t.strictSame(handled.at(-1), 'a4')
})

t.test('what could not be handled comes again before what follows it', async (t) => {
  const { handled, acknowledged, troubles, take, end, fail } = heldPlanning()
  take('a1')
  take('a2')
  await fail('a1')
  await turn()
  t.strictSame(handled, ['a1', 'a1'])
  t.strictSame(troubles, ['Error: a1 is refused'])
  await end('a1')
  t.strictSame(handled, ['a1', 'a1', 'a2'])
  await end('a2')
  t.strictSame(acknowledged, ['a1', 'a2'])
})

t.test(
  'an event that is handed out again meanwhile is handled once, and acknowledged as it came last',
  async (t) => {
    const { handled, acknowledged, take, end } = heldPlanning()
    take('a1')
    take('a1', 'cmp_1', ' again')
    await end('a1')
    t.strictSame(handled, ['a1'])
    t.strictSame(acknowledged, ['a1 again'])
  },
)
