import { assert, unreachable } from '../shared/assert.ts'
import type { SettlementId } from '../shared/ids.ts'
import type { Currency } from '../shared/method.ts'
import {
  type Account,
  type AccountFact,
  type AwaitedShares,
  balancesIn,
  copiedAccount,
  type LedgerFact,
} from './account.ts'
import type { AccountPart, AccountPartRegistry } from './account-part.ts'
import { emptyBalances, type Posting, post } from './postings.ts'
import { rescheduled } from './schedule.ts'

/** Builds the account's evolve function with these parts. */
export const evolveAccountWith = (
  registry: AccountPartRegistry,
): ((account: Account | undefined, event: AccountFact) => Account) => {
  const parts = Object.values(registry) as readonly AnyPart[]
  const ofPart = new Map(parts.flatMap(({ evolve }) => Object.entries(evolve)))
  return (account, event) => {
    if (event.type === 'AccountOpened') {
      assert(account === undefined, 'an account is opened once')
      return Object.assign(opened(event), ...parts.map(({ opened }) => opened))
    }
    assert(account !== undefined, `${event.type} follows AccountOpened`)
    if (event.type === 'SandboxCleared')
      return Object.assign(cleared(account), ...parts.map((part) => part.cleared(account)))
    const evolve = ofPart.get(event.type)
    return evolve === undefined ? evolveLedger(account, event as OwnFact) : evolve(account, event)
  }
}

/** A part with its fact type erased: callers pass each function its own facts. */
type AnyPart = Pick<AccountPart, 'opened' | 'cleared'> & {
  readonly evolve: Readonly<Record<string, (account: Account, event: AccountFact) => Account>>
}

type Opened = Extract<LedgerFact, { type: 'AccountOpened' }>
type OwnFact = Exclude<LedgerFact, { type: 'AccountOpened' | 'SandboxCleared' }>

const opened = ({ id, profile, pixKey, atMs }: Opened) => ({
  id,
  profile,
  pixKey,
  clockOffsetMs: 0,
  advance: null,
  balances: emptyBalances,
  schedule: {},
  openedAtMs: atMs,
})

const cleared = ({ assets: _, ...account }: Account): Account => ({
  ...account,
  balances: emptyBalances,
  schedule: {},
  sharesToCome: {},
  sharesUnmoved: 0n,
})

const evolveLedger = (account: Account, event: OwnFact): Account => {
  switch (event.type) {
    case 'ProfileChanged':
      return { ...account, profile: event.profile }
    case 'PaymentBooked':
    case 'ReversalBooked':
      return withPostings(account, event.postings, event.currency, {
        schedule: rescheduled(account.schedule, event.schedule),
      })
    case 'FundsMoved':
      return withPostings(account, event.postings, event.currency)
    case 'SettlementCompleted':
      return withSettled(
        withPostings(account, event.postings, event.currency, {
          schedule: rescheduled(account.schedule, event.schedule),
        }),
        event.settlement.id,
      )
    case 'SharesBooked':
      return event.awaited.reduce(withAwaited, withPostings(account, event.postings))
    case 'ClockAdvanceStarted':
      return { ...account, advance: { nowMs: event.atMs, targetMs: event.targetMs } }
    case 'ClockAdvanced':
      assert(account.advance !== null, 'a clock advances that was started')
      return { ...account, advance: { ...account.advance, nowMs: event.atMs } }
    case 'ClockMoved':
      return { ...account, clockOffsetMs: event.clockOffsetMs, advance: null }
    case 'SampleEventRequested':
      return account
    default:
      return unreachable(event)
  }
}

/** Recipients' shares of a settlement that has reached the balance wait there until they are moved. */
const withSettled = (account: Account, id: SettlementId): Account => {
  const { [id]: cents, ...sharesToCome } = account.sharesToCome ?? {}
  if (cents === undefined) return account
  return { ...account, sharesToCome, sharesUnmoved: (account.sharesUnmoved ?? 0n) + BigInt(cents) }
}

const withAwaited = (account: Account, { settlementId, cents }: AwaitedShares): Account => {
  const { [settlementId]: before, ...others } = account.sharesToCome ?? {}
  if (before !== undefined || cents > 0) {
    const after = (before ?? 0) + cents
    return { ...account, sharesToCome: after === 0 ? others : { ...others, [settlementId]: after } }
  }
  const left = (account.sharesUnmoved ?? 0n) + BigInt(cents)
  // Shares booked before accounts counted them are not missing, so the sum stops at zero.
  return { ...account, sharesUnmoved: left > 0n ? left : 0n }
}

/** The account with these postings in a currency, and with other changes. */
export const withPostings = (
  account: Account,
  postings: readonly Posting[],
  currency: Currency = 'BRL',
  changes?: Partial<Account> | undefined,
): Account => {
  const balances = post(balancesIn(account, currency), postings)
  const bookings = (account.bookings ?? 0) + 1
  const booked =
    currency === 'BRL'
      ? { balances, bookings }
      : { assets: { ...account.assets, [currency]: balances }, bookings }
  return copiedAccount(account, booked, changes)
}
