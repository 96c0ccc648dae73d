import type { FlushedEntry, Step } from '../../engine/kernel/step.ts'
import { reconciliationStatusOf } from '../../engine/reconciliation/reconciliation.ts'
import type { AccountId, ConnectionId } from '../../engine/shared/ids.ts'
import type { InboxAlert } from './reporting.ts'

/** What the books of the accounts here have that people should look at, as entries change it. */
export type BooksWatch = {
  /** Takes up an account as it is by now. */
  readonly begin: (accountId: AccountId, found: BooksStanding) => void
  readonly forget: (accountId: AccountId) => void
  readonly onFlushed: (entry: FlushedEntry) => void
  /** Centavos in the ledger account `suspense`, and by which books of days differ that no one has accepted. */
  readonly sums: () => { readonly suspenseCents: number; readonly differenceCents: number }
}

export type BooksStanding = {
  readonly suspenseCents: number
  /** By the ids of the days. */
  readonly differing: ReadonlyMap<string, number>
}

/** Watches no account yet. */
export const openBooksWatch = (onAlert: (alert: InboxAlert) => void): BooksWatch => {
  const accounts = new Map<AccountId, { suspenseCents: number; readonly differing: Map<string, number> }>()
  return {
    begin: (accountId, { suspenseCents, differing }) =>
      void accounts.set(accountId, { suspenseCents, differing: new Map(differing) }),
    forget: (accountId) => void accounts.delete(accountId),
    onFlushed: ({ accountId, steps }) => {
      const account = accounts.get(accountId)
      if (account === undefined) return
      for (const step of steps) {
        const { event, after } = step
        if (event.actor === 'account' && 'balances' in after)
          account.suspenseCents = Number(after.balances.suspense ?? 0n)
        if (event.actor === 'reconciliation' && 'differences' in after) {
          if (reconciliationStatusOf(after) === 'DIFFERENT')
            account.differing.set(after.id, after.differenceCents)
          else account.differing.delete(after.id)
        }
        const alert = alertOf(step)
        if (alert !== null) onAlert({ accountId, ...alert })
      }
    },
    sums: () => {
      let [suspenseCents, differenceCents] = [0, 0]
      for (const account of accounts.values()) {
        suspenseCents += account.suspenseCents
        for (const cents of account.differing.values()) differenceCents += cents
      }
      return { suspenseCents, differenceCents }
    },
  }
}

/** What of it a person has to look at at once. */
const alertOf = ({ event, after }: Step): Omit<InboxAlert, 'accountId'> | null => {
  const connectionId = ('connectionId' in after ? after.connectionId : null) as ConnectionId | null
  if (connectionId === null) return null
  if (event.type === 'ReturnBegun' && event.returnReason === 'AMOUNT_MISMATCH')
    return { kind: 'AMOUNT_MISMATCH', connectionId, detail: event.payment.endToEndId }
  if (event.type === 'ReturnRefused' && event.retryAtMs === null)
    return { kind: 'RETURN_FAILED', connectionId, detail: event.receivedPixId }
  if (event.type === 'SuspenseReturnRefused' && event.retryAtMs === null)
    return { kind: 'RETURN_FAILED', connectionId, detail: event.id }
  return null
}
