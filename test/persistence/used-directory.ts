import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Test } from 'tap'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import type { Endpoint } from '../../engine/companies/endpoint.ts'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { Command } from '../../engine/kernel/registry.ts'
import { type AccountId, accountIdOf, type CompanyId, type TransactionId } from '../../engine/shared/ids.ts'
import { shardOf } from '../../gateway/link/router.ts'
import { profileOf } from '../../gateway/operations/accounts.ts'
import { packJournal } from '../../persistence/archive/pack.ts'
import type { BackupJob, Point } from '../../persistence/backup/backup.ts'
import { writeBackup } from '../../persistence/backup/write.ts'
import { ownLog } from '../../persistence/cluster/shard-log.ts'
import { entryLayout } from '../../persistence/codec/entry.ts'
import { json } from '../../persistence/codec/layout.ts'
import { claimDataDirectory } from '../../persistence/home/data-directory.ts'
import { flushedUpTo, openJournal, type StoredJournal } from '../../persistence/journal/journal.ts'
import { openShardHost } from '../../persistence/shard/shard-host.ts'
import { newDataDir } from '../e2e/service.ts'
import { aCompany, anEndpoint } from '../engine/companies/entries.ts'
import { aCharge, aPayment, institution, seeded } from '../engine/world.ts'
import { noWebhooks } from './no-webhooks.ts'

/** A fact of the directory, and when it was decided by the clock of who decided it; null for one that says no time. */
export type TimedFact = { readonly fact: DirectoryFact; readonly atMs: number | null }

/** The clock at the start of every used directory. */
export const startMs = Date.UTC(2026, 10, 20, 12)

/**
 * A data directory of two shards that companies use: they open accounts, charge, are paid, and change. The clock goes on with every
 * step; that of who writes the directory is up to 300 ms off.
 */
export const openUsedDirectory = async (t: Test, seed: number) => {
  const shards = 2
  const dataDir = newDataDir(t)
  const data = await (await claimDataDirectory(dataDir, null)).settle(shards, shards, () => 'key')
  const entropy = seeded(seed)
  const random = (below: number): number => entropy() % below
  let nowMs = startMs
  const journals: StoredJournal[] = []
  const told: (readonly Entry[])[] = []
  const hosts = Array.from({ length: shards }, (_, number) =>
    openShardHost({
      number,
      path: data.shardPath(number),
      realNow: () => nowMs,
      entropy: seeded(seed + number),
      institution,
      unsavedChangesMax: 50,
      stream: noWebhooks,
      hasSubscribers: () => false,
      render: () => ({ body: new Uint8Array(), objectId: '' }),
      openLog: (path) => {
        const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
        journals[number] = journal
        return ownLog(journal)
      },
      onProviderCall: () => undefined,
      onDue: () => undefined,
      onTrouble: (message, error) => t.fail(message, { error }),
    }),
  )
  const directory = openJournal<DirectoryFact>(data.directoryPath, json(), {
    commits: 0,
    entries: 0,
    bytes: 0,
  })
  const facts: TimedFact[] = []
  const endpoints: Endpoint[] = []
  const companies: ReturnType<typeof aCompany>[] = []
  const charges: { readonly accountId: AccountId; readonly id: TransactionId }[] = []

  let isClosed = false
  const close = async (): Promise<void> => {
    if (isClosed) return
    isClosed = true
    for (const journal of journals) told.push([...journal.replay(0)].map(({ record }) => record))
    for (const host of hosts) await host.close()
    await directory.close()
    await data.release()
  }
  t.teardown(close)

  const hostOf = (accountId: AccountId) => hosts[shardOf(accountId, shards)]!
  const execute = (command: Command) => hostOf(command.accountId).execute(command)
  /** The clock of who writes the directory. */
  const thereMs = (): number => nowMs + random(600) - 300

  const append = async (fact: DirectoryFact, atMs: number | null): Promise<void> => {
    const sequence = directory.append(fact)
    facts.push({ fact, atMs })
    await flushedUpTo(directory, sequence)
  }

  const openAccounts = async (company: ReturnType<typeof aCompany>): Promise<void> => {
    const by = { kind: 'OPERATOR', id: null } as const
    for (const environment of ['SANDBOX', 'PRODUCTION'] as const) {
      const accountId = accountIdOf(company.id, environment)
      await execute({ type: 'OpenAccount', accountId, by, profile: profileOf(company, environment) })
    }
    await append({ type: 'AccountsOpened', companyId: company.id, revision: company.revision }, null)
  }

  const newCompany = async (): Promise<void> => {
    const id = `cmp_${String(companies.length + 1).padStart(26, '0')}` as CompanyId
    const atMs = thereMs()
    const company = aCompany({ id, createdAtMs: atMs, updatedAtMs: atMs })
    await append({ type: 'CompanyCreated', company }, atMs)
    await openAccounts(company)
    companies.push(company)
  }

  const changeCompany = async (): Promise<void> => {
    const n = random(companies.length)
    const { id, revision } = companies[n]!
    const changes = { name: `Loja ${random(1000)}` }
    const changed = { ...companies[n]!, ...changes, revision: revision + 1 }
    companies[n] = changed
    const atMs = thereMs()
    await append({ type: 'CompanyChanged', id, changes, atMs }, atMs)
    await openAccounts(changed)
  }

  const newEndpoint = async (): Promise<void> => {
    const companyId = companies[random(companies.length)]!.id
    const hearsAfter = journals[shardOf(accountIdOf(companyId, 'SANDBOX'), shards)]!.appended()
    const atMs = thereMs()
    const endpoint = anEndpoint(endpoints.length + 1, {
      companyId,
      hearsAfter,
      createdAtMs: atMs,
      updatedAtMs: atMs,
    })
    endpoints.push(endpoint)
    await append({ type: 'EndpointCreated', endpoint }, atMs)
  }

  const charge = async (): Promise<void> => {
    const accountId = accountIdOf(companies[random(companies.length)]!.id, 'SANDBOX')
    const n = charges.length
    const command = { ...aCharge(), accountId, idempotency: { key: `key ${n}`, fingerprint: 'f' } }
    charges.push({ accountId, id: command.transactionId })
    if (!(await execute(command)).accepted) throw new Error('a charge is refused')
  }

  const pay = async (): Promise<void> => {
    const { accountId, id } = charges[random(charges.length)]!
    await execute({ ...aPayment(id), accountId } as Command)
  }

  /** Changes a company's connection: in the directory, by a clock that is off by so much, and in its account. */
  const changeConnection = async (
    change: (atMs: number) => DirectoryFact,
    command: Command,
    offMs: number,
  ): Promise<void> => {
    nowMs += 1000
    const atMs = nowMs + offMs
    await append(change(atMs), atMs)
    if (!(await execute(command)).accepted) throw new Error('an account takes no connection')
  }

  /** Some steps at once, so that group commits hold entries of different moments. */
  const load = async (steps: number): Promise<void> => {
    for (let done = 0; done < steps; ) {
      const together: Promise<void>[] = []
      for (let n = 1 + random(12); n > 0; n--, done++) {
        nowMs += random(20)
        const chance = random(100)
        if (companies.length < 2 || chance < 3) together.push(newCompany())
        else if (chance < 5) together.push(changeCompany())
        else if (chance < 7) together.push(newEndpoint())
        else if (chance < 60 || charges.length === 0) together.push(charge())
        else together.push(pay())
      }
      await Promise.all(together)
    }
  }

  return {
    dataDir,
    shards,
    random,
    append,
    changeConnection,
    companies: (): readonly CompanyId[] => companies.map(({ id }) => id),
    load,
    close,
    facts,
    now: () => nowMs,
    /** Packs all but the newest entries of its shards. */
    pack: async (): Promise<void> => {
      for (const { batches, flushed } of journals) await packJournal(batches, flushed() - 20, packedAtOnce)
    },
    pass: (ms: number): void => {
      nowMs += ms
    },
    /** What the journals of the shards have in the end. */
    entries: () => told,
    backup: (after: string | null = null) =>
      backUp(t, dataDir, after, async () => ({ atMs: nowMs, ends: null })),
  }
}

/** Packing that waits for nothing. */
export const packedAtOnce = { pause: async () => undefined, isStopped: () => false }

/** Makes a backup of a data directory in this process. */
export const backUp = async (
  t: Test,
  dataDir: string,
  after: string | null,
  pointNow: () => Promise<Point>,
) => {
  const path = join(newDataDir(t), after === null ? 'full' : 'increment')
  const partial = `${path}.partial`
  mkdirSync(partial)
  const job: BackupJob = {
    path,
    partial,
    dataDir,
    service: '1',
    key: null,
    masterKey: false,
    after,
    verify: true,
  }
  return writeBackup(job, { pointNow, onProgress: () => undefined })
}
