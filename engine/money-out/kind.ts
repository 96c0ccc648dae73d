import type { ActorDefinition } from '../kernel/actor.ts'
import type { Timer } from '../kernel/due-work.ts'
import type { DraftPublicEvent, EventType, Publishes } from '../kernel/event-types.ts'
import type { Command } from '../kernel/registry.ts'
import { decimalOf } from '../shared/asset.ts'
import type { AuditedFields } from '../shared/audit.ts'
import { byClock } from '../shared/initiator.ts'
import { evolveMoneyOut } from './evolve.ts'
import { keysOfMoneyOut } from './keys.ts'
import { moneyOutMethodOf } from './methods/index.ts'
import type { MoneyOut, MoneyOutFact, Transfer, Withdrawal } from './money-out.ts'
import type { MoneyOutTarget } from './target.ts'

declare module '../kernel/event-types.ts' {
  interface EventSubjects {
    readonly transfers: { readonly object: 'transfer'; readonly transfer: Transfer }
    readonly withdrawals: { readonly object: 'crypto_withdrawal'; readonly withdrawal: Withdrawal }
  }
}

/** The parts of a kind's definition that differ between transfers and withdrawals. */
type Own<Out extends MoneyOut> = Required<
  Pick<ActorDefinition<Out, MoneyOutFact>, 'prefix' | 'namedBy' | 'label'>
> & {
  readonly publishes: Partial<Publishes<Out, MoneyOutFact>>
  /** The fields that the audit log compares, besides status and decisions. */
  readonly auditedTerms: (out: Out) => AuditedFields
  readonly targetOf: (out: Out) => MoneyOutTarget
}

const moneyOutKind = <Out extends MoneyOut>({
  publishes,
  auditedTerms,
  targetOf,
  ...own
}: Own<Out>): ActorDefinition<Out, MoneyOutFact> => ({
  ...own,
  doesDueWorkFirst: true,
  publishes: { ...publishesNothing, ...publishes },
  evolve: evolveMoneyOut,
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  lookupKeys: keysOfMoneyOut,
  timer: (out) => nextTimerOf(out, targetOf(out)),
  auditedFields: (out) => ({
    status: out.status,
    ...auditedTerms(out),
    decisions: out.decisions.map(({ personId, decision, reason }) => ({ personId, decision, reason })),
    cancelReason: out.cancelReason,
    ...(out.declared && { declared: out.declared.outcome }),
  }),
  awaitsProvider: ({ call }) => call !== null && call.dueAtMs === null,
  calls: {
    madeBy: (event) => (opensCall(event) ? event.callId : null),
    answeredBy: (event) => ('callId' in event && !opensCall(event) ? event.callId : null),
    request: (out: MoneyOut, _, nowMs) => moneyOutMethodOf(out).request(out, nowMs),
    onTheirWay: ({ call }) => (call !== null && call.dueAtMs === null ? [call.id] : []),
  },
})

const publishesNothing = {
  MoneyOutCreated: null,
  MoneyOutDecided: null,
  MoneyOutScheduled: null,
  MoneyOutRecalled: null,
  MoneyOutPostponed: null,
  MoneyOutCancelled: null,
  MoneyOutSent: null,
  MoneyOutUnanswered: null,
  MoneyOutSentAgain: null,
  MoneyOutBroadcast: null,
  MoneyOutCompleted: null,
  MoneyOutFailed: null,
  MoneyOutRouted: null,
  RouteChosen: null,
  MoneyOutIdentified: null,
  MoneyOutNumbered: null,
  MoneyOutCharged: null,
  MoneyOutCameBack: null,
  OutcomeLost: null,
  OutcomeDeclared: null,
  OutcomeConfirmed: null,
}

const opensCall = (
  event: MoneyOutFact,
): event is Extract<MoneyOutFact, { type: 'MoneyOutSent' | 'MoneyOutSentAgain' }> =>
  event.type === 'MoneyOutSent' || event.type === 'MoneyOutSentAgain'

const nextTimerOf = (out: MoneyOut, target: MoneyOutTarget): Timer | null => {
  const { accountId, status, approvalEndsAtMs, runsAtMs, call } = out
  const at = (dueAtMs: number | null, type: Command['type']): Timer | null =>
    dueAtMs === null ? null : { dueAtMs, command: { type, accountId, by: byClock, ...target } as Command }
  switch (status) {
    case 'PENDING_APPROVAL':
      return at(approvalEndsAtMs, 'ExpireMoneyOut')
    case 'SCHEDULED':
      return at(runsAtMs, 'RunMoneyOut')
    case 'PROCESSING':
    case 'BROADCAST':
      return at(call!.dueAtMs, 'AskAgainForMoneyOut')
    default:
      return null
  }
}

const ofTransfer = (type: EventType, atMs: number, transfer: Transfer): readonly DraftPublicEvent[] => [
  { type, atMs, subject: { object: 'transfer', transfer } },
]

export const transferKind = moneyOutKind<Transfer>({
  prefix: 'trf',
  namedBy: 'transferId',
  targetOf: ({ id: transferId }) => ({ transferId }),
  label: ({ status, method }) => `${status} ${method}`,
  auditedTerms: ({ method: kind, amountCents, payee, runsAtMs: runsAt }) => ({
    kind,
    amount: String(amountCents),
    payee: payee.name,
    runsAt,
  }),
  publishes: {
    MoneyOutCreated: ({ atMs }, after) =>
      ofTransfer(
        after.status === 'PENDING_APPROVAL' ? 'transfer.pending_approval' : 'transfer.scheduled',
        atMs,
        after,
      ),
    MoneyOutScheduled: ({ atMs }, after) => ofTransfer('transfer.scheduled', atMs, after),
    MoneyOutRecalled: ({ atMs }, after) => ofTransfer('transfer.pending_approval', atMs, after),
    MoneyOutCompleted: ({ atMs }, after) => ofTransfer('transfer.completed', atMs, after),
    MoneyOutFailed: ({ atMs }, after) => ofTransfer('transfer.failed', atMs, after),
    MoneyOutCameBack: ({ atMs }, after) => ofTransfer('transfer.returned', atMs, after),
  },
})

const ofWithdrawal = (type: EventType, atMs: number, withdrawal: Withdrawal): readonly DraftPublicEvent[] => [
  { type, atMs, subject: { object: 'crypto_withdrawal', withdrawal } },
]

export const withdrawalKind = moneyOutKind<Withdrawal>({
  prefix: 'wdr',
  namedBy: 'withdrawalId',
  targetOf: ({ id: withdrawalId }) => ({ withdrawalId }),
  label: ({ status, payee: { asset, network } }) => `${status} ${asset} ${network}`,
  auditedTerms: ({ payee: { asset, name, address }, amountCents, worthCents }) => ({
    asset,
    cryptoAmount: decimalOf(amountCents),
    quotedAmount: String(worthCents),
    wallet: name,
    address,
  }),
  publishes: {
    MoneyOutCompleted: ({ atMs }, after) => ofWithdrawal('crypto.withdrawal_completed', atMs, after),
    MoneyOutFailed: ({ atMs }, after) => ofWithdrawal('crypto.withdrawal_failed', atMs, after),
  },
})
