import t from 'tap'
import { publicEventsOf } from '../../../engine/events/events-of-entry.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { ActorState, Command } from '../../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import type { MoneyOut, Transfer } from '../../../engine/money-out/money-out.ts'
import { definitionOf, dueAtMsOf, evolve, kinds } from '../../../engine/registry.ts'
import type { TransferId, WithdrawalId } from '../../../engine/shared/ids.ts'
import { eventBody } from '../../../gateway/events/body.ts'
import { newsForPeople, newsOf } from '../../../gateway/events/live/news.ts'
import { rfc4180 } from '../../../gateway/resources/csv-format.ts'
import { cryptoWithdrawal, withdrawalCsv } from '../../../gateway/resources/money-out/crypto-withdrawal.ts'
import { transferCsv, transferResource } from '../../../gateway/resources/money-out/transfer.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import { newWorld } from '../../engine/world.ts'
import { entriesOf, plain, type Recorded, readFixture } from './recorded.ts'

/** What the last program that had facts of transfers and facts of withdrawals showed of its own recordings, and of those before it. */
type Shown = Readonly<
  Record<
    string,
    {
      /** Bodies of public events and news of the dashboard, in order. */
      readonly events: readonly string[]
      readonly actors: Readonly<
        Record<
          string,
          {
            readonly view: object
            readonly csv: string | null
            readonly audited: readonly (readonly [string, unknown])[]
            readonly dueAtMs: number | null
            readonly label: string
            readonly calls: readonly string[] | null
            readonly counts: readonly object[] | null
          }
        >
      >
    }
  >
>

/** Documents were masked in another way then. */
const shown = JSON.parse(
  JSON.stringify(readFixture('money-out-v7-as-shown.json.gz')).replaceAll(
    '11**********81',
    '**.222.333/****-**',
  ),
) as Shown

const publishedBy = (entry: FlushedEntry): readonly string[] => [
  ...publicEventsOf(entry, shard)
    .filter(({ subject }) => subject.object === 'transfer' || subject.object === 'crypto_withdrawal')
    .flatMap((event) => [
      eventBody(event, 'SANDBOX', noPayee).toString(),
      `${newsOf(event).needs}${newsOf(event).text}`,
    ]),
  ...newsForPeople(entry, shard)
    .filter(({ text }) => text.includes('crypto_withdrawal'))
    .map(({ needs, text }) => `${needs}${text}`),
]

const shard = 3

const isTransfer = (out: MoneyOut): out is Transfer => out.method !== 'CRYPTO'

const viewOf = (out: MoneyOut): object =>
  isTransfer(out) ? transferResource.view(out, (name) => name) : cryptoWithdrawal.view(out, (name) => name)

const csvOf = (out: MoneyOut): string =>
  isTransfer(out) ? transferCsv.rowsOf([out], rfc4180) : withdrawalCsv.rowsOf([out], rfc4180)

const auditedIn = (out: MoneyOut): object =>
  isTransfer(out) ? kinds.transfer.auditedFields!(out) : kinds.withdrawal.auditedFields!(out)

for (const [name, { actors, events }] of Object.entries(shown)) {
  t.test(`${name}: transfers and withdrawals are shown as before they were one actor`, async (t) => {
    const recorded = readFixture(`journal-${name}.json.gz`) as Recorded
    const states: Record<string, ActorState> = {}
    const published: string[] = []
    for (const [n, { events, ...entry }] of entriesOf(recorded).entries()) {
      const steps = events.map((event) => {
        const after = evolve(states[event.id], event)
        states[event.id] = after
        return { event, after }
      })
      published.push(...publishedBy({ ...entry, sequence: n + 1, steps }))
    }
    t.strictSame(published, events)
    for (const [id, { view, csv, audited, dueAtMs, label, calls, counts }] of Object.entries(actors)) {
      if (!/^(trf|wdr)_/.test(id)) continue
      const state = states[id] as MoneyOut
      const kind = id.startsWith('trf_') ? 'transfer' : 'withdrawal'
      t.strictSame(plain(viewOf(state)), view, id)
      t.equal(csvOf(state), csv, id)
      t.strictSame(plain(Object.entries(auditedIn(state))), audited, id)
      t.strictSame([dueAtMsOf(kind, state), definitionOf(kind).label?.(state) ?? null], [dueAtMs, label], id)
      t.strictSame(state.call === null || state.call.dueAtMs !== null ? [] : [state.call.id], calls, id)
      t.strictSame(state.counts, counts, `${id}, what would be given back of limits`)
    }
  })
}

/** The entries up to each one that left money on its way out, with the payment. */
const onTheirWay = (entries: readonly Entry[]): readonly (readonly [readonly Entry[], MoneyOut])[] => {
  const states: Record<string, ActorState> = {}
  return entries.flatMap(({ events }, n) => {
    for (const event of events) states[event.id] = evolve(states[event.id], event)
    const id = events.find(({ actor }) => actor === 'transfer' || actor === 'withdrawal')?.id
    const out = id === undefined ? undefined : (states[id] as MoneyOut)
    return out?.call?.dueAtMs === null ? [[entries.slice(0, n + 1), out] as const] : []
  })
}

t.test('what was on its way out then is asked for with its reference, and leaves once', async (t) => {
  const ways = Object.keys(shown).flatMap((name) =>
    onTheirWay(entriesOf(readFixture(`journal-${name}.json.gz`) as Recorded)),
  )
  for (const [entries, { id, accountId, method, call, version }] of ways) {
    const isChain = method === 'CRYPTO'
    const yes = isChain ? ({ type: 'CONFIRMED', txHash: '0xff' } as const) : ({ type: 'DONE' } as const)
    const world = newWorld(undefined, undefined, entries, undefined, async () => ({ type: 'SILENT' }))
    const references = world.shard.unansweredCalls().map(({ reference }) => reference)
    t.strictSame(
      references.filter((reference) => reference.startsWith(id)),
      [call!.id],
    )
    const target = isChain ? { withdrawalId: id as WithdrawalId } : { transferId: id as TransferId }
    const by = { kind: 'PROVIDER', id: null } as const
    const answered = {
      type: 'RecordMoneyOut',
      accountId,
      by,
      ...target,
      callId: call!.id,
      answer: yes,
    } as const
    for (const command of [answered, answered, answered]) {
      const reply = world.shard.execute(command)
      world.journal.flush()
      t.ok((await reply).accepted)
    }
    const after = world.memory.find(isChain ? 'withdrawal' : 'transfer', id)!.state
    t.match(after, { status: 'COMPLETED', call: null, version: version + 1 }, id)
    const steps = [...world.journal.replay(0)].flatMap(({ record }) =>
      record.events.flatMap((event) =>
        event.type === 'MoneyOutBooked' && event.paymentId === id ? [event.step] : [],
      ),
    )
    const taken = steps.filter((step) => step !== 'PLANNED' && step !== 'COUNTED' && step !== 'UNCOUNTED')
    t.strictSame(taken, ['RESERVED', 'PAID'], id)
  }
  t.ok(ways.length > 20, `${ways.length} times`)
})

t.test('a key under which money was sent then still stands for that payment', async (t) => {
  let replays = 0
  for (const name of Object.keys(shown)) {
    const entries = entriesOf(readFixture(`journal-${name}.json.gz`) as Recorded)
    for (const [n, { events, idempotency, accountId }] of entries.entries()) {
      const created = events.find(({ type }) => type === 'MoneyOutCreated')
      if (created === undefined || idempotency === undefined) continue
      replays += 1
      const world = newWorld(undefined, undefined, entries.slice(0, n + 1))
      const { id } = created
      const target = id.startsWith('wdr_')
        ? { type: 'CreateWithdrawal', withdrawalId: `wdr_${'9'.repeat(26)}` }
        : { type: 'CreateTransfer', transferId: `trf_${'9'.repeat(26)}` }
      const by = { kind: 'PERSON', id: 'per_ana' } as const
      const reply = await world.shard.execute({ ...target, accountId, by, idempotency } as Command)
      t.match(reply, { accepted: true, replayed: true, state: { id } }, `${name}: ${idempotency.key}`)
    }
  }
  t.ok(replays > 4, `${replays} times`)
})
