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
} as const satisfies Record<string, Tone>

export type AnyStatus = keyof typeof tones

/** The nouns with which a status may have a word, or a colour, of its own. */
export type StatusNoun = keyof Texts['statusOf']

/** A status in words. */
export const statusText = (is: AnyStatus, of?: StatusNoun): string =>
  (of && (t.statusOf[of] as Words)[is]) ?? t.status[is]

type Words = Readonly<Partial<Record<AnyStatus, string>>>

/** The status of anything, by colour, shape and word. `of` names the noun where the word depends on it. */
export const Status = ({ is, of }: { is: AnyStatus; of?: StatusNoun | undefined }) => (
  <Badge tone={(of && tonesOf[of]?.[is]) ?? tones[is]}>{statusText(is, of)}</Badge>
)

/** The tones of statuses whose meaning depends on the noun. */
const tonesOf: Readonly<Partial<Record<StatusNoun, Partial<Record<AnyStatus, Tone>>>>> = {
  invoice: { OPEN: 'wait' },
  ticket: { OPEN: 'wait' },
}

/** Whether something is in use. */
export const ActiveStatus = ({ is }: { is: boolean }) => <Status is={is ? 'ACTIVE' : 'INACTIVE'} />

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
  transactionStatuses.map((status) => [status, t.status[status]])

/** Options of a filter: these values with their texts. */
export const optionsOf = <const Value extends string>(
  values: readonly Value[],
  text: (value: Value) => string,
) => values.map((value) => ({ value, text: text(value) }))
