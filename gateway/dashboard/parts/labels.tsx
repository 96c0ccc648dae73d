import type { Schemas } from '../core/api.ts'
import { t } from '../core/language.ts'
import type { Texts } from '../texts/texts.ts'
import { Badge, type Tone } from './basics.tsx'
import { Icon, type IconName } from './icons.tsx'

type Method = Schemas['PaymentMethod']
type TransactionStatus = Schemas['TransactionStatus']

const tones = {
  CREATED: 'wait',
  PENDING: 'wait',
  PROCESSING: 'wait',
  AUTHORIZED: 'info',
  APPROVED: 'good',
  DECLINED: 'bad',
  FAILED: 'bad',
  CANCELLED: 'gone',
  EXPIRED: 'gone',
  PARTIALLY_REFUNDED: 'info',
  REFUNDED: 'gone',
  CHARGEBACK: 'warn',
  REGISTERED: 'wait',
  OVERDUE: 'warn',
  PAID: 'good',
  REJECTED: 'bad',
  RECEIVED: 'good',
  RETURNED: 'gone',
  RETURNING: 'wait',
  OPEN: 'warn',
  UNDER_REVIEW: 'wait',
  WON: 'good',
  LOST: 'bad',
  CLOSED: 'gone',
  SCHEDULED: 'wait',
  TRIALING: 'info',
  ACTIVE: 'good',
  PAST_DUE: 'warn',
  PAUSED: 'gone',
  SUSPENDED: 'bad',
  COMPLETED: 'good',
  INACTIVE: 'gone',
  EXHAUSTED: 'bad',
  VOID: 'gone',
  UNCOLLECTIBLE: 'bad',
  SUCCEEDED: 'good',
  RETRYING: 'warn',
  SETTLED: 'good',
  AWAITING_FUNDS: 'wait',
  REVERSED: 'gone',
  ENABLED: 'good',
  DELETED: 'gone',
  DISABLED: 'gone',
  EXPIRING: 'warn',
  REVOKED: 'gone',
  WAITING_COMPANY: 'warn',
  REFUSED: 'bad',
  PENDING_APPROVAL: 'wait',
  EFFECTIVE: 'good',
  SUPERSEDED: 'gone',
  COOLING_OFF: 'wait',
  UNRESOLVED: 'warn',
  ACCEPTED: 'good',
  RETURN_FAILED: 'bad',
  BROADCAST: 'wait',
  DRAFT: 'wait',
  VERIFIED: 'info',
  RETIRED: 'gone',
  ASSIGNED: 'good',
  WRITTEN_OFF: 'gone',
} as const satisfies Record<string, Tone>

export type AnyStatus = keyof typeof tones

/** What has a status. Its word agrees with the noun, and a few nouns have words and colours of their own. */
export type StatusNoun = keyof Texts['nouns']

/** A status in words. */
export const statusText = (is: AnyStatus, of: StatusNoun): string => t.nouns[of][is] ?? t.status[is]

/** The status of a noun, by colour, shape and word. */
export const Status = ({ is, of }: { is: AnyStatus; of: StatusNoun }) => (
  <Badge tone={tonesOf[of]?.[is] ?? tones[is]}>{statusText(is, of)}</Badge>
)

/** The tones of statuses whose meaning depends on the noun. */
const tonesOf: Readonly<Partial<Record<StatusNoun, Partial<Record<AnyStatus, Tone>>>>> = {
  invoice: { OPEN: 'wait' },
  ticket: { OPEN: 'wait' },
  checkoutSession: { OPEN: 'wait' },
  paymentLink: { EXHAUSTED: 'gone' },
}

/** Whether something is in use. */
export const ActiveStatus = ({ is, of }: { is: boolean; of: StatusNoun }) => (
  <Status is={is ? 'ACTIVE' : 'INACTIVE'} of={of} />
)

const methodIcons: Readonly<Partial<Record<Method, IconName>>> = {
  PIX: 'pix',
  BOLETO: 'barcode',
  CREDIT_CARD: 'card',
  DEBIT_CARD: 'card',
  CRYPTO: 'coin',
}

/** The icon and name of a payment method; `more` replaces the name. */
export const MethodLabel = ({ is, more }: { is: Method; more?: string | null }) => (
  <span class={`method method-${is}`}>
    <Icon name={methodIcons[is] ?? 'coin'} />
    <span>{more ?? t.method[is]}</span>
  </span>
)

/** Methods as the options of a field. */
export const methodOptions = (): (readonly [string, string])[] => Object.entries(t.method)

const transactionStatuses = [
  'CREATED',
  'PENDING',
  'PROCESSING',
  'AUTHORIZED',
  'APPROVED',
  'PARTIALLY_REFUNDED',
  'REFUNDED',
  'CHARGEBACK',
  'DECLINED',
  'FAILED',
  'CANCELLED',
  'EXPIRED',
] as const satisfies readonly TransactionStatus[]

/** The statuses of transactions as the options of a field. */
export const transactionStatusOptions = (): (readonly [string, string])[] =>
  Object.entries(transactionStatusTexts())

/** The statuses that a transaction can be seen in, in words. */
export const transactionStatusTexts = () =>
  Object.fromEntries(
    transactionStatuses.map((status) => [status, statusText(status, 'transaction')]),
  ) as Readonly<Record<TransactionStatus, string>>

/** Options of a filter: these values with their texts. */
export const optionsOf = <const Value extends string>(
  values: readonly Value[],
  text: (value: Value) => string,
) => values.map((value) => ({ value, text: text(value) }))
