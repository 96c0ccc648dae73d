import type { Test } from 'tap'
import { publicEventsOf } from '../../../../engine/events/events-of-entry.ts'
import type { Idempotency } from '../../../../engine/kernel/command.ts'
import type { PublicEvent } from '../../../../engine/kernel/event-types.ts'
import type { Command } from '../../../../engine/kernel/registry.ts'
import { ledgerSum } from '../../../../engine/ledger/postings.ts'
import type { Receivable } from '../../../../engine/ledger/receivable.ts'
import type {
  CaptureCharge,
  DisputeChargeback,
  OpenChargeback,
  ResolveAuthorization,
  ResolveChargeback,
} from '../../../../engine/payments/methods/card/commands.ts'
import type { ProviderAnswer } from '../../../../engine/payments/provider.ts'
import type { CancelCardPayment, ResolveRefund } from '../../../../engine/payments/transaction/commands.ts'
import type { ChargebackId, RefundId, TransactionId } from '../../../../engine/shared/ids.ts'
import { toCents } from '../../../../engine/shared/money.ts'
import { account, newRefundId, type newWorld, ours } from '../../world.ts'

export type World = ReturnType<typeof newWorld>

export const aCapture = (
  transactionId: TransactionId,
  amount: number | null = null,
  idempotency?: Idempotency,
): CaptureCharge => ({
  type: 'CaptureCharge',
  ...ours,
  transactionId,
  amountCents: amount === null ? null : toCents(amount),
  ...(idempotency && { idempotency }),
})

export const aCardCancellation = (
  transactionId: TransactionId,
  idempotency?: Idempotency,
): CancelCardPayment => ({
  type: 'CancelCardPayment',
  ...ours,
  transactionId,
  refundId: newRefundId(),
  address: '192.0.2.1',
  mayRefund: true,
  ...(idempotency && { idempotency }),
})

export const aResolution = (
  transactionId: TransactionId,
  result: ResolveAuthorization['result'],
  providerCode: ResolveAuthorization['providerCode'] = '05',
): ResolveAuthorization => ({
  type: 'ResolveAuthorization',
  ...ours,
  transactionId,
  result,
  providerCode,
})

export const aRefundResolution = (reversalId: RefundId, result: ResolveRefund['result']): ResolveRefund => ({
  type: 'ResolveRefund',
  ...ours,
  reversalId,
  result,
})

export const aChargeback = (
  transactionId: TransactionId,
  amount: number | null = null,
  reason: OpenChargeback['reason'] = null,
): OpenChargeback => ({
  type: 'OpenChargeback',
  ...ours,
  transactionId,
  amountCents: amount === null ? null : toCents(amount),
  reason,
})

export const aDefense = (
  reversalId: ChargebackId,
  text = 'here is what the buyer signed',
): DisputeChargeback => ({
  type: 'DisputeChargeback',
  ...ours,
  reversalId,
  text,
})

export const aVerdict = (
  reversalId: ChargebackId,
  result: ResolveChargeback['result'],
): ResolveChargeback => ({
  type: 'ResolveChargeback',
  ...ours,
  reversalId,
  result,
})

export const aSettling = (transactionId: TransactionId): Command => ({
  type: 'SettleTransaction',
  ...ours,
  transactionId,
})

/** The Sandbox's clock back at real time. */
export const aClockReset: Command = { type: 'ResetClock', ...ours }
/** The Sandbox without its data. */
export const aClearing: Command = { type: 'ClearSandbox', ...ours }

/** An acquirer's yes, with numbers that a test can recognise. */
export const aYes = {
  type: 'DONE',
  evidence: {
    nsu: '123456',
    tid: '10000000000000000001',
    authorizationCode: 'A1B2C3',
    returnCode: '00',
    message: 'approved',
  },
} as const satisfies ProviderAnswer
export const aNo = (message = 'refused'): ProviderAnswer => ({
  type: 'REFUSED',
  refusal: { reason: 'ERROR', message },
})
export const silence: ProviderAnswer = { type: 'SILENT' }

/** Every public event since an entry, as `payment.approved v3 APPROVED` or `settlement.completed 9681 of 1`. */
export const heard = (world: World, since = 0): readonly string[] =>
  world.told.slice(since).flatMap((entry) => publicEventsOf(entry, 0).map(lineOf))

const lineOf = ({ type, subject }: PublicEvent): string => {
  switch (subject.object) {
    case 'transaction':
    case 'med':
      return `${type} v${subject.transaction.version} ${subject.transaction.status}`
    case 'settlement': {
      const { grossCents, feeCents, receivablesCount } = subject.settlement
      return `${type} ${grossCents - feeCents} of ${receivablesCount}`
    }
    default:
      return type
  }
}

/** What the account's ledger says, in centavos. Holds it against itself and against the schedule on the way. */
export const books = (t: Test, world: World, message = 'the books') => {
  const { balances, schedule } = world.account()
  t.equal(ledgerSum(balances), 0n, `${message}: they sum to zero`)
  const scheduled = Object.values(schedule)
    .flatMap((month) => Object.values(month))
    .reduce((sum, { grossCents, feeCents }) => sum + grossCents - feeCents, 0)
  t.equal(balances.receivable, BigInt(scheduled), `${message}: what is receivable is scheduled`)
  const { available, receivable, blocked, fees, payer } = balances
  return {
    available: Number(available),
    receivable: Number(receivable),
    blocked: Number(blocked),
    fees: Number(fees),
    payer: Number(payer),
  }
}

/** Receivables as `CREDIT 1/3 SCHEDULED 3334-133 2026-12-21`. */
export const rowsOf = (receivables: readonly Receivable[]): readonly string[] =>
  receivables.map(
    ({ type, installment, installments, status, grossCents, feeCents, expectedOn }) =>
      `${type} ${installment}/${installments} ${status} ${grossCents}-${feeCents} ${expectedOn}`,
  )

/** As a merchant reads them: with what their batches did meanwhile. */
export const receivablesOf = async (
  world: World,
  transactionId: TransactionId,
): Promise<readonly Receivable[]> => {
  const detail = await world.shard.query({
    type: 'FindTransaction',
    accountId: account,
    transactionId,
    family: null,
  })
  const { transaction, settledAt } = detail!
  return transaction.receivables.map((row) => {
    const settledAtMs = row.settlementId === null ? undefined : settledAt[row.settlementId]
    return row.status === 'SCHEDULED' && settledAtMs !== undefined
      ? { ...row, status: 'SETTLED', settledAtMs }
      : row
  })
}
