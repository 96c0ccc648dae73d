import t from 'tap'
import { publicEventsOf } from '../../../engine/events/public-events.ts'
import type { ActorState } from '../../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import type { Transfer, Withdrawal } from '../../../engine/money-out/money-out.ts'
import { dueAtMsOf, evolve, kinds, labelOf } from '../../../engine/registry.ts'
import { eventBody } from '../../../gateway/events/body.ts'
import { newsForPeople, newsOf } from '../../../gateway/events/live/news.ts'
import {
  cryptoWithdrawalView,
  withdrawalCsvRows,
} from '../../../gateway/resources/money-out/crypto-withdrawal.ts'
import { transferCsvRows, transferView } from '../../../gateway/resources/money-out/transfer.ts'
import { batchSize, unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { plain, type Recorded, readFixture } from './recorded.ts'

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

const shown = readFixture('money-out-v7-as-shown.json.gz') as Shown

const publishedBy = (entry: FlushedEntry): readonly string[] => [
  ...publicEventsOf(entry, shard)
    .filter(({ subject }) => subject.object === 'transfer' || subject.object === 'crypto_withdrawal')
    .flatMap((event) => [
      eventBody(event, 'SANDBOX').toString(),
      `${newsOf(event).needs}${newsOf(event).text}`,
    ]),
  ...newsForPeople(entry, shard)
    .filter(({ text }) => text.includes('crypto_withdrawal'))
    .map(({ needs, text }) => `${needs}${text}`),
]

const shard = 3

const isTransfer = (out: Transfer | Withdrawal): out is Transfer => out.method !== 'CRYPTO'

const viewOf = (out: Transfer | Withdrawal): object =>
  isTransfer(out) ? transferView(out, (name) => name) : cryptoWithdrawalView(out, (name) => name)

const csvOf = (out: Transfer | Withdrawal): string =>
  isTransfer(out) ? transferCsvRows([out]) : withdrawalCsvRows([out])

const auditedIn = (out: Transfer | Withdrawal): object =>
  isTransfer(out) ? kinds.transfer.auditedFields!(out) : kinds.withdrawal.auditedFields!(out)

for (const [name, { actors, events }] of Object.entries(shown)) {
  t.test(`${name}: transfers and withdrawals are shown as before they were one actor`, async (t) => {
    const { batch } = readFixture(`journal-${name}.json.gz`) as Recorded
    const bytes = Buffer.from(batch, 'base64')
    const states: Record<string, ActorState> = {}
    const published: string[] = []
    for (let n = 0; n < batchSize(bytes); n++) {
      const { events, ...entry } = unpackFromBatch(entryLayout, bytes, n)
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
      const state = states[id] as Transfer | Withdrawal
      const kind = id.startsWith('trf_') ? 'transfer' : 'withdrawal'
      t.strictSame(plain(viewOf(state)), view, id)
      t.equal(csvOf(state), csv, id)
      t.strictSame(plain(Object.entries(auditedIn(state))), audited, id)
      t.strictSame([dueAtMsOf(kind, state), labelOf(kind, state)], [dueAtMs, label], id)
      t.strictSame(state.call === null || state.call.dueAtMs !== null ? [] : [state.call.id], calls, id)
      t.strictSame(state.counts, counts, `${id}, what would be given back of limits`)
    }
  })
}
