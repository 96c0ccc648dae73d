import { endOfDay, startOfDay } from '../shared/calendar.ts'
import { type AccountId, environmentOf } from '../shared/ids.ts'
import type { Rail } from '../shared/rail.ts'
import { clockNow } from './clock.ts'
import type { Institution } from './context.ts'
import type { Memory } from './ports.ts'
import type { DateRange, Listed, Paging } from './query.ts'
import type { ActorKind, ActorState, ActorStates, Answers, ListedKind, Query } from './registry.ts'
import type { Work } from './work.ts'

/** An answer and the newest sequence that it depends on, which must be on disk before the answer leaves the shard. */
export type QueryResult<Value> = { readonly value: Value; readonly sequence: number }

/** Answers a query: at once, or in slices when it may look at very many actors. */
export type Answerer<Asked extends Query> = (
  query: Asked,
  reader: Reader,
) => QueryResult<Answers[Asked['type']]> | Work<QueryResult<Answers[Asked['type']]>>

/** An answerer for each of these queries; a missing one does not compile. */
export type Answerers<Asked extends Query> = {
  readonly [Type in Asked['type']]: Answerer<Extract<Asked, { readonly type: Type }>>
}

/**
 * Reads the data for a query about one account. A single actor depends on its own last entry. Anything that reads many
 * depends on every entry appended so far, because they may have changed between slices.
 */
export type Reader = {
  readonly memory: Memory
  /** Undefined until it is opened. */
  readonly account: ActorStates['account'] | undefined
  /** Environment time. */
  readonly nowMs: number
  readonly realMs: number
  /** The last entry of the shard. */
  readonly appended: () => number
  /** The shard's number, part of event ids. */
  readonly shard: number
  /** The rails that have a provider for all accounts of the environment. */
  readonly everywhereRails: readonly Rail[]
  /** A result that read many actors: it depends on everything appended so far. */
  readonly result: <Value>(value: Value) => QueryResult<Value>
  /** One actor of the account; null if the account has none with this id. */
  readonly find: <Kind extends ActorKind>(kind: Kind, id: string) => QueryResult<ActorStates[Kind] | null>
  /** A page of actors, newest first. */
  readonly list: <Kind extends ListedKind>(
    kind: Kind,
    paging: Paging,
    fits: (label: string) => boolean,
    matches: ((state: ActorStates[Kind]) => boolean) | null,
    createdBeforeMs?: number | null,
  ) => Work<Listed<ActorStates[Kind]>>
  /** The actors with this lookup key, newest first. There are few, so all are read. */
  readonly listByKey: <Kind extends DatedKind>(
    kind: Kind,
    key: string,
    paging: Paging,
    matches: (state: ActorStates[Kind]) => boolean,
  ) => Listed<ActorStates[Kind]>
  /** The instants of a date range, whose days are in the company's time zone, and these days. */
  readonly spanOf: (period: DateRange) => Omit<DateRange, 'asOf'> & {
    readonly asOf: number
    readonly fromMs: number | null
    readonly toMs: number | null
  }
}

/** Kinds whose state has its time of creation. */
type DatedKind =
  | 'subscription'
  | 'invoice'
  | 'splitTransfer'
  | 'delivery'
  | 'auditEntry'
  | 'checkoutSession'
  | 'note'

/** Opens a reader for one query of an account at this real time. */
export const newReader = (
  accountId: AccountId,
  memory: Memory,
  realMs: number,
  appended: () => number,
  shard: number,
  { providers }: Pick<Institution, 'providers'>,
): Reader => {
  const account = memory.find('account', accountId)?.state
  const nowMs = account === undefined ? realMs : clockNow(account, realMs)

  const spanOf: Reader['spanOf'] = (period) => {
    const zone = account?.profile.timeZone ?? 'UTC'
    return {
      asOf: period.asOf ?? appended(),
      fromMs: period.from && startOfDay(zone, period.from),
      toMs: period.to && endOfDay(zone, period.to),
      from: period.from,
      to: period.to,
    }
  }

  return {
    memory,
    account,
    nowMs,
    realMs,
    shard,
    everywhereRails: Object.keys(providers[environmentOf(accountId)]) as Rail[],
    appended,
    spanOf,
    result: (value) => ({ value, sequence: appended() }),
    find: (kind, id) => {
      const kept = memory.find(kind, id)
      const isOwn = kept !== undefined && accountOf(kept.state) === accountId
      return { value: isOwn ? kept.state : null, sequence: kept?.sequence ?? 0 }
    },
    list: function* (kind, paging, fits, matches, createdBeforeMs = null) {
      const { asOf, fromMs, toMs: periodEndsMs } = spanOf(paging)
      const toMs =
        createdBeforeMs === null ? periodEndsMs : Math.min(createdBeforeMs, periodEndsMs ?? createdBeforeMs)
      const { states, total } = yield* memory.listing(accountId, kind, {
        offset: (paging.page - 1) * paging.pageSize,
        limit: paging.pageSize,
        asOf,
        fromMs,
        toMs,
        fits,
        matches,
      })
      return { rows: states, total, asOf, nowMs }
    },
    listByKey: (kind, key, paging, matches) => {
      const { asOf, fromMs, toMs } = spanOf(paging)
      const rows = memory
        .lookup(kind, accountId, key)
        .filter(({ state, createdSequence }) => {
          const { createdAtMs } = state
          if (createdSequence > asOf || (fromMs !== null && createdAtMs < fromMs)) return false
          return (toMs === null || createdAtMs < toMs) && matches(state)
        })
        .map(({ state }) => state)
        .sort((a, b) => b.createdAtMs - a.createdAtMs || (a.id < b.id ? 1 : -1))
      const first = (paging.page - 1) * paging.pageSize
      return { rows: rows.slice(first, first + paging.pageSize), total: rows.length, asOf, nowMs }
    },
  }
}

/** The account that an actor belongs to; an account belongs to itself. */
export const accountOf = (state: ActorState): AccountId => ('accountId' in state ? state.accountId : state.id)
