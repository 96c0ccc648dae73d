import { assert } from './assert.ts'

/** The prefix of every public id, by object (decisions, section 1). */
export type IdPrefix =
  | 'cmp'
  | 'txn'
  | 'cus'
  | 'rfd'
  | 'cbk'
  | 'med'
  | 'rcv'
  | 'rpx'
  | 'set'
  | 'evt'
  | 'dlv'
  | 'whk'
  | 'key'
  | 'cli'
  | 'req'
  | 'pxk'
  | 'pln'
  | 'cpn'
  | 'sub'
  | 'inv'
  | 'att'
  | 'sbr'
  | 'crd'
  | 'rcp'
  | 'spr'
  | 'spt'
  | 'per'
  | 'mbr'
  | 'ivt'
  | 'ses'
  | 'psk'
  | 'chg'
  | 'aud'
  | 'tkt'
  | 'ntf'
  | 'vew'
  | 'cdp'
  | 'qte'
  | 'cnv'
  | 'wal'
  | 'wdr'
  | 'trf'
  | 'ben'
  | 'lkp'
  | 'stl'
  | 'cks'
  | 'grd'
  | 'ptl'
  | 'lnk'
  | 'pml'
  | 'uns'
  | 'nte'
  | 'con'
  | 'ssp'
  | 'rcn'
  | 'ibn'
  | 'pol'
  | 'mdt'

declare const brand: unique symbol
export type Id<Prefix extends IdPrefix> = string & { readonly [brand]: Prefix }

export type CompanyId = Id<'cmp'>
export type TransactionId = Id<'txn'>
export type CustomerId = Id<'cus'>
export type RefundId = Id<'rfd'>
export type ChargebackId = Id<'cbk'>
export type MedId = Id<'med'>
export type ReceivableId = Id<'rcv'>
export type ReceivedPixId = Id<'rpx'>
export type SettlementId = Id<'set'>
export type EventId = Id<'evt'>
export type DeliveryId = Id<'dlv'>
export type EndpointId = Id<'whk'>
export type KeyId = Id<'key'>
export type ClientId = Id<'cli'>
export type RequestId = Id<'req'>
export type PixKeyId = Id<'pxk'>
export type PlanId = Id<'pln'>
export type CouponId = Id<'cpn'>
export type SubscriptionId = Id<'sub'>
export type CheckoutSessionId = Id<'cks'>
export type PortalSessionId = Id<'ptl'>
export type CardGuardId = Id<'grd'>
export type PaymentLinkId = Id<'lnk'>
export type InvoiceId = Id<'inv'>
export type AttemptId = Id<'att'>
export type SubscriberId = Id<'sbr'>
export type CardRetryId = Id<'crd'>
export type RecipientId = Id<'rcp'>
export type SplitRuleId = Id<'spr'>
export type SplitTransferId = Id<'spt'>
export type PersonId = Id<'per'>
export type MembershipId = Id<'mbr'>
export type InvitationId = Id<'ivt'>
export type SessionId = Id<'ses'>
export type PasskeyId = Id<'psk'>
export type ChangeId = Id<'chg'>
export type AuditId = Id<'aud'>
export type TicketId = Id<'tkt'>
export type NoticeId = Id<'ntf'>
export type ViewId = Id<'vew'>
export type DepositId = Id<'cdp'>
export type QuoteId = Id<'qte'>
export type ConversionId = Id<'cnv'>
export type WalletId = Id<'wal'>
export type WithdrawalId = Id<'wdr'>
export type TransferId = Id<'trf'>
export type BeneficiaryId = Id<'ben'>
export type KeyLookupId = Id<'lkp'>
export type StatementLineId = Id<'stl'>
export type PayerMailId = Id<'pml'>
export type UnsubscriptionId = Id<'uns'>
export type NoteId = Id<'nte'>
export type ConnectionId = Id<'con'>
export type SuspenseId = Id<'ssp'>
export type ReconciliationId = Id<'rcn'>
export type InboxNoticeId = Id<'ibn'>
export type PollId = Id<'pol'>
export type MandateId = Id<'mdt'>

export type Environment = 'SANDBOX' | 'PRODUCTION'

/** One company in one environment: the key for sharding, and the id of its account actor. */
export type AccountId = string & { readonly [brand]: 'account' }

/** The account of a company in an environment. */
export const accountIdOf = (companyId: CompanyId, environment: Environment): AccountId =>
  `${companyId}/${environment}` as AccountId

/** The company of an account. */
export const companyIdOf = (accountId: AccountId): CompanyId =>
  accountId.slice(0, accountId.indexOf('/')) as CompanyId

/** The environment of an account, from its id's last letter. */
export const environmentOf = (accountId: AccountId): Environment =>
  accountId.charCodeAt(accountId.length - 1) === 88 ? 'SANDBOX' : 'PRODUCTION'

/** Uniform random unsigned 32-bit integers. Injected: the engine has no randomness of its own. */
export type Entropy = () => number

/**
 * A new id: the prefix and a ULID (48 bits of time, 80 of entropy) in Crockford's base32, so that ids sort by time.
 * The time part is the real clock's, never a Sandbox clock's: two runs of a Sandbox day must not share a prefix.
 */
export const newId = <Prefix extends IdPrefix>(prefix: Prefix, atMs: number, entropy: Entropy): Id<Prefix> =>
  `${prefix}_${timeText(atMs)}${sixChars(entropy())}${sixChars(entropy())}${fourChars(entropy())}` as Id<Prefix>

/** When an id was made, on the real clock. */
export const timeOfId = (id: string): number => {
  const start = id.indexOf('_') + 1
  return numberOf(id.slice(start, start + 10))
}

/** The id of an object that its account numbers. Ids of the same millisecond sort by number. */
export const numberedId = <Prefix extends IdPrefix>(
  prefix: Prefix,
  atMs: number,
  number: number,
  entropy: Entropy,
): Id<Prefix> =>
  `${prefix}_${timeText(atMs)}${base32(number, 6)}${sixChars(entropy())}${fourChars(entropy())}` as Id<Prefix>

/**
 * The id of the nth notice of a directory fact. It follows from the fact's place, so a repeat gives the same id.
 */
export const noticeIdAt = (atMs: number, sequence: number, n: number): NoticeId =>
  `ntf_${timeText(atMs)}${base32(sequence, 10)}${base32(n, 6)}` as NoticeId

/**
 * The id of the nth public event of a journal entry. It follows from the entry's place, so publishing again after a
 * crash gives the same id and receivers can drop the repeat.
 */
export const eventIdAt = (atMs: number, shard: number, sequence: number, index: number): EventId => {
  assert(shard < 1 << 15 && index < 1 << 15, 'an event id holds 15 bits of shard and of index')
  const place = base32(shard, 3) + base32(sequence, 10) + base32(index, 3)
  return `evt_${timeText(atMs)}${place}` as EventId
}

/** The sequence in an event's id (see `eventIdAt`). An event made by hand has a random one, beyond all others. */
export const entrySequenceOf = (id: EventId): number => numberOf(id.slice(sequenceStart, sequenceStart + 10))

const numberOf = (chars: string): number => {
  let number = 0
  for (const char of chars) number = number * 32 + crockford.indexOf(char)
  return number
}

/** Behind the prefix, ten characters of time, and three of the shard. */
const sequenceStart = 'evt_'.length + 10 + 3

const crockford = '0123456789ABCDEFGHJKMNPQRSTVWXYZ'
const pairs = Array.from({ length: 1024 }, (_, n) => crockford[n >> 5]! + crockford[n & 31]!)

const sixChars = (bits: number): string =>
  pairs[bits & 1023]! + pairs[(bits >>> 10) & 1023]! + pairs[(bits >>> 20) & 1023]!
const fourChars = (bits: number): string => pairs[bits & 1023]! + pairs[(bits >>> 10) & 1023]!

const base32 = (value: number, chars: number): string => {
  let text = ''
  for (let rest = value, n = 0; n < chars; n++, rest = Math.floor(rest / 32))
    text = crockford[rest % 32]! + text
  return text
}

// Requests of the same millisecond share the time part; computing it once per millisecond is measurable at full load.
let timeTextMs = -1
let timeTextChars = ''
const timeText = (atMs: number): string => {
  if (atMs !== timeTextMs) {
    timeTextMs = atMs
    timeTextChars = base32(atMs, 10)
  }
  return timeTextChars
}

const alphanumerics = [...'0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'].map((char) =>
  char.charCodeAt(0),
)

/** Random text over `[A-Za-z0-9]`, as PIX ids use. Rejection sampling keeps all characters equally likely. */
export const randomAlphanumerics = (length: number, entropy: Entropy): string => {
  codes.length = length
  for (let filled = 0; filled < length; ) {
    let bits = entropy()
    for (let n = 0; n < 5 && filled < length; n++, bits >>>= 6) {
      const code = alphanumerics[bits & 63]
      if (code !== undefined) codes[filled++] = code
    }
  }
  return String.fromCharCode(...codes)
}

/** The characters of the text being made. */
const codes: number[] = new Array(32).fill(0)

/** Random digits, six from each number: a million goes into 32 bits so often that the remainder makes none likelier. */
export const randomDigits = (length: number, entropy: Entropy): string => {
  let text = ''
  while (text.length < length) text += String(entropy() % 1_000_000).padStart(6, '0')
  return text.slice(0, length)
}
