import { cpSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import { noDetails } from '../../engine/payments/transaction/details.ts'
import { recordText } from '../../persistence/cluster/directory-record.ts'
import { clusterFormat } from '../../persistence/cluster/formation.ts'
import { type LogRecord, packRecord, placedAt } from '../../persistence/cluster/record.ts'
import { openReplicaStore, positionAfter } from '../../persistence/cluster/replica-store.ts'
import { packBatch } from '../../persistence/codec/codec.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { json, type Layout, text } from '../../persistence/codec/layout.ts'
import { claimDataDirectory, openStoredDirectory } from '../../persistence/home/data-directory.ts'
import { clusterId, DataDirectoryRefusal, type Home } from '../../persistence/home/manifest.ts'
import { makeMasterKey, masterKeyCheck } from '../../persistence/home/master-key.ts'
import { flushedUpTo, openJournal } from '../../persistence/journal/journal.ts'
import { openReadLog } from '../../persistence/verify/log.ts'
import { repairAll } from '../../persistence/verify/repair.ts'
import { verifyStoredDirectory } from '../../persistence/verify/verify.ts'
import { aCompany, aKey, anEndpoint } from '../engine/companies/entries.ts'
import { aCharge, aPayment, companyId, opened } from '../engine/world.ts'

export type Scope = { readonly teardown: (end: () => unknown) => void }

export const newFolder = (t: Scope): string => {
  const path = mkdtempSync(join(tmpdir(), 'stored-directory-'))
  t.teardown(() => rmSync(path, { recursive: true, force: true }))
  return path
}

/** A data directory of two shards, of a service alone or of a node, as a stopped service leaves it. */
export const makeStoredDirectory = async (t: Scope, home: Home | null = null): Promise<string> => {
  const path = join(newFolder(t), 'data')
  const claimed = await claimDataDirectory(path, home)
  const key = makeMasterKey(join(path, 'master.key'))
  const data = await claimed.settle(2, 2, (id) => masterKeyCheck(key, id))
  const facts: readonly DirectoryFact[] = [
    { type: 'CompanyCreated', company: aCompany({ id: companyId }) },
    ...Array.from({ length: 20 }, (_, n) => ({ type: 'KeyCreated', key: aKey(n) }) as const),
    { type: 'EndpointCreated', endpoint: anEndpoint() },
  ]
  if (home === null) await writeJournal(data.directoryPath, json<DirectoryFact>(), facts)
  else
    await writeJournal(
      data.directoryPath,
      text(),
      recordsOf(facts, home, masterKeyCheck(key, clusterId(home.cluster))),
    )
  for (const [number, charges] of [60, 20].entries()) {
    const shardPath = data.shardPath(number)
    const entries = await entriesOf(charges)
    if (home === null) await writeJournal(join(shardPath, 'journal'), entryLayout, entries)
    else await writeLog(join(shardPath, 'log'), entries)
    await repairAll([{ text: '', repair: { of: 'SNAPSHOT', shardPath } }])
  }
  await data.release()
  return path
}

const entriesOf = async (charges: number): Promise<readonly Entry[]> => {
  const world = await opened()
  for (let n = 0; n < charges; n++) {
    const charge = aCharge({ details: { ...noDetails, description: `Pedido ${n} de teste` } })
    await world.execute(charge)
    if (n % 3 === 0) await world.execute(aPayment(charge.transactionId))
  }
  return [...world.journal.replay(0)].map(({ record }) => record)
}

/** Batches of one to seven. */
const batched = <Value>(values: readonly Value[]): readonly (readonly Value[])[] => {
  const batches: Value[][] = []
  for (let at = 0, n = 1; at < values.length; at += n, n = (n % 7) + 1) batches.push(values.slice(at, at + n))
  return batches
}

const writeJournal = async <Value>(
  path: string,
  layout: Layout<Value>,
  values: readonly Value[],
): Promise<void> => {
  const journal = openJournal(path, layout, { commits: 0, entries: 0, bytes: 0 })
  for (const batch of batched(values)) {
    for (const value of batch) journal.append(value)
    await flushedUpTo(journal, journal.appended())
  }
  await journal.close()
}

const writeLog = async (path: string, entries: readonly Entry[]): Promise<void> => {
  const store = openReplicaStore(path)
  const by = { node: 'a', incarnation: '1' }
  const append = (kind: LogRecord['kind'], batch: readonly Entry[]): Promise<void> => {
    const { applied, head: previous, epoch, entries: before } = store.position()
    const record = { by, previous, first: before + 1, count: batch.length, published: before, to: null }
    const bytes = packRecord(
      { ...record, kind, epoch: kind === 'CLAIM' ? epoch + 1 : epoch },
      batch.length === 0 ? null : packBatch(entryLayout, batch),
    )
    const placed = placedAt(applied + 1, bytes)
    return store.write([placed], positionAfter(store.position(), placed)!)
  }
  await append('CLAIM', [])
  for (const batch of batched(entries)) {
    await append('BATCH', batch)
    await append('BATCH', [])
  }
  await store.close()
}

const recordsOf = (facts: readonly DirectoryFact[], { node }: Home, keyCheck: string): string[] => {
  const texts: string[] = []
  const formed = {
    type: 'ClusterFormed',
    shards: 2,
    masterKeyCheck: keyCheck,
    format: clusterFormat,
  } as const
  for (const fact of [formed, ...facts])
    texts.push(recordText({ id: `${texts.length}`, node, fact }, texts.at(-1) ?? null))
  return texts
}

/** What `payments verify` says of a data directory, and what `--repair` does. A refusal is a problem, too. */
export const verified = async (path: string, repair = false) => {
  const data = await openStoredDirectory(path, repair ? 'STOPPED' : 'LOOK').catch((error: unknown) => {
    if (error instanceof DataDirectoryRefusal) return error.message
    throw error
  })
  if (typeof data === 'string') return { problems: [data], digests: [], repaired: [] }
  const look = () => verifyStoredDirectory(data, join(path, 'master.key'))
  try {
    let report = await look()
    const repaired = repair ? await repairAll(report.problems) : []
    if (repair) report = await look()
    return { problems: report.problems.map(({ text }) => text), digests: report.digests, repaired }
  } finally {
    await data.release()
  }
}

/** The facts of the directory, as they are stored. */
export const factsIn = async (path: string): Promise<readonly string[]> => {
  const place = { path: join(path, 'directory'), identity: null, kind: 'OWN', isInUse: false } as const
  const log = openReadLog(place, text())
  if ('text' in log) throw new Error(log.text)
  const facts = [...log.journal.replay(0)].map(({ record }) => record)
  await log.source.close()
  return facts
}

/** A copy to damage. */
export const copyOf = (t: Scope, path: string): string => {
  const copy = join(newFolder(t), 'data')
  cpSync(path, copy, { recursive: true })
  return copy
}

/** The files of a data directory that hold what is stored. */
export const filesIn = (path: string): readonly string[] =>
  (readdirSync(path, { recursive: true }) as string[])
    .filter((name) => statSync(join(path, name)).isFile() && !name.endsWith('lock.mdb'))
    .sort()

/** The bytes and times of everything below a path. */
export const tracesOf = (path: string): readonly string[] =>
  ['.', ...(readdirSync(path, { recursive: true }) as string[])].sort().map((name) => {
    const file = join(path, name)
    const { mtimeMs, ctimeMs, size } = statSync(file)
    const bytes = statSync(file).isFile() ? readFileSync(file, 'base64') : ''
    return [name, mtimeMs, ctimeMs, size, bytes].join(' ')
  })
