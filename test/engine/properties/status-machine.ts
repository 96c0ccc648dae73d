import {
  type Transaction,
  type TransactionStatus,
  transactionStatuses,
} from '../../../engine/payments/transaction/transaction.ts'
import type { Method } from '../../../engine/shared/method.ts'

/**
 * Every step that a transaction may take (decisions, sections 9 to 15): from a status, by a fact, to a status. A step
 * that is not here is none.
 */
const paid = ['APPROVED', 'PARTIALLY_REFUNDED']

/** Facts that leave the status as it is. */
const stays = (types: string, ...statuses: readonly string[]): readonly string[] =>
  types.split(' ').flatMap((type) => statuses.map((status) => `${status} ${type} ${status}`))

const refunds = [
  ...stays('ChargeSent', 'PENDING'),
  ...stays('RefundRequested ProviderCalled ProviderSilent ProviderCalledAgain RefundFailed', ...paid),
  ...paid.flatMap((from) => [
    `${from} RefundCompleted PARTIALLY_REFUNDED`,
    `${from} RefundCompleted REFUNDED`,
  ]),
]

const pix = [
  'CREATED ChargeIssued PENDING',
  'CREATED ChargeRefused FAILED',
  // To the key, without a charge: it is born paid.
  'CREATED ChargePaid APPROVED',
  'PENDING ChargePaid APPROVED',
  'PENDING ChargeExpired EXPIRED',
  'PENDING ChargeCancelled CANCELLED',
  ...stays(
    'PaymentReturned',
    ...['FAILED', 'APPROVED', 'EXPIRED', 'CANCELLED', 'PARTIALLY_REFUNDED', 'REFUNDED'],
  ),
  ...refunds,
  ...stays('MedOpened MedBlocked MedDefended MedClosed', ...paid),
  ...stays('MedContested MedContestWon MedContestLost', 'PARTIALLY_REFUNDED', 'REFUNDED'),
]

const card = [
  'CREATED CardApproved APPROVED',
  'CREATED CardAuthorized AUTHORIZED',
  'CREATED CardDeclined DECLINED',
  'CREATED ChargeRefused FAILED',
  'CREATED AuthorizationPending PROCESSING',
  ...stays('ProviderCalled', 'CREATED', 'FAILED', 'AUTHORIZED'),
  ...stays('ProviderSilent ProviderCalledAgain', 'PROCESSING', 'FAILED', 'AUTHORIZED'),
  'PROCESSING CardApproved APPROVED',
  'PROCESSING CardAuthorized AUTHORIZED',
  'PROCESSING CardDeclined DECLINED',
  'PROCESSING ChargeRefused FAILED',
  'PROCESSING AuthorizationTimedOut FAILED',
  ...stays('AuthorizationReversed', 'FAILED'),
  'AUTHORIZED CardCaptured APPROVED',
  'AUTHORIZED CardVoided CANCELLED',
  'AUTHORIZED ChargeExpired EXPIRED',
  ...stays('CaptureRefused VoidRefused', 'AUTHORIZED'),
  ...refunds,
  ...paid.flatMap((status) => [
    `${status} ChargebackOpened CHARGEBACK`,
    `CHARGEBACK ChargebackWon ${status}`,
  ]),
  ...stays('ChargebackDisputed ChargebackLost', 'CHARGEBACK'),
  // What becomes of refunds that were on their way when it came.
  ...stays('ProviderSilent ProviderCalledAgain RefundCompleted RefundFailed ChargebackGrown', 'CHARGEBACK'),
  'CHARGEBACK ChargebackWon REFUNDED',
  // An instalment of less than a centavo is a receivable of nothing, that nobody takes back.
  ...stays('ReceivablesSettled', 'CHARGEBACK', 'REFUNDED', ...paid),
]

const boleto = [
  'CREATED BoletoIssued PENDING',
  'CREATED ChargeRefused FAILED',
  ...stays('BoletoOverdue', 'PENDING'),
  'PENDING BoletoPaymentReported PROCESSING',
  'PENDING BoletoCleared APPROVED',
  'PROCESSING BoletoCleared APPROVED',
  // By its QR code, in the entry in which it was reported.
  'PROCESSING ChargePaid APPROVED',
  ...stays('PaymentReturned', 'PROCESSING', 'APPROVED', 'EXPIRED', 'CANCELLED'),
  'PENDING ChargeCancelled CANCELLED',
  'PENDING ChargeExpired EXPIRED',
]

const over = ['APPROVED', 'EXPIRED', 'CANCELLED']

const crypto = [
  'CREATED ChargeRefused FAILED',
  'CREATED AddressOpened PENDING',
  ...stays('ProviderCalled', 'CREATED'),
  ...stays('TransferSeen TransferConfirmed TransferDropped', 'PENDING', 'PROCESSING', ...over),
  'PENDING TransferSeen PROCESSING',
  'PROCESSING TransferDropped PENDING',
  'PROCESSING CryptoPaid APPROVED',
  'PENDING ChargeExpired EXPIRED',
  'PENDING ChargeCancelled CANCELLED',
]

const machines: Readonly<Record<Method, ReadonlySet<string>>> = {
  PIX: new Set(pix),
  CREDIT_CARD: new Set(card),
  DEBIT_CARD: new Set(card),
  BOLETO: new Set(boleto),
  CRYPTO: new Set(crypto),
}

/** A seed has any status. What waits for nobody is cancelled at once, and money for it goes back. */
const ofSeeds: ReadonlySet<string> = new Set([
  'CREATED ChargeCancelled CANCELLED',
  'PENDING ChargeCancelled CANCELLED',
  'AUTHORIZED ChargeCancelled CANCELLED',
  'AUTHORIZED ChargeExpired EXPIRED',
  ...stays('PaymentReturned', 'CREATED', 'PROCESSING', 'AUTHORIZED', 'DECLINED', 'CHARGEBACK'),
  // Nothing of what it waits for was seen, and its address takes what comes.
  'PROCESSING TransferSeen PENDING',
  ...stays('TransferSeen TransferConfirmed TransferDropped', ...transactionStatuses),
])

/** What is wrong with the history of a transaction. */
export const historyProblems = (transaction: Transaction): readonly string[] => {
  const { method, timeline, version, status, updatedAtMs } = transaction
  const problems: string[] = []
  const isSeed = timeline[0]!.type === 'TransactionSeeded'
  if (!isSeed && (timeline[0]!.type !== 'ChargeCreated' || timeline[0]!.status !== 'CREATED'))
    problems.push(`begins with ${timeline[0]!.type} ${timeline[0]!.status}`)
  for (const [n, step] of timeline.entries()) {
    if (step.version !== n + 1) problems.push(`step ${n + 1} has version ${step.version}`)
    if (n === 0) continue
    const move = `${timeline[n - 1]!.status} ${step.type} ${step.status}`
    if (step.type === 'PaymentReturned' && step.data.returnReason !== returnReasonAt(step.status))
      problems.push(`returned as ${step.data.returnReason} when ${step.status}`)
    if (!machines[method].has(move) && !(isSeed && ofSeeds.has(move)))
      problems.push(`${method} cannot go ${move}`)
  }
  if (version !== timeline.length) problems.push(`version ${version} of ${timeline.length} steps`)
  if (status !== timeline.at(-1)!.status) problems.push(`${status}, but ${timeline.at(-1)!.status}`)
  if (!isSeed && updatedAtMs !== timeline.at(-1)!.atMs) problems.push('updated at another time')
  if (status === 'CREATED' && !isSeed && !isAskedFor(transaction)) problems.push('CREATED is left visible')
  return problems
}

const returnReasonAt = (status: TransactionStatus): string => {
  if (status === 'EXPIRED') return 'PAID_AFTER_EXPIRY'
  return status === 'CANCELLED' || status === 'FAILED' ? 'PAID_AFTER_CANCELLATION' : 'DUPLICATE_PAYMENT'
}

/** The acquirer is being asked to authorize it, or the chain for an address. */
const isAskedFor = ({ calls }: Transaction): boolean =>
  calls.some(
    ({ operation, dueAtMs }) =>
      (operation === 'AUTHORIZE' || operation === 'OPEN_ADDRESS') && dueAtMs === null,
  )
