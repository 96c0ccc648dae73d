import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { open } from 'lmdb'
import t, { type Test } from 'tap'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import { extraKey, storedParts } from '../../../persistence/base/columns.ts'
import type { DataDirectory } from '../../../persistence/home/data-directory.ts'
import { openShardHost, type ShardHost } from '../../../persistence/shard/shard-host.ts'
import { verifyShard } from '../../../persistence/verify/shard.ts'
import { verifyDataDirectory } from '../../../persistence/verify/verify.ts'
import {
  aCharge,
  account,
  aList,
  anUnrequestedPix,
  aPayment,
  newTransactionId,
  opening,
  seeded,
} from '../../engine/world.ts'
import { quietHost } from '../quiet-host.ts'

t.setTimeout(300_000)

const folder = (t: Test): string => {
  const path = mkdtempSync(join(tmpdir(), 'cold-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

let entropySeed = 0

const openHost = (path: string, told: string[] = []): ShardHost =>
  openShardHost({
    ...quietHost(path),
    entropy: seeded(++entropySeed),
    onTrouble: (message) => told.push(message),
    // Two segments of transactions.
    memoryBytes: 900_000,
    unsavedChangesMax: 5_000,
  })

const verify = async (path: string): Promise<readonly string[]> => {
  const data = { shards: 1, shardPath: () => path } as unknown as DataDirectory
  return (await verifyDataDirectory(data)).problems
}

const count = 10_000

/** A shard with more transactions than memory has room for, two of which are tried later: the first is paid. */
const filled = async (path: string) => {
  const host = openHost(path)
  await host.execute(opening)
  const ids: TransactionId[] = []
  for (let n = 0; n < count; n += 250) {
    const commands = Array.from({ length: 250 }, (_, m) => aCharge({ externalId: `order-${n + m}` }))
    for (const { transactionId } of commands) ids.push(transactionId)
    await Promise.all(commands.map((command) => host.execute(command)))
  }
  await host.execute(aPayment(ids[7]!))
  await host.close()
  return ids
}

const find = (host: ShardHost, transactionId: TransactionId) =>
  host.query({ type: 'FindTransaction', accountId: account, transactionId, family: null })

const list = (host: ShardHost, externalIds: readonly string[]) => host.query(aList({ externalIds }))

const isServing = async (host: ShardHost): Promise<void> => {
  while (host.state() !== 'SERVING') await new Promise((resolve) => setTimeout(resolve, 5))
}

t.test('what is on disk alone is found, listed and paid as if it were in memory', async (t) => {
  const path = folder(t)
  const ids = await filled(path)
  const host = openHost(path)
  t.match(await find(host, ids[7]!), { transaction: { status: 'APPROVED' } })
  t.match(await find(host, ids[5_000]!), { transaction: { status: 'PENDING' } })
  t.equal(await find(host, newTransactionId()), null)
  const { rows } = await list(host, ['order-5000', 'order-8', 'order-x'])
  t.strictSame(rows.map(({ id }) => id).sort(), [ids[8]!, ids[5_000]!].sort())
  t.match(await host.execute(aPayment(ids[4_100]!)), { accepted: true, state: { status: 'APPROVED' } })
  await host.execute(anUnrequestedPix())
  await host.close()
  t.strictSame(await verify(path), [])
  const again = openHost(path)
  t.match(await find(again, ids[4_100]!), { transaction: { status: 'APPROVED' } })
  await again.close()
})

t.test('damage on disk is found where it is read and never served: the snapshot is made again', async (t) => {
  const path = folder(t)
  const ids = await filled(path)
  const root = open<Buffer, string>({ path: join(path, 'state'), encoding: 'binary', maxDbs: 8 })
  const values = root.openDB<Buffer, number>({ name: 'values', encoding: 'binary' })
  // The columns of rows, which have statistics beside them: one bit of the last byte of each.
  for (const { key, value } of values.getRange()) {
    const segment = Math.floor(key / storedParts)
    if (key % storedParts > 30 || values.get(extraKey(segment, 0)) === undefined) continue
    const bytes = Buffer.from(value)
    bytes[bytes.length - 1]! ^= 1
    await values.put(key, bytes)
  }
  await root.close()
  t.match((await verify(path)).join(), /its values are damaged/)
  const told: string[] = []
  const host = openHost(path, told)
  await isServing(host)
  // The first question finds it, unless the start had to read the segment already, because a last snapshot was late.
  await find(host, ids[5_000]!).catch((error) => t.match(error.message, /is recovering/))
  await isServing(host)
  t.match(
    told.join('\n'),
    /values of a snapshot are damaged at \d+; the snapshot is made again from the journal/,
  )
  t.match(await find(host, ids[5_000]!), { transaction: { status: 'PENDING' } })
  t.match(await find(host, ids[7]!), { transaction: { status: 'APPROVED' } })
  await host.close()
  t.strictSame(await verify(path), [])
})

t.test('a journal far ahead of its snapshot is read in slices, with snapshots on the way', async (t) => {
  const path = folder(t)
  await filled(path)
  rmSync(join(path, 'state'), { recursive: true })
  const host = openHost(path)
  t.equal(host.state(), 'READING', 'it does not answer before it has read everything')
  await isServing(host)
  t.equal((await list(host, ['order-9999'])).rows.length, 1)
  await host.close()
  t.strictSame(await verify(path), [])
})

t.test('a verification replays what does not fit into its memory on the disk', async (t) => {
  const path = folder(t)
  await filled(path)
  const scratch = mkdtempSync(join(tmpdir(), 'scratch-'))
  t.teardown(() => rmSync(scratch, { recursive: true, force: true }))
  const before = process.env.TMPDIR
  process.env.TMPDIR = scratch
  t.teardown(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  let foldersMax = 0
  const reporter = {
    isDue: () => true,
    report: async () => {
      foldersMax = Math.max(foldersMax, readdirSync(scratch).length)
    },
  }
  const place = { path: join(path, 'journal'), identity: null, kind: 'OWN', isInUse: false } as const
  const shard = {
    shardPath: path,
    number: 0,
    place,
    since: null,
    bounds: { unsavedMax: 3000, memoryBytes: 900_000 },
  }
  const report = await verifyShard(shard, reporter)
  t.strictSame(report.problems, [])
  t.equal(report.transactions, count)
  t.equal(foldersMax, 1, 'it had a folder of its own')
  t.strictSame(readdirSync(scratch), [], 'which is gone')
  const { digest } = await verifyShard({ shardPath: path, number: 0, place, since: null }, reporter)
  t.equal(digest, report.digest, 'and found the same states as one in memory')
})
