import type {
  ChargeByMandate,
  MandateCall,
  OfferedMandate,
} from '../../../../engine/billing/mandate/mandate.ts'
import { forgottenCustomer } from '../../../../engine/shared/customer.ts'
import type { MandateId } from '../../../../engine/shared/ids.ts'
import { bool, enumeration, json, nullable, number, personalJson, repeatedText, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import { initiator } from '../shared.ts'

const head = { id: repeatedText<MandateId>(), atMs: number() }
const call = json<MandateCall>()
/** What is left of a payer who is forgotten. */
const forgotten = (mandate: OfferedMandate): OfferedMandate => ({
  ...mandate,
  customer: forgottenCustomer,
  payerAccount: null,
})
const since14 = { since: 14 } as const

/** Mandates have few facts: JSON is small enough for their parts. */
export const mandateFacts = {
  MandateOffered: [
    1,
    { ...head, by: initiator, mandate: personalJson<OfferedMandate>(forgotten), call, isAwaited: bool },
    since14,
  ],
  MandateCalled: [2, { ...head, call }, since14],
  MandateCalledAgain: [3, { ...head, callId: text() }, since14],
  MandateCallUnanswered: [4, { ...head, callId: text(), dueAtMs: number() }, since14],
  MandateMade: [5, { ...head, callId: text(), idRec: text(), copyPaste: nullable(text()) }, since14],
  MandateCallDone: [6, { ...head, callId: text() }, since14],
  MandateCallRefused: [7, { ...head, callId: text(), code: nullable(text()) }, since14],
  MandateCallDropped: [8, { ...head, callId: text() }, since14],
  MandateEnding: [9, head, since14],
  MandateStatusChanged: [
    10,
    {
      ...head,
      status: enumeration({ CREATED: 1, ACTIVE: 2, REJECTED: 3, EXPIRED: 4, CANCELLED: 5 }),
      closedBy: nullable(enumeration({ PAYER: 1, RECEIVER: 2 })),
      code: nullable(text()),
      maximumCents: nullable(number()),
    },
    since14,
  ],
  MandateChargeStarted: [11, { ...head, charge: json<ChargeByMandate>() }, since14],
  MandateChargeChanged: [12, { ...head, txid: text(), changes: json() }, since14],
  MandateChargeEnded: [13, { ...head, txid: text(), isPeriodFree: bool }, since14],
} satisfies FactLayouts<'mandate'>
