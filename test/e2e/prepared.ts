import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { DirectoryFact } from '../../engine/companies/directory.ts'
import { evolveDirectory, newDirectory } from '../../engine/companies/evolve.ts'
import { systemEntropy } from '../../gateway/base/entropy.ts'
import { operatorAsks } from '../../gateway/identity/asked.ts'
import { companyOperations } from '../../gateway/operations/account/company-operations.ts'
import { keyOperations } from '../../gateway/operations/developers/key-operations.ts'
import { json } from '../../persistence/codec/layout.ts'
import { claimDataDirectory } from '../../persistence/home/data-directory.ts'
import { makeMasterKey, masterKeyCheck } from '../../persistence/home/master-key.ts'
import { flushedUpTo, openJournal } from '../../persistence/journal/journal.ts'
import { newDataDir, type Scope, type Service } from './service.ts'

/** A data directory whose service has not started yet. */
export type Prepared = Pick<Service, 'dataDir' | 'operate'> & {
  readonly masterKey: Buffer
  /** The ids of its companies. */
  readonly companyIds: () => readonly string[]
  readonly append: (fact: DirectoryFact) => void
  /** Writes what was appended, and leaves the directory to a service. */
  readonly close: () => Promise<void>
}

/**
 * Makes a data directory, and in it companies and keys, by the operations that make them in a service: a story that needs people in the directory
 * starts its service once, and not a second time because of them. Audit logs have nothing of it.
 */
export const prepareDirectory = async (
  t: Scope,
  { shards = 1 }: { readonly shards?: number } = {},
): Promise<Prepared> => {
  const dataDir = newDataDir(t)
  const masterKey = makeMasterKey(join(dataDir, 'master.key'))
  const claimed = await claimDataDirectory(dataDir, null)
  const { directoryPath, release } = await claimed.settle(shards, shards, (id) =>
    masterKeyCheck(masterKey, id),
  )
  await release()
  const directory = newDirectory()
  const facts: DirectoryFact[] = []
  const append = (fact: DirectoryFact): void => {
    evolveDirectory(directory, fact)
    facts.push(fact)
  }
  const options = {
    directory,
    commit: async (decide: () => DirectoryFact | null) => {
      const fact = decide()
      if (fact !== null) append(fact)
    },
    confirm: async () => undefined,
    accounts: { open: async () => true },
    keyUses: { current: async () => new Map() },
    keyLog: async () => [],
    realNow: Date.now,
    entropy: systemEntropy(),
    randomBytes,
    masterKey,
  }
  const operations = { ...companyOperations(options), ...keyOperations(options) }
  return {
    dataDir,
    masterKey,
    operate: (name, input) => operations[name]!({ ...input }, operatorAsks),
    companyIds: () => [...directory.companies.keys()],
    append,
    close: async () => {
      const journal = openJournal<DirectoryFact>(directoryPath, json(), {
        commits: 0,
        entries: 0,
        bytes: 0,
      })
      for (const fact of facts) journal.append(fact)
      await flushedUpTo(journal, facts.length)
      await journal.close()
    },
  }
}
