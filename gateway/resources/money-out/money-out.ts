// What the API shows of money that leaves: transfers and withdrawals, their payees, wallets, approvals and limits.
// Here is what transfers and withdrawals have in common.
import type { Step } from '../../../engine/kernel/step.ts'
import type { Account } from '../../../engine/ledger/account.ts'
import type { MoneyOut } from '../../../engine/money-out/money-out.ts'
import { assert } from '../../../engine/shared/assert.ts'
import { accountIdOf } from '../../../engine/shared/ids.ts'
import { toCents } from '../../../engine/shared/money.ts'
import { described } from '../../schema/named-schema.ts'
import { count, listOf, nullableText, ownMetadata } from '../fields.ts'
import { fieldsOf, same } from '../resource.ts'
import type { Sample } from '../sample.ts'
import { approvalReason } from './approval.ts'

export const versionField = [count('Grows with every change.'), same] as const
export const createdByField = [described(nullableText, 'Who asked for it, `per_…`.'), same] as const

/** The data of its own that a company sends with money out. */
export const ownDataFields = {
  externalId: [described(nullableText, 'Your own identifier.'), same],
  metadata: [ownMetadata, same],
} as const

/** What every preview says of approvals. */
export const previewFields = fieldsOf<MoneyOut>().with({
  approvalsRequired: [count('How many other people have to approve it.'), same],
  reasons: [listOf(approvalReason, 'Why they have to.'), ({ approvalReasons }) => approvalReasons],
})

/** Amount and fee together, as digits. */
export const totalOf = ({ amountCents, feeCents }: MoneyOut): string => String(amountCents + feeCents)

/** What is left of the tightest limit after it, as digits. */
export const limitLeftOf = ({ limitLeftCents }: MoneyOut): string => String(limitLeftCents)

/** The account as previewed money out would leave it by its steps. */
export const accountAfter = (steps: readonly Step[]): Account => {
  const account = steps.findLast(({ event }) => event.actor === 'account')?.after as Account | undefined
  assert(account !== undefined, 'money out is booked when it is created')
  return account
}

/**
 * What would be left of a balance, as digits: money out that waits for an approval or its day leaves the balance only then, and is
 * subtracted here.
 */
export const leftAfter = ({ status, amountCents, feeCents }: MoneyOut, balance: bigint): string => {
  const isBooked = status !== 'PENDING_APPROVAL' && status !== 'SCHEDULED'
  const left = isBooked ? balance : balance - BigInt(amountCents) - BigInt(feeCents)
  return String(left)
}

/** The members of all money out in sample events, without approvals. */
export const lifeSample = ({ id, atMs }: Sample) => ({
  accountId: accountIdOf(id('cmp'), 'SANDBOX'),
  scheduledFor: null,
  runsAtMs: atMs,
  approvalsRequired: 0,
  approvalReasons: [],
  limitLeftCents: toCents(0),
  approvalEndsAtMs: null,
  askedAtMs: atMs,
  decisions: [],
  counts: [],
  createdBy: id('per'),
  externalId: null,
  metadata: {},
  call: null,
  cancelReason: null,
  providerCode: null,
  isFirst: false,
  createdAtMs: atMs,
  updatedAtMs: atMs,
})
