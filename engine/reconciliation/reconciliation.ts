import type { ActorDefinition } from '../kernel/actor.ts'
import type { ActorFact } from '../kernel/fact.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import { type AccountId, type ConnectionId, companyIdOf, type ReconciliationId } from '../shared/ids.ts'
import type { Initiator } from '../shared/initiator.ts'
import type { Cents } from '../shared/money.ts'
import { isSameStatement, type StatementFile, type StrangePix, type ThirdBook } from './statement.ts'

declare module '../kernel/registry.ts' {
  interface ActorStates {
    readonly reconciliation: Reconciliation
  }
  interface ActorFacts {
    readonly reconciliation: ReconciliationFact
  }
}

/** A day of a connection: what its bank has of it, what we have, and where they differ (rails, section 2.7). All times are real. */
export type Reconciliation = ComparedDay & {
  readonly id: ReconciliationId
  readonly createdAtMs: number
  readonly updatedAtMs: number
  /** Who accepted the differences, and why; null while they are not. */
  readonly accepted: AcceptedDifference | null
  /** What was compared of the bank's statement. Missing where none was. */
  readonly third?: ThirdBook
  /** The PIX that left by the statement and are none of ours, as far as was known: the first of very many. Missing where there is none. */
  readonly strange?: readonly StrangePix[]
  /** The newest file of a statement that a person gave. Missing where no one did. */
  readonly file?: StatementFile
}

export type ComparedDay = {
  readonly accountId: AccountId
  /** Null in the Sandbox, which has no connections. */
  readonly connectionId: ConnectionId | null
  readonly providerId: string
  /** A day of the company's time zone. */
  readonly date: CalendarDate
  /** By the list of the bank's interface. */
  readonly bank: DayBook
  readonly ours: DayBook
  /** By the bank's statement of the day; null where the bank has none that can be read. */
  readonly statement: DayBook | null
  readonly differences: readonly Difference[]
  /** How many there are: a fact holds the first of very many. */
  readonly differencesCount: number
  /** Their amounts together, each as a distance. */
  readonly differenceCents: Cents
}

/** What was paid on a day, and what of it went back until it was compared. */
export type DayBook = {
  readonly count: number
  readonly amountCents: Cents
  readonly returnedCents: Cents
}

/** A payment, or a whole book, of which two say something else. */
export type Difference = {
  readonly kind: DifferenceKind
  /** Null where a statement has none, or where it differs as a whole. */
  readonly endToEndId: string | null
  readonly txid: string | null
  /** Null where the bank has it not. */
  readonly bankCents: Cents | null
  /** Null where we have it not. */
  readonly oursCents: Cents | null
}

/**
 * At the bank and not here; here and not at the bank; another amount; another sum that went back; and a statement of the bank whose sums are not
 * its list's. Then what the bank's statement has alone, what it has not, what it has with another amount; and other fees than the terms say.
 */
export const differenceKinds = [
  'MISSING_HERE',
  'MISSING_AT_BANK',
  'AMOUNT',
  'RETURNS',
  'STATEMENT',
  'STATEMENT_ONLY',
  'MISSING_IN_STATEMENT',
  'STATEMENT_AMOUNT',
  'TARIFF',
] as const
export type DifferenceKind = (typeof differenceKinds)[number]

export type AcceptedDifference = {
  readonly by: Initiator
  readonly reason: string
  readonly atMs: number
}

export type ReconciliationFact =
  /** It carries all of the comparison; the day may be compared once more. */
  | (Fact<'DayCompared'> & { readonly compared: ComparedDay })
  /** The same with the bank's statement. */
  | (Fact<'ThreeBooksCompared'> & { readonly compared: ComparedDay; readonly third: ThirdBook })
  /** What left by that statement for nothing that was known, in the entry of its comparison. */
  | (Fact<'StrangePixShown'> & { readonly strange: readonly StrangePix[] })
  /** A person gave a file with the bank's statement of the day. It is compared after that. */
  | (Fact<'StatementGiven'> & { readonly file: StatementFile })
  | (Fact<'DifferenceAccepted'> & { readonly by: Initiator; readonly reason: string })

type Fact<Type extends string> = ActorFact<'reconciliation', Type>

export const reconciliationStatuses = ['EQUAL', 'DIFFERENT', 'ACCEPTED'] as const
export type ReconciliationStatus = (typeof reconciliationStatuses)[number]

/** Whether the books agree, or a person has said that they need not. */
export const reconciliationStatusOf = ({
  differencesCount,
  accepted,
}: Pick<Reconciliation, 'differencesCount' | 'accepted'>): ReconciliationStatus =>
  differencesCount === 0 ? 'EQUAL' : accepted === null ? 'DIFFERENT' : 'ACCEPTED'

/** The most differences that one comparison holds one by one. */
export const differencesMax = 500

/** The id of a day of a connection: there is one of each. In the Sandbox, which has no connections, it is of the company. */
export const reconciliationIdOf = (
  accountId: AccountId,
  connectionId: ConnectionId | null,
  date: CalendarDate,
): ReconciliationId => {
  const owner = connectionId ?? companyIdOf(accountId)
  // The random part of a ULID, and the day.
  return `rcn_00${date.replaceAll('-', '')}${owner.slice(-16)}` as ReconciliationId
}

export const reconciliationKind: ActorDefinition<Reconciliation, ReconciliationFact> = {
  prefix: 'rcn',
  namedBy: 'reconciliationId',
  evolve: (state, event) => {
    const { id, atMs } = event
    switch (event.type) {
      case 'DayCompared':
      case 'ThreeBooksCompared': {
        const { compared } = event
        return {
          ...compared,
          id,
          createdAtMs: state?.createdAtMs ?? atMs,
          updatedAtMs: atMs,
          // What a person accepted may have been other differences.
          accepted: state !== undefined && hasSameDifferences(state, compared) ? state.accepted : null,
          ...(event.type === 'ThreeBooksCompared' && { third: event.third }),
          ...(state?.file && { file: state.file }),
        }
      }
      case 'DifferenceAccepted': {
        assert(state !== undefined, 'DifferenceAccepted follows DayCompared')
        const { by, reason } = event
        return { ...state, updatedAtMs: atMs, accepted: { by, reason, atMs } }
      }
      case 'StrangePixShown':
        assert(state !== undefined, 'StrangePixShown follows ThreeBooksCompared')
        return { ...state, strange: event.strange }
      case 'StatementGiven':
        assert(state !== undefined, 'StatementGiven follows DayCompared')
        return { ...state, updatedAtMs: atMs, file: event.file }
      default:
        return unreachable(event)
    }
  },
  createdAtMs: ({ createdAtMs }) => createdAtMs,
  label: (state) => `${reconciliationStatusOf(state)} ${state.connectionId ?? ''}`,
  lookupKeys: (state) =>
    state.connectionId !== null && awaitsComparison(state) ? [awaitingKey(state.connectionId)] : [],
  auditedFields: (state) => ({
    date: state.date,
    status: reconciliationStatusOf(state),
    difference: state.differenceCents,
    reason: state.accepted?.reason ?? null,
    statement: state.file?.digest ?? null,
  }),
}

/** The key of the days of a connection whose statements no comparison has looked at. */
export const awaitingKey = (connectionId: ConnectionId): string => `AWAITING ${connectionId}`

/** Whether a comparison finds the same differences as the one before: what was accepted stays so. */
export const hasSameDifferences = (
  one: Pick<ComparedDay, DifferenceMember>,
  other: Pick<ComparedDay, DifferenceMember>,
): boolean => members.every((name) => JSON.stringify(one[name]) === JSON.stringify(other[name]))

const members = ['differences', 'differencesCount', 'differenceCents'] as const
type DifferenceMember = (typeof members)[number]

/** Whether a statement was given that no comparison has looked at. What the bank itself gives comes before any file. */
export const awaitsComparison = ({ file, third }: Pick<Reconciliation, 'file' | 'third'>): boolean =>
  file !== undefined && third?.source !== 'BANK' && !isSameStatement(file, third)
