import { accept, reject } from '../../../kernel/decision.ts'
import { type Cents, toCents } from '../../../shared/money.ts'
import {
  type ChargeContext,
  type ChargeDecider,
  invalidState,
  rejectNotFound,
  type TransactionDecision,
} from '../../transaction/charge-context.ts'
import { collectedAtOnce } from '../../transaction/collected.ts'
import type { TransactionFact } from '../../transaction/facts.ts'
import type { Transaction, TransactionStatus } from '../../transaction/transaction.ts'
import type { ConfirmTransfers, DropTransfers, ReportTransfer } from './commands.ts'
import { watchedMs } from './create.ts'
import { acceptedUnits, type ChainTransfer, type Crypto, cryptoOf, receivedUnits } from './crypto.ts'
import type { CryptoFact } from './facts.ts'
import { changedTransfer, withTransfer } from './transfers.ts'
import { newTxHash } from './tx-hash.ts'

/** Records a transfer that was seen at the charge's address, and how far it is confirmed. */
export const reportTransfer: ChargeDecider<ReportTransfer> = (transaction, command, chargeContext) =>
  observed(transaction, chargeContext, isCalled(command.txHash), ({ transaction, crypto, see, confirm }) => {
    const { txHash, confirmations } = command
    const known = crypto().transfers.find((transfer) => transfer.txHash === txHash)
    const transfer =
      known === undefined
        ? transferOf(transaction, crypto(), command, chargeContext)
        : { ...known, ...seenNow(transaction, known.asset, chargeContext) }
    // The network may still carry a transfer that it dropped, under the same id.
    if (known === undefined || known.status === 'DROPPED') see(transfer)
    confirm(transfer.txHash, confirmations ?? crypto().requiredConfirmations)
  })

/** Confirms everything that is on its way. */
export const confirmTransfers: ChargeDecider<ConfirmTransfers> = (transaction, _, chargeContext) =>
  observed(transaction, chargeContext, isAny, ({ crypto, confirm }) => {
    for (const { txHash, status } of crypto().transfers)
      if (status === 'SEEN') confirm(txHash, crypto().requiredConfirmations)
  })

/** Marks transfers that the network has dropped. Confirmed transfers stay. */
export const dropTransfers: ChargeDecider<DropTransfers> = (transaction, { txHash }, chargeContext) => {
  const isMeant = txHash === null ? isAny : isCalled(txHash)
  return observed(transaction, chargeContext, isMeant, ({ crypto, drop }) => {
    for (const transfer of crypto().transfers)
      if (transfer.status === 'SEEN' && isMeant(transfer)) drop(transfer.txHash)
  })
}

/** Whether a command reports about this transfer. */
type IsMeant = (transfer: ChainTransfer) => boolean

const isAny: IsMeant = () => true
const isCalled =
  (name: string | null): IsMeant =>
  ({ txHash }) =>
    txHash === name

/** A charge while its transfers are observed: each step adds its facts. */
type Observation = {
  readonly transaction: Transaction
  readonly crypto: () => Crypto
  readonly see: (transfer: ChainTransfer) => void
  readonly confirm: (txHash: string, confirmations: number) => void
  readonly drop: (txHash: string) => void
}

/** Applies reported transfers to a charge, and then decides its status. */
const observed = (
  transaction: Transaction | undefined,
  chargeContext: ChargeContext,
  isMeant: IsMeant,
  observe: (observation: Observation) => void,
): TransactionDecision => {
  let crypto = transaction === undefined ? null : cryptoOf(transaction)
  if (transaction === undefined || crypto === null) return rejectNotFound('crypto_charge')
  const refusal = unwatched(transaction, crypto, chargeContext, isMeant)
  if (refusal !== null) return refusal
  const facts: TransactionFact[] = []
  let { status } = transaction
  const add = (fact: WithoutHead<CryptoFact>): void =>
    void facts.push({ ...fact, ...chargeContext.fact } as TransactionFact)
  const currentCrypto = (): Crypto => crypto!

  const change = (txHash: string, changes: Partial<ChainTransfer>): void => {
    crypto = { ...currentCrypto(), transfers: changedTransfer(currentCrypto().transfers, txHash, changes) }
  }

  observe({
    transaction,
    crypto: currentCrypto,
    see: (transfer) => {
      crypto = { ...currentCrypto(), transfers: withTransfer(currentCrypto().transfers, transfer) }
      status = statusWith(transaction, status, currentCrypto())
      add({ type: 'TransferSeen', transfer, status })
    },
    confirm: (txHash, confirmations) => {
      const transfer = currentCrypto().transfers.find((known) => known.txHash === txHash)!
      if (transfer.status !== 'SEEN' || confirmations <= transfer.confirmations) return
      const isFinal = confirmations >= currentCrypto().requiredConfirmations
      change(txHash, { confirmations, ...(isFinal && { status: 'CONFIRMED' as const }) })
      add({ type: 'TransferConfirmed', txHash, confirmations, isFinal })
    },
    drop: (txHash) => {
      change(txHash, { status: 'DROPPED' })
      status = statusWith(transaction, status, currentCrypto())
      add({ type: 'TransferDropped', txHash, status })
    },
  })

  const isPaid =
    status === 'PROCESSING' &&
    receivedUnits(currentCrypto(), true) >= acceptedUnits(transaction.amountCents, currentCrypto())
  if (isPaid) add(paidWith(transaction, currentCrypto(), chargeContext))
  const { expiresAtMs } = transaction
  const isOver = status === 'PENDING' && expiresAtMs !== null && expiresAtMs <= chargeContext.context.nowMs
  if (isOver) facts.push({ type: 'ChargeExpired', callId: null, ...chargeContext.fact })
  return accept(...facts)
}

type WithoutHead<Fact> = Fact extends CryptoFact ? Omit<Fact, 'actor' | 'id' | 'by' | 'atMs'> : never

/** Why an address is not watched; null if it is. Transfers seen in time are followed to confirmation or drop. */
const unwatched = (
  transaction: Transaction,
  { address, transfers }: Crypto,
  { context }: ChargeContext,
  isMeant: IsMeant,
): TransactionDecision | null => {
  const isOver = context.nowMs >= transaction.createdAtMs + watchedMs
  const isKnown = transfers.some((transfer) => transfer.status !== 'DROPPED' && isMeant(transfer))
  if (address === null || (isOver && !isKnown)) return invalidState(transaction, [])
  return context.institution.outcomes.refusesPayment(transaction)
    ? reject({ reason: 'PAYMENT_REFUSED_BY_SCENARIO' })
    : null
}

/** A charge waits for confirmations while enough was seen in time. */
const statusWith = (
  { amountCents }: Transaction,
  status: TransactionStatus,
  crypto: Crypto,
): TransactionStatus => {
  if (status !== 'PENDING' && status !== 'PROCESSING') return status
  return receivedUnits(crypto) >= acceptedUnits(amountCents, crypto) ? 'PROCESSING' : 'PENDING'
}

const transferOf = (
  transaction: Transaction,
  crypto: Crypto,
  { txHash, asset, units, fromAddress }: ReportTransfer,
  chargeContext: ChargeContext,
): ChainTransfer => {
  const { currency, amountCents } = transaction
  const own = asset ?? (currency as ChainTransfer['asset'])
  const rest = amountCents - receivedUnits(crypto)
  return {
    txHash: txHash ?? newTxHash(crypto.network, chargeContext.context.entropy),
    asset: own,
    units: units ?? (rest > 0 ? toCents(rest) : amountCents),
    fromAddress,
    ...seenNow(transaction, own, chargeContext),
    paidUnits: toCents(0),
  }
}

/** The state of a transfer that is seen now, for the first time or after the network had dropped it. */
const seenNow = (
  { currency, status, expiresAtMs }: Transaction,
  asset: ChainTransfer['asset'],
  { context: { nowMs } }: ChargeContext,
): Pick<ChainTransfer, 'seenAtMs' | 'confirmations' | 'status' | 'isInTime'> => ({
  seenAtMs: nowMs,
  confirmations: 0,
  status: 'SEEN',
  isInTime: asset === currency && payable.includes(status) && (expiresAtMs === null || nowMs < expiresAtMs),
})

/** Transfers to an approved charge count as overpaid while its time lasts. */
const payable: readonly TransactionStatus[] = ['PENDING', 'PROCESSING', 'APPROVED']

/** The charge takes what it asks for, from its confirmed transfers in their order. */
const paidWith = (
  transaction: Transaction,
  crypto: Crypto,
  chargeContext: ChargeContext,
): WithoutHead<CryptoFact> => {
  const paidCents = toCents(Math.min(receivedUnits(crypto, true), transaction.amountCents))
  let left: number = paidCents
  const take = (units: Cents): Cents => {
    const taken = toCents(Math.min(units, left))
    left -= taken
    return taken
  }
  const transfers = crypto.transfers.map((transfer) =>
    transfer.isInTime && transfer.status === 'CONFIRMED'
      ? { ...transfer, paidUnits: take(transfer.units) }
      : transfer,
  )
  return {
    type: 'CryptoPaid',
    paidCents,
    transfers,
    ...collectedAtOnce(transaction, paidCents, chargeContext),
  }
}
