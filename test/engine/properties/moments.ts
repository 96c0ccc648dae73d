import { boletoOf } from '../../../engine/payments/methods/boleto/boleto.ts'
import { cardOf } from '../../../engine/payments/methods/card/card.ts'
import type { TimelineStep, Transaction } from '../../../engine/payments/transaction/transaction.ts'
import type { Initiator } from '../../../engine/shared/initiator.ts'
import { dayMs } from '../world.ts'

/** What came too early or too late, by the environment clock (decisions, sections 9 to 15). */
export const momentProblems = (transaction: Transaction): readonly string[] =>
  transaction.timeline.filter((step) => !isInTime(transaction, step)).map(({ type }) => `${type} out of time`)

const isInTime = (transaction: Transaction, { type, atMs, actor, data }: TimelineStep): boolean => {
  const { expiresAtMs, approvedAtMs, createdAtMs, reversals } = transaction
  const card = cardOf(transaction)
  const [chargeback] = reversals.chargebacks
  const isByClock = actor.kind === 'CLOCK'
  switch (type) {
    case 'ChargePaid':
    case 'BoletoPaymentReported':
      return expiresAtMs === null || atMs < expiresAtMs || isScenario(actor)
    case 'ChargeExpired':
      return !isByClock || atMs >= expiresAtMs!
    case 'BoletoOverdue':
      return atMs >= boletoOf(transaction)!.lateAtMs!
    case 'CardAuthorized':
      return expiresAtMs === atMs + 7 * dayMs
    case 'ProviderCalled':
      return data.operation !== 'CAPTURE' || expiresAtMs === null || atMs < expiresAtMs
    case 'AuthorizationTimedOut':
      return atMs >= createdAtMs + 15 * 60_000
    case 'RefundRequested': {
      const refund = reversals.refunds.find(({ id }) => id === data.refundId)!
      if (refund.origin === 'MED') return true
      return atMs <= (card === null ? approvedAtMs! + 90 * dayMs : card.capturedAtMs! + 180 * dayMs)
    }
    case 'MedOpened':
      return isScenario(actor) || atMs <= approvedAtMs! + 80 * dayMs
    case 'MedClosed': {
      const med = reversals.meds.find(({ id }) => id === data.medId)!
      return !isByClock || atMs >= med.analysisDueAtMs
    }
    case 'MedContested':
      return atMs <= reversals.meds.find(({ id }) => id === data.medId)!.closedAtMs! + 80 * dayMs
    case 'ChargebackOpened':
      return isScenario(actor) || atMs <= card!.capturedAtMs! + 180 * dayMs
    case 'ChargebackDisputed':
      return atMs <= chargeback!.defenseDueAtMs
    case 'ChargebackLost':
      return data.lostReason !== 'NO_DEFENSE' || atMs > chargeback!.defenseDueAtMs
    default:
      return true
  }
}

/** Sandbox scenarios play by themselves, whenever the service comes to them. */
const isScenario = ({ kind, id }: Initiator): boolean => kind === 'SANDBOX' && id === null
