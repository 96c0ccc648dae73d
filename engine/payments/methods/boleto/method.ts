import { onExisting } from '../../transaction/charge-context.ts'
import type { PaymentMethod } from '../method.ts'
import type { Pix } from '../pix/pix.ts'
import type { Boleto } from './boleto.ts'
import { boletoBookings } from './bookings.ts'
import type { BoletoCommand } from './commands.ts'
import { clearBoleto, createBoleto, markOverdue, payBoleto, payBoletoByPix } from './decide.ts'
import { clearingTimer, overdueTimer } from './due-work.ts'
import { boletoEvolvers } from './evolve.ts'
import type { BoletoFact } from './facts.ts'
import { boletoFeeTerms } from './fee.ts'
import { boletoEvents } from './publishes.ts'
import { seedBoleto } from './seed.ts'
import { boletoStepNames } from './step-names.ts'
import type { BoletoTerms } from './terms.ts'

declare module '../../../shared/method.ts' {
  interface Methods {
    readonly BOLETO: {
      /** Without PIX it can only be paid by its bar code. */
      readonly means: { readonly boleto: Boleto; readonly pix: Pix | null }
      readonly terms: BoletoTerms
      readonly commands: BoletoCommand
      readonly facts: BoletoFact
      readonly rail: 'BOLETO'
      readonly family: 'BOLETO'
    }
  }
}

export const boletoMethod: PaymentMethod<'BOLETO'> = {
  rail: 'BOLETO',
  names: { en: 'Boleto', pt: 'Boleto' },
  stepNames: boletoStepNames,
  familyOf: () => 'BOLETO',
  feeTerms: boletoFeeTerms,
  create: createBoleto,
  deciders: {
    PayBoleto: payBoleto,
    PayBoletoByPix: payBoletoByPix,
    ClearBoleto: onExisting(clearBoleto),
    MarkOverdue: onExisting(markOverdue),
  },
  evolvers: boletoEvolvers,
  publishes: boletoEvents,
  bookings: boletoBookings,
  dueWork: (transaction) => [overdueTimer(transaction), clearingTimer(transaction)],
  keys: ({ boleto, pix }) => [pix?.txid ?? null, boleto.numbers?.ourNumber ?? null],
  reference: ({ boleto }) => boleto.numbers?.ourNumber ?? null,
  // What was paid by its QR code is a PIX to banks, and so to the documents.
  fiscalMeans: ({ boleto, pix }) =>
    pix?.payment == null
      ? { by: 'BOLETO', key: boleto.numbers?.ourNumber ?? null }
      : { by: 'PIX_BY_CHARGE', key: pix.txid },
  refunds: null,
  seed: seedBoleto,
}
