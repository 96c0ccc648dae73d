import t from 'tap'
import type { TSchema } from 'typebox'
import { Errors } from 'typebox/value'
import type { CheckoutSession } from '../../../engine/checkout/session.ts'
import type { ActorKind, ActorState } from '../../../engine/kernel/registry.ts'
import type { ReceivedPix } from '../../../engine/payments/received/received.ts'
import type { Transaction } from '../../../engine/payments/transaction/transaction.ts'
import { evolve } from '../../../engine/registry.ts'
import type { CalendarDate } from '../../../engine/shared/calendar.ts'
import type { Delivery } from '../../../engine/webhooks/delivery.ts'
import { checkoutSession } from '../../../gateway/resources/checkout/session.ts'
import { deliveryDetail } from '../../../gateway/resources/developers/delivery.ts'
import { boletoDocumentOf } from '../../../gateway/resources/payments/boleto-document.ts'
import { chargeback } from '../../../gateway/resources/payments/chargeback.ts'
import { noPayee } from '../../../gateway/resources/payments/fiscal.ts'
import { med } from '../../../gateway/resources/payments/med.ts'
import { receivedPix } from '../../../gateway/resources/payments/received-pix.ts'
import { transaction } from '../../../gateway/resources/payments/transaction.ts'
import { packBatch, unpackFromBatch } from '../../../persistence/codec/codec.ts'
import { entryLayout, entryLayoutWith } from '../../../persistence/codec/entry.ts'
import { aCompany } from '../../engine/companies/entries.ts'
import { everyKind } from '../../persistence/codec/every-kind.ts'

/** The last states of all actors, by kind, of a life in which every fact occurs and whose keys are destroyed. */
const forgottenStates = async (): Promise<ReadonlyMap<ActorKind, readonly ActorState[]>> => {
  const entries = await everyKind()
  const bytes = new Uint8Array(32)
  const sealing = entryLayoutWith({ toSeal: () => ({ number: 1, bytes }), toOpen: () => bytes })
  const batch = packBatch(sealing, entries)
  const last = new Map<string, readonly [ActorKind, ActorState]>()
  entries.forEach((_, place) => {
    for (const event of unpackFromBatch(entryLayout, batch, place).events)
      last.set(event.id, [event.actor, evolve(last.get(event.id)?.[1], event)])
  })
  const byKind = new Map<ActorKind, ActorState[]>()
  for (const [kind, state] of last.values()) byKind.set(kind, [...(byKind.get(kind) ?? []), state])
  return byKind
}

t.test('whatever is forgotten is shown, and as the document of the API says', async (t) => {
  const states = await forgottenStates()
  const of = <State>(kind: ActorKind): readonly State[] => states.get(kind) as unknown as readonly State[]
  const conforms = (schema: TSchema, view: object, name: string): void => {
    const errors = Errors(schema, JSON.parse(JSON.stringify(view)))
    t.strictSame([...errors], [], name)
  }
  const today = { date: '2031-01-01' as CalendarDate, nowMs: Date.UTC(2031, 0, 1), payee: noPayee }
  let disputes = 0
  for (const one of of<Transaction>('transaction')) {
    conforms(transaction.schema, transaction.view(one, today), `${one.method} ${one.status}`)
    t.equal(one.customer, null)
    for (const own of one.reversals.meds) conforms(med.schema, med.view(own, one), own.id)
    for (const own of one.reversals.chargebacks)
      conforms(chargeback.schema, chargeback.view(own, one), own.id)
    disputes += one.reversals.meds.length + one.reversals.chargebacks.length
    const document = boletoDocumentOf(one, { company: aCompany(), environment: 'SANDBOX' })
    if (document !== null) t.match(document.payer, { name: '', document: '', address: '' })
  }
  t.ok(disputes > 2)
  for (const one of of<ReceivedPix>('received')) {
    conforms(receivedPix.schema, receivedPix.view(one), one.id)
    t.equal(one.payer?.name ?? '', '')
  }
  for (const { attempts, ...others } of of<Delivery>('delivery')) {
    // Times of attempts in that life are any numbers.
    const one = { ...others, attempts: attempts.map((made) => ({ ...made, startedAtMs: 0 })) }
    const view = deliveryDetail.view(one, 'SANDBOX')
    conforms(deliveryDetail.schema, view, one.id)
    t.strictSame(JSON.parse(view.body), { object: 'forgotten' })
  }
  for (const one of of<CheckoutSession>('checkoutSession')) {
    const view = checkoutSession.view(one, () => 'https://pay.example.com')
    conforms(checkoutSession.schema, view, one.id)
    t.equal(view.customer, null)
  }
})
