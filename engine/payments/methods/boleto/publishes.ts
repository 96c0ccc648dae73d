import type { Publishes } from '../../../kernel/event-types.ts'
import { boletoPaid, pending } from '../../transaction/publish-payment.ts'
import type { Transaction } from '../../transaction/transaction.ts'
import type { BoletoFact } from './facts.ts'

/** The public events of boletos. */
export const boletoEvents: Publishes<Transaction, BoletoFact> = {
  BoletoIssued: pending,
  BoletoOverdue: null,
  BoletoPaymentReported: null,
  BoletoCleared: boletoPaid,
}
