import { publicEventsOf } from '../../engine/events/events-of-entry.ts'
import { clockNow } from '../../engine/kernel/clock.ts'
import type { PublicEvent } from '../../engine/kernel/event-types.ts'
import { type Balances, emptyBalances } from '../../engine/ledger/postings.ts'
import type { PayBoleto } from '../../engine/payments/methods/boleto/commands.ts'
import type { BoletoTerms } from '../../engine/payments/methods/boleto/terms.ts'
import type { OpenChargeback } from '../../engine/payments/methods/card/commands.ts'
import type { CloseMed, OpenMed } from '../../engine/payments/methods/pix/commands.ts'
import type { ChargeDetails } from '../../engine/payments/transaction/details.ts'
import type { Transaction } from '../../engine/payments/transaction/transaction.ts'
import type { SeedTransaction } from '../../engine/sandbox/commands.ts'
import type { MedId, TransactionId } from '../../engine/shared/ids.ts'
import { toCents } from '../../engine/shared/money.ts'
import { eventBody } from '../../gateway/events/body.ts'
import { noPayee } from '../../gateway/resources/payments/fiscal.ts'
import {
  aCharge,
  account,
  aPayment,
  type ChargeChange,
  newTransactionId,
  ours,
  type World,
  withDetails,
} from './world.ts'

/** What stories of a payment's whole life have in common: more commands, what a merchant hears, and the books. */
export const aBoletoPayment = (transactionId: TransactionId, change: Partial<PayBoleto> = {}): PayBoleto => ({
  type: 'PayBoleto',
  ...ours,
  transactionId,
  amountCents: null,
  paidAtMs: null,
  clearing: 'IMMEDIATE',
  ...change,
})

export const aMed = (transactionId: TransactionId, amount: number | null = null): OpenMed => ({
  type: 'OpenMed',
  ...ours,
  transactionId,
  amountCents: amount === null ? null : toCents(amount),
  reason: null,
})

export const aMedDecision = (
  reversalId: MedId,
  result: CloseMed['result'],
  returned: number | null = null,
): CloseMed => ({
  type: 'CloseMed',
  ...ours,
  reversalId,
  result,
  returnedCents: returned === null ? null : toCents(returned),
})

export const aChargeback = (transactionId: TransactionId, amount: number | null = null): OpenChargeback => ({
  type: 'OpenChargeback',
  ...ours,
  transactionId,
  amountCents: amount === null ? null : toCents(amount),
  reason: null,
})

/** A PIX of 10,000 centavos that is paid: the fee of it is 99. */
export const paidPix = async (world: World, change: ChargeChange = {}): Promise<Transaction> => {
  const { id } = await world.accepted(aCharge({ amountCents: toCents(10_000), ...change }))
  return world.accepted(aPayment(id))
}

/** By default an approved PIX of 10,000 centavos, seeded now. */
export const aSeed = (change: Partial<SeedTransaction> & Partial<ChargeDetails> = {}): SeedTransaction => ({
  type: 'SeedTransaction',
  ...ours,
  transactionId: newTransactionId(),
  method: 'PIX',
  origin: 'API',
  status: 'APPROVED',
  currency: 'BRL',
  amountCents: toCents(10_000),
  installments: 1,
  customer: null,
  createdAtMs: null,
  ...withDetails(change),
})

/** The clock, forward to an instant; everything that becomes due happens on the way. */
export const advanceTo = (world: World, iso: string) =>
  world.execute({ type: 'AdvanceClock', ...ours, step: { toMs: Date.parse(iso) } })

/** The environment clock. */
export const clockOf = (world: World): number => clockNow(world.account(), world.now())

/** The metadata by which a merchant asks the Sandbox for a scenario. */
export const scenario = (sandboxScenario: string) => ({ metadata: { sandboxScenario } })

/** What a merchant has heard since the last time it was asked, in order. */
export const listener = (world: World) => {
  let heard = world.told.length
  return (): readonly PublicEvent[] => {
    const entries = world.told.slice(heard)
    heard = world.told.length
    return entries.flatMap((entry) => publicEventsOf(entry, 0))
  }
}

export const typesOf = (events: readonly PublicEvent[]): readonly string[] => events.map(({ type }) => type)

/** `data` of an event as a merchant receives it. */
export const dataOf = (event: PublicEvent | undefined): any =>
  JSON.parse(eventBody(event!, 'SANDBOX', noPayee).toString('utf8')).data

/** Due work that was refused, and is parked: in no story there is any. */
export const putAsideIn = (world: World): readonly string[] =>
  world.told.flatMap(({ steps }) =>
    steps.flatMap(({ event }) => (event.type === 'TimerParked' ? [`${event.id}: ${event.due}`] : [])),
  )

/** Every transaction of the account, newest first. */
export const transactionsOf = (world: World): readonly Transaction[] =>
  world.memory.list(account, 'transaction', { offset: 0, limit: 10_000 }).states

/** What the books have to show for these transactions (decisions, section 16, Ledger), from their amounts alone. */
export const booksFor = (world: World): Balances => {
  const books = { ...emptyBalances }
  for (const t of transactionsOf(world)) {
    if (t.currency !== 'BRL') continue
    const { refunds, chargebacks, meds } = t.reversals
    const completed = sum(refunds.filter(({ status }) => status === 'COMPLETED'))
    const lost = sum(chargebacks.filter(({ status }) => status === 'LOST'))
    const reserved = t.method === 'PIX' ? sum(refunds.filter(({ status }) => status === 'PROCESSING')) : 0
    const contested = meds.reduce((total, med) => total + (med.status === 'OPEN' ? med.blockedCents : 0), 0)
    const disputed = chargebacks
      .filter(({ status }) => status === 'OPEN' || status === 'UNDER_REVIEW')
      .reduce((total, { amountCents, feeCents }) => total + amountCents - feeCents, 0)
    const toCome = t.receivables
      .filter(({ status, settlementId }) => status === 'SCHEDULED' && !isSettled(world, settlementId!))
      .reduce((total, { grossCents, feeCents }) => total + grossCents - feeCents, 0)
    const won = meds.reduce(
      (total, med) => total + (med.contest?.status === 'WON' ? med.returnedCents : 0),
      0,
    )
    books.payer += BigInt(completed + lost - won - t.paidCents)
    books.fees += BigInt(t.feeCents)
    books.blocked += BigInt(reserved + contested + disputed)
    books.receivable += BigInt(toCome)
  }
  books.available = -(books.payer + books.fees + books.blocked + books.receivable)
  return books
}

const isSettled = (world: World, settlementId: string): boolean =>
  world.memory.find('batch', settlementId) !== undefined

const sum = (parts: readonly { readonly amountCents: number }[]): number =>
  parts.reduce((total, { amountCents }) => total + amountCents, 0)

/** The terms of a boleto without anything added or taken off. */
export const plainTerms: Partial<BoletoTerms> = {
  interestBps: 0,
  fineBps: 0,
  discountCents: toCents(0),
  withPix: false,
}
