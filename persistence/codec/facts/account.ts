import type { PixKey, Settlement } from '../../../engine/ledger/account.ts'
import type { TransactionId } from '../../../engine/shared/ids.ts'
import { enumeration, json, nullable, number, record, text } from '../layout.ts'
import type { FactLayouts } from './fact-layouts.ts'
import {
  accountId,
  dateLayout,
  method,
  postings,
  revenue,
  schedule,
  subscriptionStatusLayout,
} from './shared.ts'

const head = { id: accountId, atMs: number() }
const booked = { ...head, transactionId: text<TransactionId>(), postings, schedule }

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
})

export const accountFacts = {
  // Profiles and dunning policies change rarely, so JSON is small enough.
  AccountOpened: [1, { ...head, profile: json(), pixKey }],
  ProfileChanged: [2, { ...head, profile: json() }],
  PaymentBooked: [3, booked],
  ReversalBooked: [4, booked],
  SettlementCompleted: [5, { ...head, settlement, postings, schedule }],
  SharesBooked: [6, { ...head, transactionId: text(), postings }],
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
  AuditChained: [17, { ...head, hash: text(), directorySequence: nullable(number()) }],
  ControlsChanged: [18, { ...head, changes: json(), pending: json() }],
  TicketNumbered: [19, { ...head, number: number() }],
  NoticesRead: [20, { ...head, personId: text(), upToMs: number() }],
  NoticeMailChosen: [21, { ...head, personId: text(), mail: json() }],
} satisfies FactLayouts<'account'>
