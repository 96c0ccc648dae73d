import { join } from 'node:path'
import type { Account } from '../engine/account/account.ts'
import { type ActorKind, type ListedKind, listedKinds } from '../engine/actors.ts'
import { applyEntry } from '../engine/apply.ts'
import type { AccountId } from '../engine/ids.ts'
import { ledgerSum } from '../engine/ledger.ts'
import { lostCents, refundedCents } from '../engine/transaction/amounts.ts'
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
 * (zero in sum, and equal to what the transactions say that they keep), and that every row of an index stands for an
 * actor.
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

const ledgerProblems = (accountId: AccountId, memory: StoredMemory): string[] => {
  const account: Account | undefined = memory.find('account', accountId)?.state
  if (account === undefined) return [`${accountId}: no account`]
  const problems: string[] = []
  if (ledgerSum(account.balances) !== 0n) problems.push(`${accountId}: the ledger does not sum to zero`)
  let kept = 0n
  let fees = 0n
  const all = { offset: 0, limit: Number.MAX_SAFE_INTEGER }
  for (const transaction of memory.list(accountId, 'transaction', all).states) {
    // Stablecoins are not in this ledger.
    if (transaction.currency !== 'BRL') continue
    kept += BigInt(transaction.paidCents - refundedCents(transaction) - lostCents(transaction))
    fees += BigInt(transaction.feeCents)
  }
  const { available, receivable, blocked } = account.balances
  const found = { ...account.balances, net: available + receivable + blocked }
  const expected = { payer: -kept, fees, net: kept - fees, receivable: scheduledNet(account) }
  for (const [name, cents] of Object.entries(expected)) {
    const balance = found[name as keyof typeof expected]
    if (balance !== cents)
      problems.push(`${accountId}: ledger account ${name} is ${balance}, transactions say ${cents}`)
  }
  return problems
}

const scheduledNet = ({ schedule }: Account): bigint =>
  Object.values(schedule)
    .flatMap((month) => Object.values(month))
    .reduce((sum, { grossCents, feeCents }) => sum + BigInt(grossCents - feeCents), 0n)
