import type { Publishes } from '../../../kernel/event-types.ts'
import { approved, boletoPaid, failed, pending, publishMed } from '../../transaction/publish-payment.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import type { PixFact } from './facts.ts'

/** The public events of PIX. A PIX can also pay a boleto, by its QR code. */
export const pixEvents: Publishes<Transaction, PixFact> = {
  ChargeIssued: pending,
  ChargePaid: (fact, after) => ('boleto' in after.means ? boletoPaid : approved)(fact, after),
  PaymentReturned: null,
  ChargeScheduled: pending,
  ScheduledChargeFailed: failed,
  ChargeCodeReplaced: null,
  RegistrationTimedOut: null,
  ReturnBegun: null,
  ReturnRepeated: null,
  ReturnedInPart: null,
  ReturnCompleted: null,
  ReturnRefused: null,
  MedOpened: ({ med: { id } }, after) => [publishMed('pix.med_opened', after, id)],
  // Merchants get events when a MED opens and closes; its details show the steps between.
  MedBlocked: null,
  MedDefended: null,
  MedDefenseRefused: null,
  MedContested: null,
  MedContestWon: null,
  MedContestLost: null,
  MedClosed: ({ medId }, after) => [publishMed('pix.med_closed', after, medId)],
}
