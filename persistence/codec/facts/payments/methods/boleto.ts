import type {
  Boleto,
  BoletoNumbers,
  BoletoPayment,
} from '../../../../../engine/payments/methods/boleto/boleto.ts'
import { bool, nullable, number, record, text } from '../../../layout.ts'
import { dateLayout, issuerSince9 } from '../../shared.ts'
import { factHead, receivablesLayout } from '../parts.ts'
import type { MethodLayouts } from './method-layouts.ts'
import { pixLayout } from './pix.ts'

const boletoNumbersLayout = record<BoletoNumbers>({
  bankCode: text(),
  ourNumber: text(),
  barCode: text(),
})

const boletoPaymentLayout = record<BoletoPayment>({
  paidAtMs: number(),
  paidCents: number(),
  fineCents: number(),
  interestCents: number(),
  discountCents: number(),
  clearsAtMs: number(),
})

const boletoLayout = record<Boleto>({
  dueDate: dateLayout,
  interestBps: number(),
  fineBps: number(),
  discountCents: number(),
  instructions: nullable(text()),
  numbers: nullable(boletoNumbersLayout),
  lateAtMs: nullable(number()),
  overdue: bool,
  payment: nullable(boletoPaymentLayout),
  issuer: issuerSince9,
})

export const boletoLayouts = {
  means: {
    tag: 2,
    isOf: (means) => 'boleto' in means,
    layout: record({ boleto: boletoLayout, pix: nullable(pixLayout) }),
  },
  facts: {
    BoletoIssued: [
      3,
      {
        ...factHead,
        numbers: boletoNumbersLayout,
        pix: nullable(pixLayout),
        lateAtMs: number(),
        expiresAtMs: number(),
        issuer: issuerSince9,
      },
    ],
    BoletoOverdue: [9, factHead],
    BoletoPaymentReported: [10, { ...factHead, payment: boletoPaymentLayout }],
    BoletoCleared: [
      11,
      { ...factHead, payment: boletoPaymentLayout, feeCents: number(), receivables: receivablesLayout },
    ],
  },
} satisfies MethodLayouts<'BOLETO'>
