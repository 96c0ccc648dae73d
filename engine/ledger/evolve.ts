import { noPolicies, withoutPolicy, withPolicy } from '../billing/catalog/dunning.ts'
import { counted, noFigures } from '../billing/catalog/figures.ts'
import { assert, unreachable } from '../shared/assert.ts'
import type { Account, AccountEvent } from './account.ts'
import { emptyBalances, post } from './postings.ts'
import { rescheduled } from './schedule.ts'

/** What a fact makes of an account. */
export const evolveAccount = (account: Account | undefined, event: AccountEvent): Account => {
  if (event.type === 'AccountOpened') {
    assert(account === undefined, 'an account is opened once')
    return {
      id: event.id,
      profile: event.profile,
      pixKey: event.pixKey,
      clockOffsetMs: 0,
      advance: null,
      balances: emptyBalances,
      schedule: {},
      boletosIssued: 0,
      dunning: noPolicies,
      recurring: noFigures,
      openedAtMs: event.atMs,
    }
  }
  assert(account !== undefined, `${event.type} follows AccountOpened`)
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
    case 'BoletoNumbered':
      return { ...account, boletosIssued: event.number }
    case 'DunningPolicySet': {
      const policy = { ...event.policy, updatedAtMs: event.atMs }
      return { ...account, dunning: withPolicy(account.dunning, event.planId, policy) }
    }
    case 'DunningPolicyRemoved':
      return { ...account, dunning: withoutPolicy(account.dunning, event.planId) }
    case 'InvoiceNumbered':
      return { ...account, recurring: { ...account.recurring, invoicesIssued: event.number } }
    case 'RecurringCounted':
      return { ...account, recurring: counted(account.recurring, event) }
    case 'ClockAdvanceStarted':
      return { ...account, advance: { nowMs: event.atMs, targetMs: event.targetMs } }
    case 'ClockAdvanced':
      assert(account.advance !== null, 'a clock advances that was started')
      return { ...account, advance: { ...account.advance, nowMs: event.atMs } }
    case 'ClockMoved':
      return { ...account, clockOffsetMs: event.clockOffsetMs, advance: null }
    case 'SampleEventRequested':
      return account
    case 'SandboxCleared':
      return {
        ...account,
        balances: emptyBalances,
        schedule: {},
        dunning: noPolicies,
        // Numbers of invoices are not given twice.
        recurring: { ...noFigures, invoicesIssued: account.recurring.invoicesIssued },
      }
    default:
      return unreachable(event)
  }
}
