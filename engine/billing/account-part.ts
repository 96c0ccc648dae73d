import { type AccountFactOf, copiedAccount } from '../ledger/account.ts'
import type { AccountPart } from '../ledger/account-part.ts'
import type { PlanId } from '../shared/ids.ts'
import {
  type DunningPolicies,
  type DunningPolicy,
  noPolicies,
  withoutPolicy,
  withPolicy,
} from './catalog/dunning.ts'
import {
  copiedFigures,
  counted,
  noFigures,
  type RecurringChange,
  type RecurringFigures,
} from './figures/figures.ts'

declare module '../ledger/account.ts' {
  interface AccountParts {
    readonly dunning: DunningPolicies
    readonly recurring: RecurringFigures
  }
  interface AccountPartFacts {
    readonly billing: BillingFact
  }
}

type BillingFact =
  /** The policy of one plan; `null` stands for the company's own. */
  | (AccountFactOf<'DunningPolicySet'> & { readonly planId: PlanId | null; readonly policy: DunningPolicy })
  | (AccountFactOf<'DunningPolicyRemoved'> & { readonly planId: PlanId })
  | (AccountFactOf<'InvoiceNumbered'> & { readonly number: number })
  | (AccountFactOf<'RecurringCounted'> & RecurringChange)

/** An account's dunning policies, and the figures of its subscriptions, which overviews read instead of them. */
export const billingAccountPart: AccountPart<'billing'> = {
  opened: { dunning: noPolicies, recurring: noFigures },
  // Invoice numbers are never reused, not even after a reset.
  cleared: ({ recurring: { invoicesIssued } }) => ({
    dunning: noPolicies,
    recurring: { ...noFigures, invoicesIssued },
  }),
  auditedFields: ({ dunning: { company, plans } }) => ({ dunning: company, dunningOfPlans: plans }),
  evolve: {
    DunningPolicySet: (account, { planId, policy, atMs }) => ({
      ...account,
      dunning: withPolicy(account.dunning, planId, { updatedAtMs: atMs, ...policy }),
    }),
    DunningPolicyRemoved: (account, { planId }) => ({
      ...account,
      dunning: withoutPolicy(account.dunning, planId),
    }),
    InvoiceNumbered: (account, { number }) =>
      copiedAccount(account, { recurring: copiedFigures(account.recurring, { invoicesIssued: number }) }),
    RecurringCounted: (account, event) =>
      copiedAccount(account, { recurring: counted(account.recurring, event) }),
  },
}
