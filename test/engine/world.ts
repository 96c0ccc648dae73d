import type { FlushedEntry } from '../../engine/apply.ts'
import type { Command } from '../../engine/commands.ts'
import { type AccountId, accountIdOf, type CompanyId, type TransactionId } from '../../engine/ids.ts'
import { toCents } from '../../engine/money.ts'
import { openShard, type Reply, type Shard } from '../../engine/shard.ts'
import type { Transaction } from '../../engine/transaction/transaction.ts'
import { entryLayout } from '../../persistence/entry-layout.ts'
import { openMemory } from '../../persistence/memory.ts'
import { memoryJournal } from '../../persistence/memory-journal.ts'
import { emptyStore } from '../../persistence/store.ts'

/** A shard with a clock, a disk and randomness that the test holds in its hands. Events pass through the codec. */
export const newWorld = () => {
  const journal = memoryJournal(entryLayout)
  const memory = openMemory(emptyStore(), journal)
  const told: FlushedEntry[] = []
  let nowMs = Date.UTC(2026, 10, 20, 12, 0, 0)
  const shard: Shard = openShard({
    journal,
    memory,
    realNow: () => nowMs,
    entropy: seeded(1),
    institution: { ispb: '99999999', pixLocation: 'pix.example.com/qr/v2' },
    pause: async () => undefined,
    onFlushed: (entry) => told.push(entry),
  })

  /** Tells, flushes, and answers. */
  const tell = async (command: Command): Promise<Reply> => {
    const reply = shard.tell(command)
    journal.flush()
    return reply
  }

  return {
    shard,
    journal,
    memory,
    told,
    tell,
    now: () => nowMs,
    pass: (ms: number) => {
      nowMs += ms
    },
    open: () =>
      tell({
        type: 'OpenAccount',
        accountId: account,
        by: key,
        profile: {
          companyId,
          environment: 'SANDBOX',
          name: 'Loja Demo',
          city: 'Sao Paulo',
          timeZone: 'America/Sao_Paulo',
        },
      }),
    /** The transaction of an accepted reply. */
    accepted: async (command: Command): Promise<Transaction> => {
      const reply = await tell(command)
      if (!reply.accepted) throw new Error(`refused: ${reply.rejection.reason}`)
      return reply.state as Transaction
    },
    refused: async (command: Command): Promise<string> => {
      const reply = await tell(command)
      return reply.accepted ? 'accepted' : reply.rejection.reason
    },
  }
}

export const companyId = 'cmp_00000000000000000000000001' as CompanyId
export const account: AccountId = accountIdOf(companyId, 'SANDBOX')
export const key = { kind: 'KEY', id: 'key_1' } as const

let charges = 0
export const newTransactionId = (): TransactionId =>
  `txn_${String(++charges).padStart(26, '0')}` as TransactionId

export const aCharge = (
  change: Partial<Extract<Command, { type: 'CreateCharge' }>> = {},
): Command & {
  transactionId: TransactionId
} => ({
  type: 'CreateCharge',
  accountId: account,
  by: key,
  transactionId: newTransactionId(),
  origin: 'API',
  amountCents: toCents(1990),
  description: null,
  reference: null,
  externalId: null,
  customer: null,
  metadata: {},
  terms: { method: 'PIX', expiresInSeconds: null, due: null },
  ...change,
})

export const aPayment = (transactionId: TransactionId): Command => ({
  type: 'ReceivePix',
  accountId: account,
  by: key,
  transactionId,
  amountCents: null,
  payer: null,
})

/** A PIX to the account's key that belongs to no charge. */
export const anUnrequestedPix = (): Command => ({
  type: 'ReceiveUnrequestedPix',
  accountId: account,
  by: key,
  transactionId: newTransactionId(),
  amountCents: toCents(5),
  payer: null,
})

export const aCancellation = (transactionId: TransactionId): Command => ({
  type: 'CancelCharge',
  accountId: account,
  by: key,
  transactionId,
  family: null,
  reason: null,
})

/** mulberry32: the same numbers for the same seed. */
export const seeded = (seed: number) => {
  let state = seed >>> 0
  return (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (bits ^ (bits >>> 14)) >>> 0
  }
}
