import { onThere } from '../../transaction/turn.ts'
import type { PaymentMethod } from '../method.ts'
import { clearBoleto, createBoleto, markOverdue, payBoleto, payBoletoByPix } from './decide.ts'
import { clears, overdue } from './due-work.ts'
import { boletoFee } from './fee.ts'
import { seedBoleto } from './seed.ts'
import { boletoSteps } from './steps.ts'

export const boleto: PaymentMethod<'BOLETO'> = {
  product: 'BOLETO',
  familyOf: () => 'BOLETO',
  feeTerms: boletoFee,
  create: createBoleto,
  deciders: {
    PayBoleto: payBoleto,
    PayBoletoByPix: payBoletoByPix,
    ClearBoleto: onThere(clearBoleto),
    MarkOverdue: onThere(markOverdue),
  },
  steps: boletoSteps,
  dueWork: (transaction) => [overdue(transaction), clears(transaction)],
  keys: ({ boleto, pix }) => [pix?.txid ?? null, boleto.numbers?.ourNumber ?? null],
  refunds: null,
  seed: seedBoleto,
}
