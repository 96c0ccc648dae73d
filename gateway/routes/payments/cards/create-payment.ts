import { hash } from 'node:crypto'
import Type, { type Static } from 'typebox'
import { type Brand, installmentsMax } from '../../../../engine/ledger/card-rates.ts'
import type { CardTerms } from '../../../../engine/payments/methods/card/terms.ts'
import { commandRoute, type RequestContext } from '../../../api/route.ts'
import { bounds } from '../../../base/bounds.ts'
import { booleanOf } from '../../../resources/fields.ts'
import { cardPayment } from '../../../resources/payments/card-payment.ts'
import { transaction } from '../../../resources/payments/transaction.ts'
import { namedObject } from '../../../schema/named-schema.ts'
import { amount, textUpTo, wholeNumber } from '../../../schema/schema.ts'
import {
  alsoNeeds,
  chargeFields,
  createChargeCommand,
  eitherCustomer,
  readCharge,
  splitField,
  transactionResponse,
} from '../../charge-input.ts'
import { cardWrites } from '../../groups.ts'
import { refuseCardData } from './card-data.ts'

export const cardInput = namedObject('CardInput', 'A tokenized card.', {
  token: textUpTo(bounds.cardTokenCharsMax, "Issued by the acquirer's SDK; never the card number."),
  brand: Type.String({
    format: 'card-brand',
    description: 'VISA, MASTERCARD, ELO, AMEX, HIPERCARD or OTHER.',
    examples: ['VISA'],
  }),
  last4: Type.String({ format: 'last4', description: 'Last four digits.', examples: ['4242'] }),
  bin: Type.Optional(Type.String({ format: 'bin', description: 'First six or eight digits.' })),
  holderName: Type.Optional(textUpTo(bounds.nameCharsMax, 'As printed on the card.')),
})

export const createCardPaymentRoute = commandRoute({
  ...cardWrites,
  path: '/v1/card-payments',
  operationId: 'createCardPayment',
  isAudited: false,
  summary: 'Create a card payment',
  description:
    'Authorizes a card and, by default, captures the amount. A declined card is answered with 201 and the status DECLINED. If the acquirer does not answer in time the status is PROCESSING, and an event reports the outcome.',
  alsoNeeds,
  status: 201,
  guard: refuseCardData,
  body: Type.Object({
    amount: amount(bounds.amountCentsMax, 'What the card is charged.'),
    installments: Type.Optional(wholeNumber(1, installmentsMax, 'Default 1.')),
    capture: Type.Optional(booleanOf('Default true. False authorizes only: capture within 7 days.')),
    card: cardInput,
    ...chargeFields,
    ...splitField,
  }),
  rules: eitherCustomer,
  answer: cardPayment,
  read: (body) =>
    readCharge(body, {
      method: 'CREDIT_CARD',
      installments: body.installments ?? 1,
      captures: body.capture ?? true,
      card: readCard(body.card),
    }),
  command: (input, request) => {
    const terms = input.terms as CardTerms
    const card = sealedCard(terms.card, request)
    return createChargeCommand({ ...input, terms: { ...terms, card } }, request.origin, request)
  },
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request, '/v1/card-payments'),
})

/** The card as it was sent: equal tokens have equal fingerprints. */
export const readCard = (body: Static<typeof cardInput>): CardTerms['card'] => {
  const token = body.token.trim()
  return {
    token,
    tokenFingerprint: hash('sha256', token, 'base64url').slice(0, 16),
    brand: body.brand.toUpperCase() as Brand,
    last4: body.last4,
    bin: body.bin ?? null,
    holderName: body.holderName?.trim() ?? null,
  }
}

/** The card as the engine keeps it, which never sees the token itself. */
export const sealedCard = (
  card: CardTerms['card'],
  { accountId, cardTokens }: Pick<RequestContext, 'accountId' | 'cardTokens'>,
): CardTerms['card'] => ({ ...card, token: cardTokens.seal(accountId, card.token) })
