import { assert, unreachable } from '../shared/assert.ts'
import type { Account, AccountEvent, LedgerEvent } from './account.ts'
import type { AccountPart, AccountPartRegistry } from './account-part.ts'
import { emptyBalances, post } from './postings.ts'
import { rescheduled } from './schedule.ts'

/** Builds the account's evolve function with these parts. */
export const evolveAccountWith = (
  registry: AccountPartRegistry,
): ((account: Account | undefined, event: AccountEvent) => Account) => {
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
    return evolve === undefined ? evolveLedger(account, event as OwnEvent) : evolve(account, event)
  }
}

/** A part with its fact type erased: callers pass each function its own facts. */
type AnyPart = Pick<AccountPart, 'opened' | 'cleared'> & {
  readonly evolve: Readonly<Record<string, (account: Account, event: AccountEvent) => Account>>
}

type Opened = Extract<LedgerEvent, { type: 'AccountOpened' }>
type OwnEvent = Exclude<LedgerEvent, { type: 'AccountOpened' | 'SandboxCleared' }>

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

const cleared = (account: Account): Account => ({ ...account, balances: emptyBalances, schedule: {} })

const evolveLedger = (account: Account, event: OwnEvent): Account => {
  switch (event.type) {
    case 'ProfileChanged':
      return { ...account, profile: event.profile }
    case 'PaymentBooked':
    case 'ReversalBooked':
    case 'SettlementCompleted':
      return {
        ...account,
        balances: post(account.balances, event.postings),
        schedule: rescheduled(account.schedule, event.schedule),
      }
    case 'SharesBooked':
      return { ...account, balances: post(account.balances, event.postings) }
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
