import { readdirSync, readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { gunzipSync } from 'node:zlib'
import type { Entry } from '../../engine/kernel/entry.ts'
import type { ActorState } from '../../engine/kernel/registry.ts'
import { defaultFees, feeTermsOf, type PricedBy } from '../../engine/ledger/fees.ts'
import { evolve } from '../../engine/registry.ts'
import type { Method } from '../../engine/shared/method.ts'
import { railOf } from '../../engine/shared/rail.ts'
import { plainProfile } from '../engine/profile.ts'
import { institution } from '../engine/world.ts'

/** Bytes as a program of their time wrote them, what they meant to it, and what it made of them. */
export type Recorded = {
  /** One batch of the journal, in base64. */
  readonly batch: string
  readonly entries: readonly RecordedEntry[]
  /** The last states of all actors, by their ids; of an account that was cleared also the one before. */
  readonly states: Readonly<Record<string, object>>
}
export type RecordedEntry = { readonly events: readonly Readonly<Record<string, unknown>>[] }

export const fixtures = join(resolve(import.meta.dirname, '../../..'), 'test/fixtures')

/** Every recording, by the name of its file. */
export const everyRecorded = (): readonly (readonly [string, Recorded])[] =>
  readdirSync(fixtures)
    .filter((name) => name.startsWith('journal-'))
    .map((name) => {
      const bytes = readFileSync(join(fixtures, name))
      return [name, JSON.parse((name.endsWith('.gz') ? gunzipSync(bytes) : bytes).toString('utf8'))]
    })

/** A state under the names that its members have now. */
export const asNamedNow = ({ putAside, ...state }: { readonly putAside?: unknown }): object =>
  putAside === undefined ? state : { ...state, parked: putAside }

type RecordedEvent = RecordedEntry['events'][number]

/** Bytes have no names: a fact is read under the one that it has now. */
const underItsName = (event: RecordedEvent): RecordedEvent => ({
  ...event,
  type: names[event.type as string] ?? event.type,
})

const names: Readonly<Record<string, string>> = {
  CardTriedInVain: 'CardDeclineCounted',
  CollectionGivenUp: 'CollectionStopped',
  DunningPutOff: 'DunningPostponed',
  InvoiceGivenUp: 'InvoiceMarkedUncollectible',
  InvoicePresented: 'PaymentInstructionsIssued',
  PlanSwapped: 'PlanChangeApplied',
  RedemptionGivenBack: 'RedemptionReleased',
  TimerPutAside: 'TimerParked',
}

/** What a fact did not have when it was recorded, as it is read now. */
export const withWhatCameLater = ({ events, ...entry }: RecordedEntry): RecordedEntry => ({
  ...entry,
  events: events.map(underItsName).map((event) => {
    switch (event.type) {
      case 'PaymentBooked':
      case 'SettlementCompleted':
        return { schedule: [], ...event }
      case 'AccountOpened':
        return { ...event, profile: { ...plainProfile, ...(event.profile as object) } }
      case 'ChargeCreated':
        return {
          ...event,
          charge: withFees({
            customerId: null,
            card: null,
            boleto: null,
            subscriptionId: null,
            invoiceId: null,
            attempt: null,
            split: null,
            ...withProvider(event.charge as { readonly method: Method }),
          }),
        }
      case 'TransactionSeeded':
        return {
          ...event,
          transaction: withFees(withProvider(event.transaction as { readonly method: Method })),
        }
      case 'AttemptRecorded':
        return { ...event, outcome: { url: '', ...(event.outcome as object) } }
      case 'ChargeRefused':
        return { callId: null, ...event }
      case 'ChargePaid':
        return {
          ...event,
          receivables: (event.receivables as object[]).map((row) => ({
            type: 'CREDIT',
            recipientId: null,
            ...row,
          })),
        }
      default:
        return event
    }
  }),
})

const withProvider = (charge: { readonly method: Method }): object => ({
  providerId: institution.providers.SANDBOX[railOf[charge.method]],
  ...charge,
})

const withFees = (charge: object): object => ({
  feeTerms: feeTermsOf(defaultFees, charge as PricedBy),
  ...charge,
})

/** What facts make of all actors, one after the other, as `Recorded` has them. */
export const statesOf = (entries: readonly Entry[]): Recorded['states'] => {
  const states: Record<string, ActorState> = {}
  for (const event of entries.flatMap(({ events }) => events)) {
    const name = event.type === 'SandboxCleared' ? `${event.id}, cleared` : event.id
    states[name] = evolve(states[event.id], event)
  }
  return plain(states)
}

/** As JSON can say it. */
export const plain = <Value>(value: Value): Value =>
  JSON.parse(
    JSON.stringify(value, (_, value) => {
      if (value instanceof Uint8Array) return [...value]
      return typeof value === 'bigint' ? `${value}n` : value
    }),
  )
