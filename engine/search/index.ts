/**
 * One search over everything that people name: transactions, customers, subscriptions, invoices, plans, coupons,
 * deliveries and money out; and how that is called which the audit log is about.
 */
import './queries.ts'
import { actsAnswers } from './acts.ts'
import { searchAnswers } from './answers.ts'

/** What the engine takes from this folder. The bare imports bring what it adds to the types of the kernel. */
export const searchModule = {
  answers: { ...searchAnswers, ...actsAnswers },
}
