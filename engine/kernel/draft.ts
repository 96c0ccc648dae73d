import type { AccountId } from '../shared/ids.ts'
import type { Context } from './context.ts'
import type { Journal, Memory } from './ports.ts'
import { accountOf } from './reader.ts'
import type {
  ActorChanges,
  ActorKind,
  ActorState,
  ActorStates,
  AnyFact,
  ListedKind,
  Rejection,
} from './registry.ts'
import { type Step, stateAfter } from './step.ts'

/**
 * The changes of a command while it is being decided: its facts in order, each with the state it leads to. Reads see
 * those states. A rejection discards the whole draft.
 */
export type Draft = {
  readonly context: Context
  readonly account: () => ActorStates['account']
  /** An actor of this account, with the draft's changes. */
  readonly find: <Kind extends ActorKind>(kind: Kind, id: string) => ActorStates[Kind] | undefined
  /** The account's actors found by this key before the command, oldest first (see `lookupKeys` in `actor.ts`). */
  readonly lookup: <Kind extends ListedKind>(kind: Kind, key: string) => readonly ActorStates[Kind][]
  /** The id of the oldest of them, without its state; for kinds whose keys never change. */
  readonly lookupId: <Kind extends ListedKind>(kind: Kind, key: string) => ActorStates[Kind]['id'] | undefined
  /** The transaction that a refund, chargeback or MED belongs to. */
  readonly transactionOfReversal: (reversalId: string) => ActorStates['transaction'] | undefined
  /** The actor as it was before this command. */
  readonly before: <Kind extends ActorKind>(kind: Kind, id: string) => ActorStates[Kind] | undefined
  readonly add: (...events: readonly AnyFact[]) => void
  /** Facts as they will be read back (`Journal.asWritten`), which is how they are added. */
  readonly written: <Decided extends AnyFact>(events: readonly Decided[]) => readonly Decided[]
  /** Lets other folders react to an actor's change, after its facts are added. */
  readonly react: <Kind extends keyof ActorChanges>(kind: Kind, change: ActorChanges[Kind]) => void
  /** Runs work whose facts are discarded when it is rejected. */
  readonly attempt: (work: () => Rejection | null) => Rejection | null
  readonly steps: readonly Step[]
}

/** How other folders react when an actor of a kind has changed, in this order. A reaction cannot reject. */
export type Reactions = {
  readonly [Name in keyof ActorChanges]: readonly ((draft: Draft, change: ActorChanges[Name]) => void)[]
}

type DraftActors = {
  readonly evolve: (state: ActorState | undefined, event: AnyFact) => ActorState
  readonly reactions: Reactions
}

/** An empty draft for one command of an account. */
export const newDraft = (
  { evolve, reactions }: DraftActors,
  memory: Memory,
  accountId: AccountId,
  context: Context,
  asWritten: Journal['asWritten'] = undefined,
): Draft => {
  const steps: Step[] = []

  const own = <State extends ActorState>(state: State | undefined): State | undefined =>
    state !== undefined && accountOf(state) === accountId ? state : undefined

  /** Actors already read: memory does not change meanwhile, and one decision reads the same few many times. */
  const found = new Map<string, { readonly kind: ActorKind; readonly state: ActorState | undefined }>()

  const before: Draft['before'] = <Kind extends ActorKind>(kind: Kind, id: string) => {
    const known = found.get(id)
    if (known?.kind === kind) return known.state as ActorStates[Kind] | undefined
    const state = own(memory.find(kind, id)?.state)
    found.set(id, { kind, state })
    return state
  }

  const find: Draft['find'] = <Kind extends ActorKind>(kind: Kind, id: string) =>
    (stateAfter(steps, id) as ActorStates[Kind] | undefined) ?? before(kind, id)

  const written: Draft['written'] = (events) =>
    asWritten === undefined ? events : events.map((event) => asWritten(event) as typeof event)

  const draft: Draft = {
    context,
    account: () => find('account', accountId)!,
    find,
    before,
    lookup: (kind, key) => memory.lookup(kind, accountId, key).map(({ state }) => state),
    lookupId: (kind, key) => memory.lookupId(kind, accountId, key) as never,
    transactionOfReversal: (reversalId) => {
      const id = memory.transactionOfReversal(reversalId)?.state.id
      return id === undefined ? undefined : find('transaction', id)
    },
    add: (...events) => {
      for (const event of written(events))
        steps.push({ event, after: evolve(find(event.actor, event.id), event) })
    },
    written,
    attempt: (work) => {
      const { length } = steps
      const rejection = work()
      if (rejection !== null) steps.length = length
      return rejection
    },
    react: (kind, change) => {
      for (const react of reactions[kind]) react(draft, change)
    },
    steps,
  }
  return draft
}
