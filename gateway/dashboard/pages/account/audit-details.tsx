import type { ComponentChildren } from 'preact'
import type { Schemas } from '../../core/api.ts'
import { day, moment, money, percent, shortId } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { Copy, Facts } from '../../parts/basics.tsx'
import { linkTo } from '../../parts/facts.tsx'
import { Json } from '../../parts/json.tsx'
import { type AnyStatus, type StatusNoun, statusText } from '../../parts/labels.tsx'
import { pageOf } from '../../parts/page-of.ts'
import type { AuditTexts } from '../../texts/audit-pt.ts'
import type { SaidProps } from './audit-sentence.tsx'

type Entry = Schemas['AuditEntry']

/** What an entry says beyond its sentence, folded: what changed, from where it came, and the record itself. */
export const Details = ({ of: entry, about, say }: SaidProps) => {
  const { ip, userAgent, requestId, actor, object } = entry
  return (
    <details class="said-more">
      <summary>{t.common.details}</summary>
      <Changes of={entry} about={about} say={say} />
      <Facts
        of={[
          [say.actor, actor.kind === 'PERSON' && actor.name === null && actor.id],
          [say.object, object && <Copy text={object.id} isShort />],
          [say.ip, ip],
          [say.browser, userAgent],
          [say.request, requestId && <Copy text={requestId} isShort />],
        ]}
      />
      <details>
        <summary>{say.raw}</summary>
        <Json of={entry} label={say.raw} />
      </details>
    </details>
  )
}

const Changes = ({ of: entry, about, say }: SaidProps) => {
  const { changes } = entry
  const currencyOf = (field: string): string => {
    const currency = changes.find((one) => one.field === currencyFields[field])?.after
    return currency ?? about?.currency ?? 'BRL'
  }
  const rows = changes.flatMap(({ field, before, after }) => {
    const name = (say.fields as Readonly<Record<string, string>>)[field]
    if (name === undefined) return []
    const show = (value: string | null) => shown(field, value, { entry, say, currency: currencyOf(field) })
    return [{ field, name, before, from: show(before), to: show(after), isSecret: before === after }]
  })
  if (rows.length === 0) return null
  return (
    <dl class="facts" aria-label={say.changes}>
      {rows.map(({ field, name, before, from, to, isSecret }) => (
        <div key={field}>
          <dt>{name}</dt>
          <dd>
            {before !== null && <>{from} → </>}
            {isSecret ? say.secret : to}
          </dd>
        </div>
      ))}
    </dl>
  )
}

/** The field that says in which currency an amount is. */
const currencyFields: Readonly<Record<string, string>> = {
  fromAmount: 'fromCurrency',
  toAmount: 'toCurrency',
}

type Shown = { readonly entry: Entry; readonly say: AuditTexts; readonly currency: string }

/** A recorded value as people read it. */
const shown = (field: string, value: string | null, about: Shown): ComponentChildren => {
  const { entry, say, currency } = about
  if (value === null || value === '' || value === '[]' || value === '{}') return say.nothing
  if (value === 'true' || value === 'false') return value === 'true' ? t.common.yes : t.common.no
  if (field === 'cryptoAmount') return value
  if (/amount(Off)?$/i.test(field) && /^-?\d+$/.test(value)) return money(value, currency)
  if (field === 'percentBps') return percent(Number(value))
  if (/^\d{13}$/.test(value)) return moment(Number(value))
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return moment(value)
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return day(value)
  if (/^[a-z]{3}_\w+$/.test(value))
    return pageOf(value) === null ? shortId(value) : linkTo(value, shortId(value))
  if (field === 'status') return statusIn(entry, value)
  const words = wordsOf(field)
  if (words !== undefined) return words[value] ?? value
  return /^[[{]/.test(value) ? parsedText(field, value) : value
}

const statusIn = ({ object }: Entry, value: string): string => {
  const noun = nouns[object?.type ?? '']
  return value in t.status && noun !== undefined
    ? statusText(value as AnyStatus, noun)
    : ((t.status as Readonly<Record<string, string>>)[value] ?? value.toLowerCase())
}

const nouns: Readonly<Record<string, StatusNoun>> = {
  transaction: 'transaction',
  refund: 'transaction',
  chargeback: 'transaction',
  med: 'transaction',
  outgoing_transfer: 'transfer',
  crypto_withdrawal: 'withdrawal',
  subscription: 'subscription',
  invoice: 'invoice',
  conversion: 'conversion',
  crypto_deposit: 'deposit',
  ticket: 'ticket',
  api_key: 'apiKey',
  webhook_endpoint: 'endpoint',
  webhook_delivery: 'delivery',
  control_change: 'change',
}

/** The words for the values of a field that has few of them. */
const wordsOf = (field: string): Readonly<Record<string, string>> | undefined =>
  ({
    method: t.method,
    kind: t.method,
    category: t.support.categories,
    priority: t.support.priorities,
    interval: t.plans.interval,
    duration: t.coupons.duration,
    keyType: t.pix.keyType,
    cancelReason: { ...t.withdrawals.cancelled, ...t.transfers.cancelled },
  })[field]

const methodText = (value: string): string => (t.method as Readonly<Record<string, string>>)[value] ?? value

/** Lists with commas; roles by environment; of other objects the members that are texts and numbers. */
const parsedText = (field: string, value: string): string => {
  const parsed = JSON.parse(value) as unknown
  if (Array.isArray(parsed))
    return parsed
      .map((one) => (typeof one === 'string' ? methodText(one) : membersText(field, one)))
      .join(', ')
  return membersText(field, parsed)
}

const membersText = (field: string, of: unknown): string =>
  Object.entries((of ?? {}) as Readonly<Record<string, unknown>>)
    .filter(([, value]) => typeof value === 'string' || typeof value === 'number')
    .map(([name, value]) =>
      /roles$/i.test(field)
        ? `${t.environment[name as keyof typeof t.environment]}: ${t.role[value as keyof typeof t.role]}`
        : String(value),
    )
    .join(' · ')
