import type { ActorDefinition } from '../../kernel/actor.ts'
import type { ActorFact } from '../../kernel/fact.ts'
import { assert, unreachable } from '../../shared/assert.ts'
import type { AccountId, ConnectionId, SuspenseId, TransactionId } from '../../shared/ids.ts'
import type { Initiator } from '../../shared/initiator.ts'
import { type Cents, toCents } from '../../shared/money.ts'
import type { PixAtBank } from '../methods/pix/pix.ts'

declare module '../../kernel/registry.ts' {
  interface ActorStates {
    readonly suspense: Suspense
  }
  interface ActorFacts {
    readonly suspense: SuspenseFact
  }
}

declare module '../../kernel/calls.ts' {
  interface ProviderRequests {
    readonly suspense: SuspenseReturnRequest
  }
}

/** Money that a bank took for the account and that belongs to nothing here, until people have decided what it is. */
export type Suspense = UnmatchedPix & {
  readonly id: SuspenseId
  readonly status: SuspenseStatus
  /** What the bank has sent back of it, by our request or without one. */
  readonly returns: readonly SuspenseReturned[]
  /** Our latest return to the payer; null if there was none. */
  readonly returning: SuspenseReturning | null
  /** What it was assigned to: a charge, or a deposit of its own. */
  readonly transactionId: TransactionId | null
  /** Who wants to write it off; it takes another person to do it. */
  readonly proposed: WriteOffProposal | null
  readonly createdAtMs: number
  readonly updatedAtMs: number
  readonly resolvedAtMs: number | null
}

/** `OPEN` waits for people; while it is `RETURNING` it is neither assigned nor written off. */
export const suspenseStatuses = ['OPEN', 'RETURNING', 'RETURNED', 'ASSIGNED', 'WRITTEN_OFF'] as const
export type SuspenseStatus = (typeof suspenseStatuses)[number]

/** A part that went back, by the ids of the bank. */
export type SuspenseReturned = {
  /** Ours where we asked for it. */
  readonly bankReturnId: string | null
  /** The end-to-end id of the return; null where the bank does not say. */
  readonly returnId: string | null
  readonly amountCents: Cents
  readonly atMs: number
}

/** A return that we ask the bank for. */
export type SuspenseReturning = {
  readonly by: Initiator
  readonly amountCents: Cents
  /** How often it was begun, from 1, each time by an id that the bank had not seen. */
  readonly attempts: number
  /** The attempts since a person last requested it. */
  readonly attemptsSinceRequest: number
  /** The call of the attempt that is open; null between two, and after the last. */
  readonly callId: string | null
  readonly unanswered: number
  readonly openedAtMs: number
  /** When the call is repeated, or another attempt begun; null while the bank is asked, and after the last one. */
  readonly dueAtMs: number | null
  /** Why the bank refused the last attempt. */
  readonly message: string | null
}

export type WriteOffProposal = { readonly by: Initiator; readonly reason: string; readonly atMs: number }

/** What the bank says of it. */
export type UnmatchedPix = PixAtBank & {
  readonly accountId: AccountId
  /** The connection that it came by; null where the provider of the environment took it, as in the Sandbox. */
  readonly connectionId: ConnectionId | null
  readonly providerId: string
  readonly txid: string | null
  readonly pixKey: string | null
}

/** Asks the bank to send money in suspense back to its payer. Plain data. */
export type SuspenseReturnRequest = {
  readonly reference: string
  readonly operation: 'RETURN_SUSPENSE'
  /** How often it may have been sent before. */
  readonly asked: number
  readonly rail: 'PIX'
  readonly accountId: AccountId
  readonly suspenseId: SuspenseId
  readonly providerId: string
  readonly connectionId: string | null
  readonly amountCents: Cents
  readonly endToEndId: string
  /** The id of this attempt at the bank. */
  readonly returnReference: string
  readonly openedAtMs: number
  readonly nowMs: number
}

export type SuspenseFact =
  | (Fact<'SuspenseOpened'> & { readonly unmatched: UnmatchedPix })
  | (Fact<'SuspenseAssigned'> & { readonly by: Initiator; readonly transactionId: TransactionId })
  | (Fact<'WriteOffProposed'> & { readonly by: Initiator; readonly reason: string })
  | (Fact<'SuspenseWrittenOff'> & { readonly by: Initiator; readonly reason: string })
  /** The intent of an attempt: the bank is asked once this is on disk. */
  | (Fact<'SuspenseReturnBegun'> & {
      readonly by: Initiator
      readonly callId: string
      readonly amountCents: Cents
    })
  | (Fact<'SuspenseReturnRepeated'> & { readonly callId: string })
  /** The bank has not decided, or said nothing. */
  | (Fact<'SuspenseReturnUnanswered'> & { readonly callId: string; readonly dueAtMs: number })
  /** The bank sent nothing. Without another attempt the money is in suspense as before. */
  | (Fact<'SuspenseReturnRefused'> & {
      readonly callId: string
      readonly message: string
      readonly retryAtMs: number | null
    })
  /** Money went back: by our call, or without one where a person used the bank's app. */
  | (Fact<'SuspenseReturned'> & {
      readonly callId: string | null
      readonly bankReturnId: string | null
      readonly returnId: string | null
      readonly amountCents: Cents
    })

type Fact<Type extends string> = ActorFact<'suspense', Type>

/** What of it the bank still has. */
export const leftInSuspenseCents = ({
  amountCents,
  returns,
}: Pick<Suspense, 'amountCents' | 'returns'>): Cents =>
  toCents(returns.reduce<number>((left, returned) => left - returned.amountCents, amountCents))

/** Whether it counts in the ledger account `suspense`. */
export const isSuspended = ({ status }: Pick<Suspense, 'status'>): boolean =>
  status === 'OPEN' || status === 'RETURNING'

/** The id of an attempt at a return, from 1: the first has that of the money, and each later one its number behind it. */
export const suspenseReturnReference = ({ id }: Pick<Suspense, 'id'>, attempt: number): string => {
  const ulid = id.slice(id.indexOf('_') + 1)
  return attempt === 1 ? ulid : ulid + attempt
}

export const suspenseKind: ActorDefinition<Suspense, SuspenseFact> = {
  prefix: 'ssp',
  namedBy: 'suspenseId',
  evolve: (state, event) => {
    if (event.type === 'SuspenseOpened') {
      assert(state === undefined, 'money enters suspense once')
      return opened(event)
    }
    assert(state !== undefined && isSuspended(state), `${event.type} is about money that is in suspense`)
    return { ...changed(state, event), updatedAtMs: event.atMs }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: ({ status }) => status,
  lookupKeys: ({ endToEndId }) => [endToEndId],
  timer: ({ id: suspenseId, accountId, returning }) =>
    returning?.dueAtMs == null
      ? null
      : {
          dueAtMs: returning.dueAtMs,
          command: {
            type: 'RepeatSuspenseReturn',
            accountId,
            by: { kind: 'CLOCK', id: null },
            suspenseId,
          },
        },
  awaitsProvider: ({ returning }) => returning !== null && returning.callId !== null,
  calls: {
    madeBy: (event) =>
      event.type === 'SuspenseReturnBegun' || event.type === 'SuspenseReturnRepeated' ? event.callId : null,
    answeredBy: (event) =>
      event.type === 'SuspenseReturnUnanswered' ||
      event.type === 'SuspenseReturnRefused' ||
      event.type === 'SuspenseReturned'
        ? event.callId
        : null,
    request: (state, reference, nowMs) => requestOf(state, reference, nowMs),
    onTheirWay: ({ returning }) =>
      returning !== null && returning.callId !== null && returning.dueAtMs === null ? [returning.callId] : [],
    isOpen: ({ returning }, callId) => returning?.callId === callId,
  },
  auditedFields: ({ status, amountCents, transactionId, proposed }) => ({
    status,
    amount: amountCents,
    transactionId,
    writeOffReason: proposed?.reason ?? null,
  }),
}

const opened = ({ id, atMs, unmatched }: Extract<SuspenseFact, { type: 'SuspenseOpened' }>): Suspense => ({
  ...unmatched,
  id,
  status: 'OPEN',
  returns: [],
  returning: null,
  transactionId: null,
  proposed: null,
  createdAtMs: atMs,
  updatedAtMs: atMs,
  resolvedAtMs: null,
})

const changed = (
  state: Suspense,
  event: Exclude<SuspenseFact, { readonly type: 'SuspenseOpened' }>,
): Suspense => {
  const { atMs } = event
  switch (event.type) {
    case 'SuspenseAssigned':
      return { ...state, status: 'ASSIGNED', transactionId: event.transactionId, resolvedAtMs: atMs }
    case 'WriteOffProposed':
      return { ...state, proposed: { by: event.by, reason: event.reason, atMs } }
    case 'SuspenseWrittenOff':
      return { ...state, status: 'WRITTEN_OFF', resolvedAtMs: atMs }
    case 'SuspenseReturnBegun': {
      const { by, callId, amountCents } = event
      const before = by.kind === 'CLOCK' ? state.returning : null
      return {
        ...state,
        status: 'RETURNING',
        // What is sent back is not written off, whatever was proposed before.
        proposed: null,
        returning: {
          by: before?.by ?? by,
          amountCents,
          attempts: (state.returning?.attempts ?? 0) + 1,
          attemptsSinceRequest: (before?.attemptsSinceRequest ?? 0) + 1,
          callId,
          unanswered: 0,
          openedAtMs: atMs,
          dueAtMs: null,
          message: null,
        },
      }
    }
    case 'SuspenseReturnRepeated':
      return withReturning(state, { dueAtMs: null })
    case 'SuspenseReturnUnanswered':
      return withReturning(state, {
        unanswered: state.returning!.unanswered + 1,
        dueAtMs: event.dueAtMs,
      })
    case 'SuspenseReturnRefused': {
      const { message, retryAtMs } = event
      const status = retryAtMs === null ? 'OPEN' : 'RETURNING'
      return { ...withReturning(state, { callId: null, message, dueAtMs: retryAtMs }), status }
    }
    case 'SuspenseReturned':
      return returnedTo(state, event)
    default:
      return unreachable(event)
  }
}

const withReturning = (state: Suspense, changes: Partial<SuspenseReturning>): Suspense => ({
  ...state,
  returning: { ...state.returning!, ...changes },
})

/** A part that went back leaves the rest where it is. */
const returnedTo = (
  state: Suspense,
  {
    callId,
    bankReturnId,
    returnId,
    amountCents,
    atMs,
  }: Extract<SuspenseFact, { readonly type: 'SuspenseReturned' }>,
): Suspense => {
  const returns = [...state.returns, { bankReturnId, returnId, amountCents, atMs }]
  const isWhole = leftInSuspenseCents({ ...state, returns }) === 0
  const ended = { callId: null, dueAtMs: null, message: null }
  const isEnded = isWhole || callId !== null
  const returning = state.returning && (isEnded ? { ...state.returning, ...ended } : state.returning)
  if (isWhole) return { ...state, returns, returning, status: 'RETURNED', resolvedAtMs: atMs }
  return { ...state, returns, returning, status: callId === null ? state.status : 'OPEN' }
}

const requestOf = (state: Suspense, reference: string, nowMs: number): SuspenseReturnRequest => {
  const { id: suspenseId, accountId, providerId, connectionId, endToEndId, returning } = state
  assert(returning !== null && returning.callId === reference, 'a return that is open is requested')
  const { amountCents, attempts, unanswered: asked, openedAtMs } = returning
  return {
    reference,
    operation: 'RETURN_SUSPENSE',
    asked,
    rail: 'PIX',
    accountId,
    suspenseId,
    providerId,
    connectionId,
    amountCents,
    endToEndId,
    returnReference: suspenseReturnReference(state, attempts),
    openedAtMs,
    nowMs,
  }
}
