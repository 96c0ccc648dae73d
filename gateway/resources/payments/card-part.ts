import type { Static } from 'typebox'
import type { Card } from '../../../engine/payments/methods/card/card.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { described, namedObject } from '../../schema/named-schema.ts'
import { brand } from '../enumerations.ts'
import { instant, instantOrNull, nullable, text, textOf } from '../fields.ts'

/** The card part of a transaction (decisions, section 12). */
export const card = namedObject('Card', 'The card part of a transaction.', {
  brand,
  last4: textOf('Last four digits of the card.'),
  bin: described(text, 'First six or eight digits, where they were sent.'),
  holderName: described(text, 'As printed on the card, where it was sent.'),
  tokenFingerprint: textOf('Equal for equal tokens. The token itself is never shown.'),
  nsu: described(text, 'Number that the acquirer gave the transaction (NSU).'),
  tid: described(text, 'Id of the transaction at the acquirer (TID).'),
  authorizationCode: described(text, 'Code of the issuer’s authorization.'),
  acquirerReturnCode: described(text, 'The acquirer’s answer, as a code of ABECS.'),
  acquirerMessage: described(text, 'The acquirer’s answer in words.'),
  authorizedAt: nullable(instant, 'When the issuer authorized it.'),
  capturedAt: nullable(instant, 'When it was captured.'),
  authorizationExpiresAt: nullable(instant, 'Until when it can be captured: 7 days.'),
})

/** The card part of a transaction; the token is never shown. */
export const cardView = (
  { expiresAtMs }: Transaction,
  { brand, last4, bin, holderName, tokenFingerprint, acquirer, authorizedAtMs, capturedAtMs }: Card,
): Static<typeof card> => ({
  brand,
  last4,
  bin,
  holderName,
  tokenFingerprint,
  nsu: acquirer?.nsu ?? null,
  tid: acquirer?.tid ?? null,
  authorizationCode: acquirer?.authorizationCode ?? null,
  acquirerReturnCode: acquirer?.returnCode ?? null,
  acquirerMessage: acquirer?.message ?? null,
  authorizedAt: instantOrNull(authorizedAtMs),
  capturedAt: instantOrNull(capturedAtMs),
  authorizationExpiresAt: instantOrNull(expiresAtMs),
})
