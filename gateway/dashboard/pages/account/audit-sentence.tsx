import type { Schemas } from '../../core/api.ts'
import { day, money, shortId } from '../../core/format.ts'
import { t } from '../../core/language.ts'
import { type PagePath, pathTo } from '../../core/router.ts'
import { Badge } from '../../parts/basics.tsx'
import { statusText } from '../../parts/labels.tsx'
import { pageOf } from '../../parts/page-of.ts'
import type { AuditTexts } from '../../texts/audit-pt.ts'
import { isFirstHalf } from './audit-half.ts'

type Entry = Schemas['AuditEntry']

/** What an entry is about, as it is called now; nothing where it has no name. */
export type About = Schemas['AuditedObjectName'] | null | undefined

export type SaidProps = { of: Entry; about: About; say: AuditTexts }

/** An entry as a sentence: who did, or tried to do, what to which object. */
export const Said = ({ of: entry, about, say }: SaidProps) => {
  const isDone = entry.result === 'DONE'
  const act = (isFirstHalf(entry) && firstText(say, entry.action)) || actText(say, entry.action, isDone)
  return (
    <span class="said">
      <Actor of={entry.actor} say={say} /> {isDone ? act : say.tried(act)} <Download of={entry} say={say} />
      <ActedOn of={entry} about={about} say={say} />
      {!isDone && (
        <>
          {' '}
          <Badge tone="bad">{say.refused[entry.code ?? ''] ?? statusText('REFUSED', 'change')}</Badge>
        </>
      )}
    </span>
  )
}

/** An act in words: as it is said of what was done, or its infinitive. A name that only an older service gave has none. */
export const actText = ({ acts, unknownAct }: AuditTexts, action: string, isDone: boolean): string => {
  const text = (acts as Readonly<Record<string, string>>)[action]
  return text === undefined ? unknownAct : text.replace(/^([^|]*)\|(\S+)/, isDone ? '$1' : '$2')
}

const firstText = ({ requested }: AuditTexts, action: string): string | undefined =>
  (requested as Readonly<Record<string, string>>)[action]

const Actor = ({ of: { kind, id, name }, say }: { of: Entry['actor']; say: AuditTexts }) => {
  if (kind === 'OPERATOR') return <strong>{say.operator}</strong>
  if (kind === 'CLOCK' || id === null) return <strong>{say.service}</strong>
  const page = pageOf(id)
  const text = kind === 'KEY' ? say.key(name ?? shortId(id)) : (name ?? t.erasedPerson)
  // The log keeps the id and the acts of an erased person, but not the name, and no page has them.
  return page === null || name === null ? <strong>{text}</strong> : <a href={pathTo(page)}>{text}</a>
}

/** The list that was downloaded, with the same days. */
const Download = ({ of: { action, changes }, say }: Omit<SaidProps, 'about'>) => {
  const page = lists[action]
  if (page === undefined) return null
  const given = (name: string) => changes.find(({ field }) => field === name)?.after ?? ''
  const [from, to] = [given('from'), given('to')]
  const query = new URLSearchParams({ ...(from && { from }), ...(to && { to }) })
  const text =
    from && to
      ? say.ofPeriod(day(from), day(to))
      : from
        ? say.since(day(from))
        : to
          ? say.until(day(to))
          : say.list
  return <a href={pathTo(`${page}?${query}`)}>{text}</a>
}

const lists: Readonly<Record<string, PagePath>> = {
  exportStatement: 'extrato',
  exportTransactions: 'transacoes',
  exportTransfers: 'transferencias',
  exportCryptoWithdrawals: 'saques',
  exportAuditEntries: 'auditoria',
  export: 'transacoes',
}

/** The object, by its sum and its name: they lead to its page. */
const ActedOn = ({ of: { object }, about, say }: SaidProps) => {
  if (object === null || object.type === 'company') return null
  const page = pageOf(about?.shownBy ?? object.id)
  const name = about?.name ?? null
  const sum = about?.amount ? money(about.amount, about.currency ?? 'BRL') : null
  const amount = sum && object.type !== 'conversion' ? say.amount(sum) : sum
  const called = name && (sayings[object.type]?.(name, say) ?? name)
  const text = [amount, called].filter(Boolean).join(' ') || (page === null ? '' : `(${say.see})`)
  return page === null ? <span>{text}</span> : <a href={pathTo(page)}>{text}</a>
}

const paidTo = (name: string, say: AuditTexts): string => say.to(name)
const paidBy = (name: string, say: AuditTexts): string => say.from(name)
const quoted = (name: string): string => `“${name}”`

/** How the name of an object of a type follows. */
const sayings: Readonly<Record<string, (name: string, say: AuditTexts) => string>> = {
  transaction: paidBy,
  refund: paidBy,
  chargeback: paidBy,
  med: paidBy,
  subscription: paidBy,
  note: (name, say) => say.about(name),
  outgoing_transfer: paidTo,
  crypto_withdrawal: paidTo,
  plan: quoted,
  coupon: quoted,
  wallet: quoted,
  split_rule: quoted,
  api_key: quoted,
  view: quoted,
}
