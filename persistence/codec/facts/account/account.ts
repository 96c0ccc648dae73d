import type { AwaitedShares, PixKey, Settlement } from '../../../../engine/ledger/account.ts'
import type { TransactionId } from '../../../../engine/shared/ids.ts'
import { enumeration, json, list, nullable, number, record, since, text } from '../../layout.ts'
import type { FactLayouts } from '../fact-layouts.ts'
import {
  accountId,
  assetLayout,
  currencyLayout,
  dateLayout,
  method,
  postings,
  revenue,
  schedule,
  subscriptionStatusLayout,
} from '../shared.ts'

const head = { id: accountId, atMs: number() }
/** Everything was in reais at first. */
const currency = since(5, currencyLayout, 'BRL')
const booked = { ...head, transactionId: text<TransactionId>(), postings, schedule, currency }

const pixKey = record<PixKey>({
  id: text(),
  type: enumeration({ EVP: 1 }),
  key: text(),
  createdAtMs: number(),
})

const settlement = record<Settlement>({
  id: text(),
  method,
  grossCents: number(),
  feeCents: number(),
  receivablesCount: number(),
  transactionId: nullable(text()),
  date: dateLayout,
  createdAtMs: number(),
  completedAtMs: number(),
  currency,
})

const awaited = list(record<AwaitedShares>({ settlementId: text(), cents: number() }))

export const accountFacts = {
  // Profiles and dunning policies change rarely, so JSON is small enough.
  AccountOpened: [1, { ...head, profile: json(), pixKey }],
  ProfileChanged: [2, { ...head, profile: json() }],
  PaymentBooked: [3, booked],
  ReversalBooked: [
    4,
    { ...booked, cause: since(4, enumeration({ REFUND: 1, CHARGEBACK: 2, MED: 3 }), 'REFUND') },
  ],
  SettlementCompleted: [5, { ...head, settlement, postings, schedule, currency }],
  SharesBooked: [6, { ...head, transactionId: text(), postings, awaited: since(4, awaited, []) }],
  ClockAdvanceStarted: [7, { ...head, targetMs: number() }],
  ClockAdvanced: [8, head],
  ClockMoved: [9, { ...head, clockOffsetMs: number() }],
  SampleEventRequested: [10, { ...head, eventType: text() }],
  SandboxCleared: [11, head],
  BoletoNumbered: [12, { ...head, number: number() }],
  InvoiceNumbered: [13, { ...head, number: number() }],
  RecurringCounted: [
    14,
    {
      ...head,
      date: dateLayout,
      from: nullable(subscriptionStatusLayout),
      to: subscriptionStatusLayout,
      revenue,
      overdueInvoices: number(),
      overdueCents: number(),
      overdueCustomers: number(),
    },
  ],
  DunningPolicySet: [15, { ...head, planId: nullable(text()), policy: json() }],
  DunningPolicyRemoved: [16, { ...head, planId: text() }],
  AuditChained: [
    17,
    {
      ...head,
      hash: text(),
      directorySequence: nullable(number()),
      sessionSequence: since(3, nullable(number()), null),
    },
  ],
  ControlsChanged: [18, { ...head, changes: json(), pending: json() }],
  TicketNumbered: [19, { ...head, number: number() }],
  NoticesRead: [20, { ...head, personId: text(), upToMs: number() }],
  NoticeMailChosen: [21, { ...head, personId: text(), mail: json() }],
  MedShortageChanged: [42, { ...head, medId: text(), transactionId: text(), missingCents: number() }],
  RateForced: [41, { ...head, asset: assetLayout, rateMicros: number() }],
  FundsMoved: [40, { ...head, objectId: text(), currency: currencyLayout, postings }],
  MoneyOutBooked: [
    22,
    {
      ...head,
      paymentId: text(),
      step: enumeration(
        {
          PLANNED: 1,
          COUNTED: 2,
          RESERVED: 3,
          PAID: 4,
          RETURNED: 5,
          DROPPED: 6,
          UNCOUNTED: 7,
          TARIFF: 8,
          CAME_BACK: 9,
        },
        { TARIFF: 14, CAME_BACK: 14 },
      ),
      amountCents: number(),
      feeCents: number(),
      plannedCents: number(),
      counts: json(),
      postings,
      currency,
    },
  ],
  RemindersSet: [43, { ...head, plan: json() }],
  PayerMailCounted: [
    44,
    { ...head, counted: enumeration({ SENT: 1, REMINDED: 2, UNSUBSCRIBED: 3 }), realMs: number() },
  ],
  KeyTokensChanged: [23, { ...head, tokens: number() }],
  RailConnected: [45, { ...head, connection: json() }, { since: 14 }],
  RailChanged: [
    46,
    {
      ...head,
      connectionId: text(),
      state: enumeration({ ACTIVE: 1, SUSPENDED: 2, RETIRED: 3 }),
      revision: number(),
    },
    { since: 14 },
  ],
  FeeDifferenceRecorded: [
    47,
    { ...head, connectionId: text(), day: dateLayout, cents: number(), reason: text() },
    { since: 14 },
  ],
} satisfies FactLayouts<'account'>
