import Type from 'typebox'
import type { Card } from '../../../engine/payments/methods/card/card.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { described } from '../../schema/named-schema.ts'
import { choice } from '../../schema/schema.ts'
import { brand } from '../enumerations.ts'
import { instant, instantOrNull, nullableField, nullableText, textOf } from '../fields.ts'
import { resource, same } from '../resource.ts'

/** The card part of a transaction (decisions, section 12). The token is never shown. */
export const card = resource<Card, [Transaction]>('Card', 'The card part of a transaction.').with({
  brand: [brand, same],
  last4: [textOf('Last four digits of the card.'), same],
  bin: [described(nullableText, 'First six or eight digits, where they were sent.'), same],
  holderName: [described(nullableText, 'As printed on the card, where it was sent.'), same],
  tokenFingerprint: [textOf('Equal for equal tokens. The token itself is never shown.'), same],
  nsu: [
    described(nullableText, 'Number that the acquirer gave the transaction (NSU).'),
    ({ acquirer }) => acquirer?.nsu ?? null,
  ],
  tid: [
    described(nullableText, 'Id of the transaction at the acquirer (TID).'),
    (c) => c.acquirer?.tid ?? null,
  ],
  authorizationCode: [
    described(nullableText, 'Code of the issuer’s authorization.'),
    ({ acquirer }) => acquirer?.authorizationCode ?? null,
  ],
  acquirerReturnCode: [
    described(nullableText, 'The acquirer’s answer, as a code of ABECS.'),
    ({ acquirer }) => acquirer?.returnCode ?? null,
  ],
  acquirerMessage: [
    described(nullableText, 'The acquirer’s answer in words.'),
    (c) => c.acquirer?.message ?? null,
  ],
  threeDSecure: [
    nullableField(
      Type.Object({
        status: described(
          choice('AUTHENTICATED', 'ATTEMPTED', 'NOT_AUTHENTICATED', 'UNAVAILABLE'),
          'ATTEMPTED: the bank takes no part, but answers for it. UNAVAILABLE: it could not be asked.',
        ),
        eci: described(nullableText, 'The electronic commerce indicator of the brand.'),
      }),
      'What the bank of the card said of its holder (EMV 3-D Secure); null where it was not asked.',
    ),
    same,
  ],
  authorizedAt: [
    nullableField(instant, 'When the issuer authorized it.'),
    (c) => instantOrNull(c.authorizedAtMs),
  ],
  capturedAt: [nullableField(instant, 'When it was captured.'), (c) => instantOrNull(c.capturedAtMs)],
  authorizationExpiresAt: [
    nullableField(instant, 'Until when it can be captured: 7 days.'),
    (_, { expiresAtMs }) => instantOrNull(expiresAtMs),
  ],
})
