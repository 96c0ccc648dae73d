import { newChainCheck } from '../../engine/audit/verify.ts'
import { recurringProblems } from '../../engine/billing/figures/recount.ts'
import { movedBy } from '../../engine/crypto/moved.ts'
import type { ActorStates, ListedKind } from '../../engine/kernel/registry.ts'
import { finish } from '../../engine/kernel/work.ts'
import type { Account } from '../../engine/ledger/account.ts'
import { type Balances, type LedgerAccount, ledgerSum } from '../../engine/ledger/postings.ts'
import { owedBy } from '../../engine/marketplace/owed.ts'
import { splitTransferAmountOf } from '../../engine/marketplace/split-transfer.ts'
import { sentBy } from '../../engine/money-out/sent.ts'
import { isSuspended, leftInSuspenseCents } from '../../engine/payments/suspense/suspense.ts'
import { totalsOf } from '../../engine/payments/transaction/figures.ts'
import { anyTransaction, figuresOnly, filterOf } from '../../engine/payments/transaction/filters.ts'
import { scheduledSumOf } from '../../engine/payments/transaction/scheduled.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import { parkedWorkOf } from '../../engine/registry.ts'
import { assets as stablecoins } from '../../engine/shared/asset.ts'
import { type CalendarDate, dateIn } from '../../engine/shared/calendar.ts'
import type { AccountId } from '../../engine/shared/ids.ts'
import type { StoredMemory } from '../shard/memory.ts'
import { idsOf } from './compare.ts'
import type { TransactionWalk } from './transaction-walk.ts'

/** Checks the ledger, the totals of a scan of stored columns, and subscription figures against the states. */
export const sumProblems = (
  accountId: AccountId,
  replayed: StoredMemory,
  stored: StoredMemory,
  { columns, inReais, problems, inStablecoins, divided, parked }: TransactionWalk,
): string[] => {
  const account: Account | undefined = replayed.find('account', accountId)?.state
  if (account === undefined) return [`${accountId}: no account`]
  const states = statesOf(accountId, replayed)
  const onlyOf =
    (ids: readonly string[]): StatesOf =>
    (kind) =>
      kind === 'transaction' ? statesIn(replayed, kind, ids) : states(kind)
  const coins = onlyOf(inStablecoins)
  const sent = sentBy(states('transfer'), 'BRL')
  const owed = owedBy(states('splitTransfer'), onlyOf(divided)('transaction'))
  const every = filterOf(anyTransaction)
  const totals = totalsOf(finish(stored.transactions(accountId, every, figuresOnly)).groups)
  for (const [name, expected] of Object.entries(columns)) {
    const found = totals.reduce((sum, total) => sum + BigInt(total[name as keyof typeof columns]), 0n)
    if (found !== expected)
      problems.push(`${accountId}: columns sum up to ${name} ${found}, transactions to ${expected}`)
  }
  return [
    ...problems,
    ...ledgerProblems(account, coins, inReais, sent, owed.tariffCents),
    ...scheduleProblems(account, stored, states),
    ...assetProblems(account, coins),
    ...timerProblems(account, states, parked),
    ...chainProblems(account, states),
    ...splitProblems(account, states, owed, sent.paidCents),
    ...statementProblems(account, states),
    ...recurringProblems(account, states('subscription'), states('invoice'), states('subscriber')),
  ]
}

/** Checks the ledger in reais against charges, receivables, conversions and transfers. */
const ledgerProblems = (
  { id, balances, schedule, assets = {}, moneyOut, feeDifferences = {} }: Account,
  states: StatesOf,
  { paid, fees, takenBack, suspended, taxesWithheld }: TransactionWalk['inReais'],
  sent: ReturnType<typeof sentBy>,
  payoutTariffCents: bigint,
): string[] => {
  const problems: string[] = []
  if ([balances, ...Object.values(assets)].some((each) => ledgerSum(each) !== 0n))
    problems.push(`${id}: the ledger does not sum to zero`)
  let scheduled = 0n
  for (const month of Object.values(schedule))
    for (const { grossCents, feeCents } of Object.values(month)) scheduled += BigInt(grossCents - feeCents)
  const expect = (name: string, found: bigint, expected: bigint): void => {
    if (found !== expected)
      problems.push(`${id}: ledger account ${name} is ${found}, transactions say ${expected}`)
  }
  const converted = movedBy(states, 'BRL')
  const { exchange, taxes } = converted
  let suspense = suspended
  for (const item of states('suspense')) if (isSuspended(item)) suspense += BigInt(leftInSuspenseCents(item))
  expect('payer', balances.payer, takenBack - paid - suspense)
  expect('suspense', balances.suspense ?? 0n, suspense)
  expect('fees', balances.fees, fees + sent.feeCents + payoutTariffCents + converted.fees)
  expect('receivable', balances.receivable, scheduled)
  expect('taxesWithheld', balances.taxesWithheld ?? 0n, taxesWithheld)
  const differences = Object.values(feeDifferences).flatMap((days) => Object.values<number>(days))
  const feeDifference = differences.reduce((sum, cents) => sum + BigInt(cents), 0n)
  expect('feeDifference', balances.feeDifference ?? 0n, feeDifference)
  const deducted = taxesWithheld + feeDifference
  const elsewhere =
    balances.fees + scheduled + balances.recipients + balances.paidOut + exchange + taxes + deducted
  expect('available and blocked', balances.available + balances.blocked, paid - takenBack - elsewhere)
  expect('exchange', balances.exchange ?? 0n, exchange)
  const planned = moneyOut?.plannedCents ?? 0n
  if (planned !== sent.plannedCents)
    problems.push(`${id}: ${planned} are planned to leave, transfers say ${sent.plannedCents}`)
  return problems
}

/**
 * Checks that the columns have what is to settle on each day, as the account does. A clock that was put back comes to days whose batch has
 * run: of these the columns have the receivables of both.
 */
const scheduleProblems = (
  { id, schedule, profile }: Account,
  stored: StoredMemory,
  states: StatesOf,
): string[] => {
  const hasRun = new Set<CalendarDate>()
  for (const { settledAtMs } of states('batch')) hasRun.add(dateIn(profile.timeZone, settledAtMs))
  const expected = new Map<CalendarDate, bigint>()
  for (const month of Object.values(schedule))
    for (const { date, grossCents, feeCents } of Object.values(month))
      expected.set(date, (expected.get(date) ?? 0n) + BigInt(grossCents - feeCents))
  return [...expected].flatMap(([date, cents]) => {
    if (hasRun.has(date)) return []
    const { grossCents, feeCents } = scheduledSumOf(
      finish(stored.scheduledFigures(id, { from: date, to: date, ahead: null })),
    )
    const found = grossCents - feeCents
    return found === cents ? [] : [`${id}: columns have ${found} for ${date}, the account ${cents}`]
  })
}

type StatesOf = <Kind extends ListedKind>(kind: Kind) => Iterable<ActorStates[Kind]>

const statesOf =
  (accountId: AccountId, memory: StoredMemory): StatesOf =>
  (kind) =>
    statesIn(memory, kind, idsOf(accountId, kind, memory))

const statesIn = function* <Kind extends ListedKind>(
  memory: StoredMemory,
  kind: Kind,
  ids: Iterable<string>,
): Iterable<ActorStates[Kind]> {
  for (const id of ids) yield memory.find(kind, id)!.state
}

/** Checks the ledger of each stablecoin against charges, deposits, conversions and withdrawals. */
const assetProblems = ({ id, assets = {} }: Account, states: StatesOf): string[] =>
  stablecoins.flatMap((asset) => {
    const found: Partial<Balances> = assets[asset] ?? {}
    const moved = movedBy(states, asset)
    const sent = sentBy(states('withdrawal'), asset)
    const of = (name: LedgerAccount): bigint => found[name] ?? 0n
    const problems: string[] = []
    const expect = (name: string, found: bigint, expected: bigint): void => {
      if (found !== expected) problems.push(`${id}: ${name} in ${asset} is ${found}, not ${expected}`)
    }
    expect('ledger account payer', of('payer'), moved.payer)
    expect('ledger account fees', of('fees'), moved.fees + sent.feeCents)
    expect('ledger account exchange', of('exchange'), moved.exchange)
    expect('ledger account paidOut', of('paidOut'), moved.paidOut + sent.paidCents)
    const held = moved.held - sent.paidCents - sent.feeCents
    expect('what is available and blocked', of('available') + of('blocked'), held)
    return problems
  })

/** Checks that the audit log is as it was written. */
const chainProblems = ({ id, audit }: Account, states: StatesOf): string[] => {
  const check = newChainCheck()
  for (const entry of states('auditEntry')) check.add(entry)
  const broken = check.end(audit.entries, audit.headHash)
  if (broken === null) return []
  const what = { CHANGED: 'was changed', UNLINKED: 'does not follow the one before', MISSING: 'is missing' }
  return [
    `${id}: entry ${broken.number} of the audit log${broken.id ? `, ${broken.id},` : ''} ${what[broken.reason]}`,
  ]
}

/** Parked due work, which an operator has to look at. */
const timerProblems = (
  account: Account,
  states: StatesOf,
  transactions: readonly Transaction[],
): string[] => {
  const timed = (
    [
      'subscription',
      'invoice',
      'splitTransfer',
      'cryptoDeposit',
      'conversion',
      'withdrawal',
      'transfer',
    ] as const
  ).map(states)
  const problems: string[] = []
  for (const actors of [[account], transactions, ...timed]) {
    for (const actor of actors) {
      const due = parkedWorkOf(actor)
      if (due !== null) problems.push(`${actor.id}: ${due} was due, and could not be done`)
    }
  }
  return problems
}

/** Checks recipients' balances against their shares, their transfers and the ledger. */
const splitProblems = (
  { id: accountId, balances, sharesToCome = {}, sharesUnmoved = 0n }: Account,
  states: StatesOf,
  owed: ReturnType<typeof owedBy>,
  sentCents: bigint,
): string[] => {
  const problems: string[] = []
  let sum = 0n
  for (const { id, balanceCents, pendingCents } of states('recipient')) {
    sum += BigInt(balanceCents)
    const expected = owed.get(id) ?? { balanceCents: 0, pendingCents: 0 }
    if (balanceCents !== expected.balanceCents)
      problems.push(`${id}: a balance of ${balanceCents}, its parts of payments say ${expected.balanceCents}`)
    if (pendingCents !== expected.pendingCents)
      problems.push(`${id}: ${pendingCents} are pending, transfers say ${expected.pendingCents}`)
  }
  const awaited = [...states('splitTransfer')]
    .filter(({ status, settlementId }) => status === 'AWAITING_FUNDS' && settlementId !== null)
    .reduce((sum, transfer) => sum + BigInt(splitTransferAmountOf(transfer)), 0n)
  const toCome = Object.values<number>(sharesToCome).reduce(
    (sum, cents) => sum + BigInt(cents),
    sharesUnmoved,
  )
  if (awaited !== toCome)
    problems.push(`${accountId}: ${toCome} are to be moved to recipients, transfers say ${awaited}`)
  if (balances.recipients !== sum)
    problems.push(`${accountId}: ledger account recipients is ${balances.recipients}, they say ${sum}`)
  const paidOut = owed.paidOutCents + sentCents
  if (balances.paidOut !== paidOut)
    problems.push(`${accountId}: ledger account paidOut is ${balances.paidOut}, transfers say ${paidOut}`)
  return problems
}

/** Checks that each line of the statement follows from the one before, and the last one is the balance. */
const statementProblems = ({ id, balances, bookings = 0 }: Account, states: StatesOf): string[] => {
  let balance: bigint | null = null
  for (const line of states('statementLine')) {
    const after = BigInt(line.balanceAfter)
    if (balance !== null && balance + BigInt(line.cents) !== after)
      return [`${id}: line ${line.id} of the statement does not follow from the one before`]
    balance = after
  }
  const isWhole = bookings === 0 || balance === null || balance === balances.available
  return isWhole ? [] : [`${id}: the statement ends at ${balance}, the balance is ${balances.available}`]
}
