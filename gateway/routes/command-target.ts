import { type AccountId, type Id, newId } from '../../engine/shared/ids.ts'
import type { Initiator } from '../../engine/shared/initiator.ts'
import type { RequestContext } from '../api/route.ts'

/** The members by which commands name their targets, with the prefixes of the ids. */
const prefixes = {
  transactionId: 'txn',
  suspenseId: 'ssp',
  reconciliationId: 'rcn',
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
  splitTransferId: 'spt',
  beneficiaryId: 'ben',
  keyLookupId: 'lkp',
  checkoutSessionId: 'cks',
  paymentLinkId: 'lnk',
  portalSessionId: 'ptl',
  noteId: 'nte',
  mandateId: 'mdt',
} as const

type Named = keyof typeof prefixes
type Target<Name extends Named> = {
  readonly accountId: AccountId
  readonly by: Initiator
} & Readonly<Record<Name, Id<(typeof prefixes)[Name]>>>

/** The first members of a command: the account, the initiator, and the target's id from the path. */
export const forExisting = <Name extends Named>(name: Name, { accountId, by, id }: RequestContext) =>
  ({ accountId, by, [name]: id }) as Target<Name>

/** The first members of a command that creates something, with a new id. */
export const forNew = <Name extends Named>(name: Name, { accountId, by, atMs, entropy }: RequestContext) =>
  ({ accountId, by, [name]: newId(prefixes[name], atMs, entropy) }) as Target<Name>
