import { join } from 'node:path'
import type { Account } from '../engine/account/account.ts'
import { type ActorKind, type ListedKind, listedKinds } from '../engine/actors.ts'
import { applyEntry } from '../engine/apply.ts'
import type { AccountId } from '../engine/ids.ts'
import { ledgerSum } from '../engine/ledger.ts'
import { keptCents } from '../engine/transaction/amounts.ts'
import { pack } from './codec.ts'
import type { DataDirectory } from './data-directory.ts'
import { entryLayout } from './entry-layout.ts'
import { openJournal } from './journal.ts'
import { openMemory, type StoredMemory } from './memory.ts'
import { emptyStore, openStore } from './store.ts'

export type VerifyReport = {
  readonly shards: number
  readonly entries: number
  readonly transactions: number
  readonly problems: readonly string[]
}

/**
 * Replays every journal from its first entry and compares: the state that the snapshot and its tail give, the ledger
 * (zero in sum, and equal to what the transactions say), and that every row of an index stands for an actor.
 */
export const verifyDataDirectory = async (data: DataDirectory): Promise<VerifyReport> => {
  const problems: string[] = []
  let entries = 0
  let transactions = 0
  for (let number = 0; number < data.shards; number++) {
    const report = await verifyShard(data.shardPath(number))
    entries += report.entries
    transactions += report.transactions
    problems.push(...report.problems.map((problem) => `shard ${number}: ${problem}`))
  }
  return { shards: data.shards, entries, transactions, problems }
}

const verifyShard = async (path: string): Promise<Omit<VerifyReport, 'shards'>> => {
  const journal = openJournal(join(path, 'journal'), entryLayout, { commits: 0, entries: 0, bytes: 0 })
  const store = openStore(join(path, 'state'), () => 0)
  const problems: string[] = []
  const accounts = new Set<AccountId>()
  let entries = 0
  let transactions = 0
  try {
    const replayed = openMemory(emptyStore(), journal)
    for (const { sequence, record } of journal.replay(0)) {
      entries++
      if (sequence !== entries) problems.push(`entry ${entries} has sequence ${sequence}`)
      accounts.add(record.accountId)
      applyEntry(replayed, sequence, record)
    }
    if (store.sequence() > entries)
      problems.push(`the snapshot is at ${store.sequence()}, the journal ends at ${entries}`)
    const stored = openMemory(store, journal)
    for (const { sequence, record } of journal.replay(store.sequence())) applyEntry(stored, sequence, record)
    for (const accountId of accounts) {
      problems.push(...differences(accountId, replayed, stored), ...ledgerProblems(accountId, replayed))
      transactions += replayed.list(accountId, 'transaction', { offset: 0, limit: 0 }).total
    }
  } catch (error) {
    problems.push(`cannot be replayed: ${error instanceof Error ? error.message : String(error)}`)
  } finally {
    await journal.close()
    await store.close()
  }
  return { entries, transactions, problems }
}

const differences = (accountId: AccountId, replayed: StoredMemory, stored: StoredMemory): string[] => {
  const problems: string[] = []
  const compare = (kind: ActorKind, id: string): void => {
    const expected = replayed.find(kind, id)!
    const found = stored.find(kind, id)
    if (found === undefined) problems.push(`${id}: missing in the stored state`)
    else if (!pack(expected).equals(pack(found)))
      problems.push(`${id}: stored state differs from the journal`)
  }
  compare('account', accountId)
  for (const kind of listedKinds) {
    const expected = idsOf(accountId, kind, replayed)
    if (expected.join() !== idsOf(accountId, kind, stored).join())
      problems.push(`${accountId}: the ${kind} index differs from the journal`)
    for (const id of expected) compare(kind, id)
  }
  return problems
}

const idsOf = (accountId: AccountId, kind: ListedKind, memory: StoredMemory): string[] =>
  memory.list(accountId, kind, { offset: 0, limit: Number.MAX_SAFE_INTEGER }).states.map(({ id }) => id)

/** What the account's books say against what its transactions say. Stablecoins are in none of them. */
const ledgerProblems = (accountId: AccountId, memory: StoredMemory): string[] => {
  const account: Account | undefined = memory.find('account', accountId)?.state
  if (account === undefined) return [`${accountId}: no account`]
  const problems: string[] = []
  const { balances, schedule } = account
  if (ledgerSum(balances) !== 0n) problems.push(`${accountId}: the ledger does not sum to zero`)
  let paid = 0n
  let fees = 0n
  let takenBack = 0n
  for (const transaction of memory.list(accountId, 'transaction', {
    offset: 0,
    limit: Number.MAX_SAFE_INTEGER,
  }).states) {
    if (transaction.currency !== 'BRL') continue
    paid += BigInt(transaction.paidCents)
    fees += BigInt(transaction.feeCents)
    takenBack += BigInt(transaction.paidCents - keptCents(transaction))
  }
  let scheduled = 0n
  for (const month of Object.values(schedule)) {
    for (const { grossCents, feeCents } of Object.values(month)) scheduled += BigInt(grossCents - feeCents)
  }
  const expect = (name: string, found: bigint, expected: bigint): void => {
    if (found !== expected)
      problems.push(`${accountId}: ledger account ${name} is ${found}, transactions say ${expected}`)
  }
  expect('payer', balances.payer, takenBack - paid)
  expect('fees', balances.fees, fees)
  expect('receivable', balances.receivable, scheduled)
  expect('available and blocked', balances.available + balances.blocked, paid - takenBack - fees - scheduled)
  return problems
}
