import type { Pix, PixPayment } from '../../../../../engine/payments/methods/pix/pix.ts'
import type { Statement } from '../../../../../engine/payments/transaction/transaction.ts'
import {
  bool,
  enumeration,
  json,
  nullable,
  number,
  optional,
  personal,
  personalJson,
  record,
  repeatedText,
  since,
  text,
} from '../../../layout.ts'
import { dateLayout, failureReasonLayout, payerLayout, returnReason } from '../../shared.ts'
import { answerHead, callIdSince14, factHead, failureDetailLayout, receivablesLayout } from '../parts.ts'
import type { MethodLayouts } from './method-layouts.ts'

const pixPaymentLayout = record<PixPayment>({
  receivedPixId: repeatedText(),
  endToEndId: repeatedText(),
  payer: payerLayout,
  payerMatchesCustomer: nullable(bool),
  paidAtMs: number(),
  taxWithheldCents: since(14, optional(number()), undefined),
})

export const pixLayout = record<Pix>({
  txid: nullable(text()),
  copyPaste: nullable(text()),
  keyId: text(),
  type: enumeration({ IMMEDIATE: 1, DUE_DATE: 2 }),
  dueDate: nullable(dateLayout),
  expiresInSeconds: nullable(number()),
  payment: nullable(pixPaymentLayout),
  bankKey: since(14, nullable(text()), null),
  mandateId: since(14, nullable(text()), null),
})

/** What is stated in a dispute may be about the payer. */
const statement = { text: personal(text(), ''), files: personal(json<Statement['files']>(), []) }

export const pixLayouts = {
  means: {
    tag: 1,
    // Boletos have a PIX part, too.
    isOf: (means) => 'pix' in means && !('boleto' in means),
    layout: record({ pix: pixLayout }),
  },
  facts: {
    ChargeIssued: [
      2,
      { ...factHead, txid: text(), copyPaste: text(), expiresAtMs: number(), callId: callIdSince14 },
    ],
    ChargePaid: [
      5,
      {
        ...factHead,
        paidCents: number(),
        feeCents: number(),
        payment: pixPaymentLayout,
        receivables: receivablesLayout,
      },
    ],
    PaymentReturned: [8, { ...factHead, returnReason, amountCents: number(), payment: pixPaymentLayout }],
    ChargeScheduled: [75, { ...factHead, expiresAtMs: number() }, { since: 14 }],
    ScheduledChargeFailed: [
      76,
      { ...factHead, failureReason: failureReasonLayout, failureDetail: failureDetailLayout },
      { since: 14 },
    ],
    ChargeCodeReplaced: [77, { ...factHead, copyPaste: text() }, { since: 14 }],
    RegistrationTimedOut: [61, answerHead, { since: 14 }],
    ReturnBegun: [
      62,
      { ...factHead, returnReason, amountCents: number(), payment: pixPaymentLayout },
      { since: 14 },
    ],
    ReturnRepeated: [63, { ...factHead, receivedPixId: text() }, { since: 14 }],
    ReturnedInPart: [
      92,
      { ...factHead, receivedPixId: text(), bankReturnId: text(), amountCents: number() },
      { since: 14 },
    ],
    ReturnCompleted: [
      64,
      { ...factHead, receivedPixId: text(), callId: nullable(text()), returnId: nullable(text()) },
      { since: 14 },
    ],
    ReturnRefused: [
      65,
      {
        ...factHead,
        receivedPixId: text(),
        callId: nullable(text()),
        message: text(),
        retryAtMs: nullable(number()),
      },
      { since: 14 },
    ],
    MedOpened: [32, { ...factHead, med: personalJson((med) => ({ ...med, details: null })) }],
    MedClosed: [
      33,
      {
        ...factHead,
        medId: text(),
        result: enumeration({ ACCEPTED: 1, REJECTED: 2, CANCELLED: 3 }),
        returnedCents: number(),
      },
    ],
    MedBlocked: [45, { ...factHead, medId: text(), cents: number() }],
    MedDefended: [46, { ...factHead, medId: text(), ...statement }],
    MedDefenseRefused: [90, { ...factHead, medId: text(), callId: text(), message: text() }, { since: 14 }],
    MedContested: [47, { ...factHead, medId: text(), ...statement }],
    MedContestWon: [
      48,
      { ...factHead, medId: text(), amountCents: number(), receivables: receivablesLayout },
    ],
    MedContestLost: [49, { ...factHead, medId: text() }],
  },
} satisfies MethodLayouts<'PIX'>
