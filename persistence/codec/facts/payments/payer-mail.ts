import type { PayerMailId, UnsubscriptionId } from '../../../../engine/shared/ids.ts'
import { enumeration, json, list, nullable, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { accountId, dateLayout } from '../shared.ts'

const head = { id: text<PayerMailId>(), atMs: number() }

export const payerMailFacts = {
  PayerMailOpened: [1, { ...head, mail: json() }],
  PayerMailAsked: [
    2,
    {
      ...head,
      purpose: enumeration({ REQUESTED: 1, BEFORE_DUE: 2, ON_DUE_DATE: 3, AFTER_DUE: 4, RECEIPT: 5 }),
      language: enumeration({ pt: 1, en: 2 }),
    },
  ],
  PayerMailDone: [
    3,
    {
      ...head,
      number: number(),
      outcome: enumeration({ QUEUED: 1, UNSUBSCRIBED: 2, NOT_PAYABLE: 3 }),
    },
  ],
  RemindersPlanned: [4, { ...head, remindOn: list(dateLayout), remindAtMs: nullable(number()) }],
} satisfies FactLayouts<'payerMail'>

export const unsubscriptionFacts = {
  Unsubscribed: [1, { id: text<UnsubscriptionId>(), atMs: number(), accountId, addressHash: text() }],
} satisfies FactLayouts<'unsubscription'>
