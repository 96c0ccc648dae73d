import { randomBytes } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import type { ListedTransactions, TransactionDetail } from '../../../engine/payments/transaction/queries.ts'
import { type Customer, forgottenCustomer } from '../../../engine/shared/customer.ts'
import { type AccountId, accountIdOf, type TransactionId } from '../../../engine/shared/ids.ts'
import { ownLog } from '../../../persistence/cluster/shard-log.ts'
import { entryLayoutWith } from '../../../persistence/codec/entry.ts'
import type { DataDirectory } from '../../../persistence/home/data-directory.ts'
import { openJournal } from '../../../persistence/journal/journal.ts'
import type { ShardHostOptions } from '../../../persistence/shard/running-shard.ts'
import { openShardHost, type ShardHost } from '../../../persistence/shard/shard-host.ts'
import { repairAll } from '../../../persistence/verify/repair.ts'
import { readSnapshot } from '../../../persistence/verify/snapshot.ts'
import { verifyDataDirectory } from '../../../persistence/verify/verify.ts'
import {
  aCharge,
  account,
  aList,
  aPayment,
  companyId,
  institution,
  opening,
  seeded,
} from '../../engine/world.ts'
import { noWebhooks } from '../no-webhooks.ts'

const zacarias: Customer = { ...forgottenCustomer, name: 'Zacarias Quintela', email: 'zq@example.com' }
const yolanda: Customer = { ...forgottenCustomer, name: 'Yolanda Xavier', email: 'yx@example.com' }

/** A shard whose entries are sealed with a key of each year; `destroy` does what the directory's fact does. */
const newShard = (t: Test) => {
  const path = mkdtempSync(join(tmpdir(), 'forgetting-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  const keys = new Map<number, Uint8Array | null>()
  let nowMs = Date.UTC(2026, 10, 20, 12)
  let isOn = true
  const layout = entryLayoutWith({
    toSeal: ({ atMs }) => {
      if (!isOn) return null
      const number = new Date(atMs).getUTCFullYear()
      if (!keys.has(number)) keys.set(number, randomBytes(32))
      return { number, bytes: keys.get(number)! }
    },
    toOpen: (number) => keys.get(number)!,
  })
  const forgotten = (): ReadonlyMap<AccountId, number> => {
    const years = [...keys].flatMap(([year, key]) => (key === null ? [year] : []))
    return years.length === 0 ? new Map() : new Map([[account, Date.UTC(Math.max(...years) + 1, 0, 1)]])
  }
  const troubles: unknown[] = []
  const open = (bounds: Pick<ShardHostOptions, 'unsavedChangesMax' | 'memoryBytes'> = {}): ShardHost =>
    openShardHost({
      number: 0,
      path,
      realNow: () => nowMs,
      entropy: seeded(7),
      institution,
      stream: noWebhooks,
      hasSubscribers: () => false,
      render: (event) => ({ body: new TextEncoder().encode(event.type), objectId: event.id }),
      openLog: (path) =>
        ownLog(openJournal(join(path, 'journal'), layout, { commits: 0, entries: 0, bytes: 0 })),
      onProviderCall: () => undefined,
      onDue: () => undefined,
      onTrouble: (message, error) => troubles.push([message, error]),
      payersForgotten: forgotten,
      ...bounds,
    })
  return {
    path,
    open,
    troubles,
    setNow: (ms: number) => {
      nowMs = ms
    },
    setOn: (on: boolean) => {
      isOn = on
    },
    destroy: (year: number) => keys.set(year, null),
    verify: async () => {
      const data = { shards: 1, shardPath: () => path } as unknown as DataDirectory
      return (await verifyDataDirectory(data)).problems
    },
  }
}

const found = async (host: ShardHost, search: string): Promise<readonly string[]> => {
  const { rows } = (await host.query(aList({ search }))) as ListedTransactions
  return rows.map(({ id }) => id)
}

/** Waits until a search finds no more than this: the columns are scrubbed in turns of the event loop. */
const foundAfter = async (host: ShardHost, search: string, count: number): Promise<readonly string[]> => {
  for (let turns = 0; turns < 10_000; turns++) {
    const ids = await found(host, search)
    if (ids.length <= count) return ids
    await new Promise(setImmediate)
  }
  return found(host, search)
}

/** Whether the snapshot says that everything that is forgotten is gone from it. */
const isDone = (path: string): Promise<boolean> =>
  readSnapshot(path, async ({ store }) =>
    [...store.tableSnapshots()].some(
      ({ head }) => head.of === 'table' && head.payersForgottenMs !== undefined,
    ),
  )

const customerOf = async (host: ShardHost, transactionId: TransactionId): Promise<Customer | null> => {
  const query = { type: 'FindTransaction', accountId: account, transactionId, family: null } as const
  return ((await host.query(query)) as TransactionDetail).transaction.customer
}

const holds = (path: string, text: string): readonly string[] =>
  readdirSync(path, { recursive: true, encoding: 'utf8' }).filter((name) => {
    try {
      return readFileSync(join(path, name)).toString('latin1').toLowerCase().includes(text.toLowerCase())
    } catch {
      return false
    }
  })

t.test('who paid in a year whose key is destroyed is found and shown no more', async (t) => {
  t.equal(accountIdOf(companyId, 'SANDBOX'), account)
  const shard = newShard(t)
  const host = shard.open()
  await host.execute(opening)
  shard.setOn(false)
  const unsealed = aCharge({ customer: zacarias })
  await host.execute(unsealed)
  shard.setOn(true)
  const [old, paid] = [aCharge({ customer: zacarias }), aCharge({ customer: yolanda })]
  for (const charge of [old, paid]) await host.execute(charge)
  await host.execute(aPayment(paid.transactionId))
  shard.setNow(Date.UTC(2028, 5, 1))
  const later = aCharge({ customer: zacarias })
  await host.execute(later)
  t.same((await found(host, 'quintela')).length, 3)
  t.same(await found(host, 'yx@example.com'), [paid.transactionId])
  t.match(await customerOf(host, paid.transactionId), { name: 'Yolanda Xavier' })

  shard.destroy(2026)
  host.forgetPayers()
  t.equal(await customerOf(host, paid.transactionId), null, 'no cache shows who paid')
  t.same(await foundAfter(host, 'yolanda', 0), [])
  t.same(await foundAfter(host, 'quintela', 2), [later.transactionId, unsealed.transactionId])
  t.same(await found(host, 'zq@example.com'), [later.transactionId, unsealed.transactionId])
  t.equal(await customerOf(host, old.transactionId), null)
  t.match(await customerOf(host, later.transactionId), { name: 'Zacarias Quintela' })
  t.match(await customerOf(host, unsealed.transactionId), { name: 'Zacarias Quintela' })
  while (!(await isDone(shard.path))) await new Promise(setImmediate)
  await host.close()
  t.strictSame(await shard.verify(), [])
  t.strictSame(
    holds(shard.path, 'Yolanda'),
    [],
    'no file of the shard holds a name, not in unused pages either',
  )

  const next = shard.open()
  t.same(await found(next, 'yolanda'), [])
  t.same((await found(next, 'quintela')).length, 2)
  await next.close()
  t.strictSame(await shard.verify(), [])
  t.strictSame(shard.troubles, [])

  t.strictSame(holds(join(shard.path, 'journal'), 'Yolanda'), [])
  rmSync(join(shard.path, 'state'), { recursive: true })
  const rebuilt = shard.open()
  t.same(await found(rebuilt, 'yolanda'), [])
  t.same(await found(rebuilt, 'quintela'), [later.transactionId, unsealed.transactionId])
  await rebuilt.close()
  t.strictSame(await shard.verify(), [])
  t.strictSame(holds(shard.path, 'Yolanda'), [])
})

t.test('a repair, which has no keys, leaves the snapshot of sealed entries to the next start', async (t) => {
  const shard = newShard(t)
  const host = shard.open()
  await host.execute(opening)
  const charge = aCharge({ customer: yolanda })
  await host.execute(charge)
  await host.close()
  const repair = { of: 'SNAPSHOT', shardPath: shard.path } as const
  const published = () =>
    readSnapshot(shard.path, async ({ store }) => [store.progress.published, store.sequence()])
  const [before] = await published()
  t.ok(before! > 0)
  t.match(await repairAll([{ text: '', repair }]), [/state is empty, and the next start makes it again/])
  t.strictSame(await published(), [before, 0], 'no event is told once more')
  t.strictSame(await shard.verify(), [])
  const next = shard.open()
  t.same(await foundAfter(next, 'yolanda', 1), [charge.transactionId])
  await next.close()
  t.strictSame(await shard.verify(), [])
})

t.test('a process that ends on the way goes on in its next life, and keeps within its memory', async (t) => {
  const shard = newShard(t)
  const host = shard.open({ unsavedChangesMax: 20 })
  await host.execute(opening)
  for (let n = 0; n < 200; n++)
    await host.execute(aCharge({ customer: { ...yolanda, email: `yolanda${n}@example.com` } }))
  shard.setNow(Date.UTC(2029, 0, 1))
  t.equal((await found(host, 'yolanda xavier')).length, 200)
  shard.destroy(2026)
  // Begun, and not ended.
  host.forgetPayers()
  await host.close()
  const next = shard.open({ unsavedChangesMax: 20 })
  t.same(await foundAfter(next, 'yolanda', 0), [])
  await next.close()
  t.strictSame(await shard.verify(), [])
  t.strictSame(shard.troubles, [])
  // What was scrubbed after the last snapshot is scrubbed once more.
  const last = shard.open()
  t.same(await foundAfter(last, 'example.com', 0), [])
  await last.close()
})

t.test('segments that left memory are scrubbed, and their filters are those of whom is left', async (t) => {
  const shard = newShard(t)
  const bounds = { unsavedChangesMax: 3000, memoryBytes: 1_000_000 }
  const host = shard.open(bounds)
  await host.execute(opening)
  const inYear = async (name: string, count: number): Promise<void> => {
    for (let n = 0; n < count; n += 100)
      await Promise.all(
        Array.from({ length: 100 }, (_, m) =>
          host.execute(aCharge({ customer: { ...yolanda, name, email: `${name}${n + m}@example.com` } })),
        ),
      )
  }
  await inYear('Yolanda', 9_000)
  shard.setNow(Date.UTC(2029, 0, 1))
  await inYear('Zacarias', 9_000)
  await host.close()
  const next = shard.open(bounds)
  t.same((await found(next, 'yolanda8999@example.com')).length, 1)
  shard.destroy(2026)
  next.forgetPayers()
  while (!(await isDone(shard.path))) await new Promise(setImmediate)
  for (const text of ['yolanda', 'yolanda0@', 'yolanda4096@', 'yolanda8999@'])
    t.same(await found(next, text), [], text)
  t.equal((await found(next, 'zacarias')).length, 200, 'a page of them')
  for (const n of [0, 5000, 8999]) t.equal((await found(next, `zacarias${n}@example.com`)).length, 1)
  await next.close()
  t.strictSame(holds(shard.path, 'yolanda'), [])
  t.strictSame(await shard.verify(), [])
  t.strictSame(shard.troubles, [])
})
