import type {
  Boleto,
  BoletoNumbers,
  BoletoPayment,
} from '../../../../engine/payments/methods/boleto/boleto.ts'
import type { AcquirerData, Card } from '../../../../engine/payments/methods/card/card.ts'
import type { Pix, PixPayment } from '../../../../engine/payments/methods/pix/pix.ts'
import type { Means } from '../../../../engine/payments/transaction/transaction.ts'
import {
  bool,
  enumeration,
  json,
  type Layout,
  type Missing,
  nullable,
  number,
  record,
  repeatedText,
  text,
} from '../../layout.ts'
import { dateLayout, payerLayout } from '../shared.ts'

export const pixPaymentLayout = record<PixPayment>({
  receivedPixId: repeatedText(),
  endToEndId: repeatedText(),
  payer: payerLayout,
  payerMatchesCustomer: nullable(bool),
  paidAtMs: number(),
})

export const pixLayout = record<Pix>({
  txid: nullable(text()),
  copyPaste: nullable(text()),
  keyId: text(),
  type: enumeration({ IMMEDIATE: 1, DUE_DATE: 2 }),
  dueDate: nullable(dateLayout),
  expiresInSeconds: nullable(number()),
  payment: nullable(pixPaymentLayout),
})

export const acquirerLayout = record<AcquirerData>({
  nsu: nullable(text()),
  tid: nullable(text()),
  authorizationCode: nullable(text()),
  returnCode: text(),
  message: text(),
})

const cardLayout = record<Card>({
  token: text(),
  tokenFingerprint: text(),
  brand: enumeration({ VISA: 1, MASTERCARD: 2, ELO: 3, AMEX: 4, HIPERCARD: 5, OTHER: 6 }),
  last4: text(),
  bin: nullable(text()),
  holderName: nullable(text()),
  installments: number(),
  captures: bool,
  acquirer: nullable(acquirerLayout),
  authorizedAtMs: nullable(number()),
  capturedAtMs: nullable(number()),
  capturedCents: nullable(number()),
})

export const boletoNumbersLayout = record<BoletoNumbers>({
  bankCode: text(),
  ourNumber: text(),
  barCode: text(),
})

export const boletoPaymentLayout = record<BoletoPayment>({
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
})

const pixMeans = record<{ readonly pix: Pix }>({ pix: pixLayout })
const cardMeans = record<{ readonly card: Card }>({ card: cardLayout })
const boletoMeans = record<{ readonly boleto: Boleto; readonly pix: Pix | null }>({
  boleto: boletoLayout,
  pix: nullable(pixLayout),
})
/** The members of crypto charges that were stored before merchants could create them. */
const otherMeans = json<Means>({
  crypto: {
    quotedCents: null,
    rateMicros: null,
    toleranceBps: 0,
    requiredConfirmations: 0,
    expiresInSeconds: 0,
    uri: null,
    transfers: [],
  },
} as Missing<Means>)
const tag = number()
/** By tag. */
const layouts = [otherMeans, pixMeans, boletoMeans, cardMeans] as readonly Layout<Means>[]

const tagOf = (means: Means): number => {
  if ('boleto' in means) return 2
  if ('pix' in means) return 1
  return 'card' in means ? 3 : 0
}

/** How a charge is paid. Methods with many payments have a layout of their own; others are JSON. */
export const meansLayout: Layout<Means> = {
  write: (means) => {
    const own = tagOf(means)
    tag.write(own)
    layouts[own]!.write(means)
  },
  read: () => (layouts[tag.read()] ?? otherMeans).read(),
}
