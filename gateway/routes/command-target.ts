import { type AccountId, type Id, newId } from '../../engine/shared/ids.ts'
import type { Initiator } from '../../engine/shared/initiator.ts'
import type { RequestContext } from '../api/route.ts'

/** What commands call the things that they are about, with the prefix of their ids. */
const prefixes = {
  transactionId: 'txn',
  customerId: 'cus',
  planId: 'pln',
  couponId: 'cpn',
  subscriptionId: 'sub',
  invoiceId: 'inv',
  recipientId: 'rcp',
  ruleId: 'spr',
  ticketId: 'tkt',
  viewId: 'vew',
  depositId: 'cdp',
  quoteId: 'qte',
  conversionId: 'cnv',
  walletId: 'wal',
  withdrawalId: 'wdr',
  transferId: 'trf',
  beneficiaryId: 'ben',
  keyLookupId: 'lkp',
} as const

type Named = keyof typeof prefixes
type Target<Name extends Named> = {
  readonly accountId: AccountId
  readonly by: Initiator
} & Readonly<Record<Name, Id<(typeof prefixes)[Name]>>>

/** What a command begins with: whose account, who asks, and the id in the path of what it is about. */
export const forExisting = <Name extends Named>(name: Name, { accountId, by, id }: RequestContext) =>
  ({ accountId, by, [name]: id }) as Target<Name>

/** The same for a command that creates something, under a new id. */
export const forNew = <Name extends Named>(name: Name, { accountId, by, atMs, entropy }: RequestContext) =>
  ({ accountId, by, [name]: newId(prefixes[name], atMs, entropy) }) as Target<Name>
