import t from 'tap'
import { openShard, providerRequestsOf, replay } from '../../../engine/engine.ts'
import type { ProviderCallRequest } from '../../../engine/kernel/calls.ts'
import type { Entry } from '../../../engine/kernel/entry.ts'
import type { Command } from '../../../engine/kernel/registry.ts'
import type { FlushedEntry } from '../../../engine/kernel/step.ts'
import type { SplitTransfer } from '../../../engine/marketplace/split-transfer.ts'
import { accountIdOf, type TransactionId } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { recordOf } from '../../../gateway/providers/driver.ts'
import { entryLayout } from '../../../persistence/codec/entry.ts'
import { openMemory } from '../../../persistence/shard/memory.ts'
import { emptyStore } from '../../../persistence/snapshot/store.ts'
import { memoryJournal } from '../../persistence/journal/memory-journal.ts'
import { plainProfile } from '../profile.ts'
import { aCharge, companyId, connectedTo, key, seeded } from '../world.ts'
import { aRecipient, aRule, percent } from './fixtures.ts'

const account = accountIdOf(companyId, 'PRODUCTION')
const nowMs = Date.UTC(2026, 10, 20, 12)

/** A process over a journal; the test carries its calls to the bank, or does not. */
const start = (journal: ReturnType<typeof memoryJournal<Entry>>, isBankThere: boolean) => {
  const memory = openMemory(emptyStore(), journal)
  const calls: ProviderCallRequest[] = []
  for (const _ of replay(memory, journal, 0));
  const shard = openShard({
    number: 0,
    journal,
    memory,
    realNow: () => nowMs,
    stopwatch: () => nowMs,
    entropy: seeded(journal.appended() + 1),
    institution: isBankThere ? connectedTo('PIX', 'PAYOUT') : connectedTo('PIX'),
    pause: async () => undefined,
    onDue: () => undefined,
    onFlushed: (entry: FlushedEntry) => {
      calls.push(...providerRequestsOf(entry))
    },
  })
  calls.push(...shard.unansweredCalls())
  journal.flush()
  const told = async (command: Command) => {
    const reply = shard.execute(command)
    journal.flush()
    return reply
  }
  const transfer = (): SplitTransfer =>
    memory.list(account, 'splitTransfer', { offset: 0, limit: 1 }).states[0]!
  return { shard, memory, calls, told, transfer }
}

const paidCharge = async ({ told }: ReturnType<typeof start>): Promise<TransactionId> => {
  const profile = {
    companyId,
    environment: 'PRODUCTION',
    name: 'Loja Demo',
    city: 'Sao Paulo',
    timeZone: 'America/Sao_Paulo',
    ...plainProfile,
  } as const
  await told({ type: 'OpenAccount', accountId: account, by: key, profile })
  const seller = { ...aRecipient(), accountId: account }
  await told(seller)
  const rule = { ...aRule(percent(seller.recipientId, 8000), percent(null, 2000)), accountId: account }
  await told(rule)
  const charge = aCharge({ accountId: account, amountCents: toCents(10_000), splitRuleId: rule.ruleId })
  await told(charge)
  const { transactionId } = charge
  await told({
    type: 'ReceivePix',
    accountId: account,
    by: key,
    transactionId,
    amountCents: null,
    payer: null,
  })
  return transactionId
}

t.test('without a bank a transfer waits, and is sent when a process begins that has one', async (t) => {
  const journal = memoryJournal(entryLayout)
  const before = start(journal, false)
  await paidCharge(before)
  t.match(before.transfer(), { status: 'SCHEDULED', dueCents: 8000 })
  t.strictSame(before.calls, [])
  t.strictSame(start(journal, false).calls, [], 'still none')
  const after = start(journal, true)
  t.match(after.calls, [
    { operation: 'PAY_OUT', amountCents: 8000, beneficiary: { document: '11222333000181' } },
  ])
  t.match(after.transfer(), { status: 'PROCESSING' })
  await after.told(recordOf(after.calls[0]!, { type: 'DONE', evidence: null }))
  t.match(after.transfer(), { status: 'COMPLETED' })
  t.equal(after.memory.find('account', account)!.state.balances.paidOut, 8000n)
})

t.test(
  'after a crash between intent and answer the bank is asked again with the same reference',
  async (t) => {
    const journal = memoryJournal(entryLayout)
    const before = start(journal, true)
    await paidCharge(before)
    const [asked] = before.calls
    const after = start(journal, true)
    t.strictSame(after.calls, [{ ...asked, isResumed: true }])
    await after.told(recordOf(after.calls[0]!, { type: 'DONE', evidence: null }))
    const written = journal.appended()
    await after.told(recordOf(asked!, { type: 'DONE', evidence: null }))
    await after.told(recordOf(asked!, { type: 'REFUSED', refusal: { reason: 'ERROR', message: 'no' } }))
    t.equal(journal.appended(), written, 'answers that come twice change nothing')
    t.strictSame(start(journal, true).calls, [], 'and nothing is asked once it has answered')
  },
)

t.test('what goes back while a transfer waits is not paid out later', async (t) => {
  const journal = memoryJournal(entryLayout)
  const before = start(journal, false)
  const transactionId = await paidCharge(before)
  const refund = {
    type: 'OpenMed',
    accountId: account,
    by: key,
    transactionId,
    amountCents: toCents(1000),
    reason: null,
  } as const
  await before.told(refund)
  const [med] = before.memory.find('transaction', transactionId)!.state.reversals.meds
  await before.told({
    type: 'CloseMed',
    accountId: account,
    by: key,
    reversalId: med!.id,
    result: 'ACCEPTED',
    returnedCents: null,
  })
  t.match(before.transfer(), { status: 'SCHEDULED', dueCents: 7200, reversedCents: 800 })
  t.match(start(journal, true).calls, [{ amountCents: 7200 }])
})
