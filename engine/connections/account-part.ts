import type { AccountFactOf } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'
import type { CalendarDate } from '../shared/calendar.ts'
import type { ConnectionId } from '../shared/ids.ts'
import type { Cents } from '../shared/money.ts'
import type { RailConnection, RailState } from './rail-connection.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    /** Its connections to banks and acquirers, in the order in which they came. Missing before the first. */
    readonly rails?: readonly RailConnection[]
    /** By how much banks took other fees than the books have, by connection and day. Missing while there are none. */
    readonly feeDifferences?: FeeDifferences
  }
  interface AccountPartFacts {
    readonly connections: ConnectionAccountFact
  }
}

type ConnectionAccountFact =
  /** The account may use a connection from now on, or knows it as it is now. No secret is part of it. */
  | (AccountFactOf<'RailConnected'> & { readonly connection: RailConnection })
  | (AccountFactOf<'RailChanged'> & {
      readonly connectionId: ConnectionId
      readonly state: RailState
      readonly revision: number
    })
  /** By how much a bank took other fees on a day than the books have; another difference of the day is replaced. */
  | (AccountFactOf<'FeeDifferenceRecorded'> & {
      readonly connectionId: ConnectionId
      readonly day: CalendarDate
      readonly cents: Cents
      readonly reason: string
    })

type FeeDifferences = Readonly<Record<ConnectionId, Readonly<Record<CalendarDate, Cents>>>>

/** The connections of an account. */
export const connectionsAccountPart: AccountPart<'connections'> = {
  opened: {},
  // Only a Sandbox is cleared, and that has none.
  cleared: () => ({}),
  evolve: {
    RailConnected: (account, { connection }) => {
      const rails = account.rails ?? []
      const isKnown = rails.some(({ connectionId }) => connectionId === connection.connectionId)
      return {
        ...account,
        rails: isKnown
          ? rails.map((known) => (known.connectionId === connection.connectionId ? connection : known))
          : [...rails, connection],
      }
    },
    RailChanged: (account, { connectionId, state, revision }) => ({
      ...account,
      rails: (account.rails ?? []).map((known) =>
        known.connectionId === connectionId ? { ...known, state, revision } : known,
      ),
    }),
    FeeDifferenceRecorded: (account, { connectionId, day, cents }) => {
      const feeDifferences = account.feeDifferences ?? {}
      const ofConnection = { ...feeDifferences[connectionId], [day]: cents }
      return { ...account, feeDifferences: { ...feeDifferences, [connectionId]: ofConnection } }
    },
  },
}
