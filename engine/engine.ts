import './events/index.ts'
import './overview/index.ts'
import './search/index.ts'
import './registry.ts'
import { controlsModule } from './approval-and-limits/index.ts'
import { keepNightLimit } from './approval-and-limits/keep-night-limit.ts'
import { recordCommand } from './audit/deciders.ts'
import { auditModule } from './audit/index.ts'
import { countRecurring } from './billing/figures/count.ts'
import { billingModule } from './billing/index.ts'
import { followCharge } from './billing/invoice/outcome.ts'
import { checkoutModule } from './checkout/index.ts'
import { followSessionCharge } from './checkout/outcome.ts'
import { connectionsModule } from './connections/index.ts'
import { cryptoModule } from './crypto/index.ts'
import { openDeposits } from './crypto/open-deposits.ts'
import { customersModule } from './customers/index.ts'
import { eventsModule } from './events/index.ts'
import { inboxModule } from './inbox/index.ts'
import * as kernel from './kernel/apply.ts'
import type { ProviderCallRequest } from './kernel/calls.ts'
import type { Institution } from './kernel/context.ts'
import type { Decider, Deciders } from './kernel/decider.ts'
import type { Draft } from './kernel/draft.ts'
import { callsIn, type Engine } from './kernel/engine-definition.ts'
import type { Entry } from './kernel/entry.ts'
import type { ShardOptions } from './kernel/open-shard.ts'
import type { Journal, Memory } from './kernel/ports.ts'
import type { Answerer, Answerers, QueryResult, Reader } from './kernel/reader.ts'
import type { ActorKind, ActorState, Answers, Command, Query } from './kernel/registry.ts'
import { openShard as openKernelShard, type Shard } from './kernel/shard.ts'
import type { FlushedEntry, Step } from './kernel/step.ts'
import type { Work } from './kernel/work.ts'
import { ledgerModule } from './ledger/index.ts'
import { marketplaceModule } from './marketplace/index.ts'
import { syncTransfers } from './marketplace/shares.ts'
import { moneyOutModule } from './money-out/index.ts'
import { notesModule } from './notes/index.ts'
import { noticesModule } from './notices/index.ts'
import { noticedFacts, raiseNotices } from './notices/raise.ts'
import { overviewModule } from './overview/index.ts'
import { payerMailModule } from './payer-mail/index.ts'
import { mailReceipts } from './payer-mail/receipts.ts'
import { planReminders } from './payer-mail/reminders.ts'
import { blockForMeds } from './payments/block-for-meds.ts'
import { bookPayment } from './payments/bookings.ts'
import { paymentsModule } from './payments/index.ts'
import type { TransactionChange } from './payments/transaction/change.ts'
import { portalModule } from './portal/index.ts'
import { recipientsModule } from './recipients/index.ts'
import { reconciliationModule } from './reconciliation/index.ts'
import { auditedActors, evolve, kinds, nextTimer } from './registry.ts'
import { outcomes } from './sandbox/forced-outcomes.ts'
import { sandboxModule } from './sandbox/index.ts'
import { searchModule } from './search/index.ts'
import { statementModule } from './statement/index.ts'
import { writeStatement } from './statement/write.ts'
import { supportModule } from './support/index.ts'
import { viewsModule } from './views/index.ts'
import { webhooksModule } from './webhooks/index.ts'

/** The decider of each command. */
const deciders: Deciders<Command> = {
  ...paymentsModule.deciders,
  ...billingModule.deciders,
  ...checkoutModule.deciders,
  ...customersModule.deciders,
  ...recipientsModule.deciders,
  ...marketplaceModule.deciders,
  ...webhooksModule.deciders,
  ...ledgerModule.deciders,
  ...controlsModule.deciders,
  ...auditModule.deciders,
  ...supportModule.deciders,
  ...noticesModule.deciders,
  ...viewsModule.deciders,
  ...cryptoModule.deciders,
  ...moneyOutModule.deciders,
  ...sandboxModule.deciders,
  ...payerMailModule.deciders,
  ...notesModule.deciders,
  ...portalModule.deciders,
  ...connectionsModule.deciders,
  ...inboxModule.deciders,
  ...reconciliationModule.deciders,
}

/** Decides a command: adds its facts to the draft, or returns why the business says no. */
const decide: Decider<Command> = (draft, command) => {
  if (command.type !== 'OpenAccount' && draft.find('account', command.accountId) === undefined)
    return { reason: 'ACCOUNT_ABSENT' }
  const rejection = (deciders[command.type] as Decider<Command>)(draft, command)
  if (rejection !== null) return rejection
  for (const { concerns, add } of sequels) if (draft.steps.some(concerns)) add(draft, command)
  if (command.audit !== undefined && !command.isPreview)
    recordCommand(draft, command, command.audit, auditedActors)
  return null
}

type Sequel = {
  readonly concerns: (step: Step) => boolean
  readonly add: (draft: Draft, command: Command) => void
}

/** Sequels add facts that follow from a command's own, in this order, each only if a step concerns it. */
const sequels: readonly Sequel[] = [
  { concerns: ({ event }) => event.type === 'ProfileChanged', add: keepNightLimit },
  { concerns: ({ event }) => event.actor === 'account', add: blockForMeds },
  { concerns: ({ event }) => event.actor === 'subscription', add: countRecurring },
  { concerns: ({ event }) => event.actor === 'account', add: writeStatement },
  { concerns: ({ event }) => event.type === 'SessionCompleted', add: mailReceipts },
  {
    concerns: ({ event }) => noticedFacts.has(event.type),
    add: (draft, { audit }) => raiseNotices(draft, audit?.actor.name ?? null),
  },
]

/** Updates what depends on a charge after its facts, in this order. */
const followTransaction = (draft: Draft, change: TransactionChange): void => {
  const transaction = draft.find('transaction', change.events[0]!.id)!
  const { invoiceId, split, method, details } = transaction
  if (invoiceId !== null) followCharge(draft, change)
  if (details.checkout !== null) followSessionCharge(draft, change)
  bookPayment(draft, change)
  if (split !== null) syncTransfers(draft, change)
  if (method === 'CRYPTO') openDeposits(draft, change)
  if (change.before === undefined && draft.account().reminders !== undefined)
    planReminders(draft, transaction)
}

/** The answerer of each query. */
const answerers: Answerers<Query> = {
  ...paymentsModule.answers,
  ...billingModule.answers,
  ...checkoutModule.answers,
  ...customersModule.answers,
  ...marketplaceModule.answers,
  ...webhooksModule.answers,
  ...ledgerModule.answers,
  ...controlsModule.answers,
  ...auditModule.answers,
  ...supportModule.answers,
  ...noticesModule.answers,
  ...viewsModule.answers,
  ...cryptoModule.answers,
  ...moneyOutModule.answers,
  ...statementModule.answers,
  ...eventsModule.answers,
  ...overviewModule.answers,
  ...searchModule.answers,
  ...payerMailModule.answers,
  ...notesModule.answers,
  ...portalModule.answers,
  ...inboxModule.answers,
  ...reconciliationModule.answers,
}

/** Answers a question from memory. */
const answer = function* (query: Query, reader: Reader): Work<QueryResult<Answers[Query['type']]>> {
  const answered = (answerers[query.type] as Answerer<Query>)(query, reader)
  return 'next' in answered ? yield* answered : answered
}

/** Whether this build decides a command, or answers a query, of this type: a node of another build may send others. */
export const isKnown = ({ type }: Pick<Command | Query, 'type'>): boolean =>
  Object.hasOwn(deciders, type) || Object.hasOwn(answerers, type)

/** The kernel with all actors: what the other packages open and replay shards with. */
const engine: Engine = {
  kinds,
  evolve,
  nextTimer,
  decide,
  answer,
  reactions: { transaction: [followTransaction] },
}

/** The institution's settings from the composition root. */
export type InstitutionSettings = Omit<Institution, 'outcomes'>

/** Opens a shard with all actors of this engine. */
export const openShard = ({
  institution,
  ...options
}: Omit<ShardOptions, 'engine' | 'institution'> & {
  readonly institution: InstitutionSettings
}): Shard => openKernelShard({ engine, institution: { outcomes, ...institution }, ...options })

/** Brings a memory up to the end of a journal: applies the entries after `afterSequence`, and yields each one. */
export const replay = (
  memory: Memory,
  journal: Pick<Journal, 'replay'>,
  afterSequence: number,
): Generator<FlushedEntry, void, undefined> => kernel.replay(engine, memory, journal, afterSequence)

/** Applies a journal entry to a memory, with the same result as when it was decided. */
export const applyEntry = (memory: Memory, sequence: number, entry: Entry): FlushedEntry =>
  kernel.applyEntry(engine, memory, sequence, entry)

/** The provider calls of an entry, to be made once it is on disk. */
export const providerRequestsOf = (entry: FlushedEntry): readonly ProviderCallRequest[] =>
  kernel.providerRequestsOf(engine, entry)

/** Whether an actor in this state still waits for the decisive answer to a call of its own. */
export const isCallOpen = (kind: ActorKind, state: ActorState, callId: string): boolean => {
  const calls = callsIn(engine, kind)
  return calls !== undefined && (calls.isOpen?.(state, callId) ?? calls.onTheirWay(state).includes(callId))
}
