import type { PaymentLinkId } from '../../../../engine/shared/ids.ts'
import { json, number, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'

const head = { id: text<PaymentLinkId>(), atMs: number() }

export const paymentLinkFacts = {
  LinkCreated: [1, { ...head, link: json() }],
  LinkChanged: [2, { ...head, changes: json() }],
  LinkUsed: [3, head],
  LinkHeld: [4, { ...head, sessionId: text() }],
  LinkReleased: [5, { ...head, sessionId: text() }],
  LinkPaid: [6, { ...head, sessionId: text(), cents: number() }],
} satisfies FactLayouts<'paymentLink'>
