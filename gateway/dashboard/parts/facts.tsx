import type { ComponentChildren } from 'preact'
import type { DateStyle } from '../core/format.ts'
import { t } from '../core/language.ts'
import { pathTo } from '../core/router.ts'
import { Amount, Copy, Facts, Moment, Section } from './basics.tsx'
import { pageOf } from './page-of.ts'

type FactSectionProps = { title?: string; of: readonly (readonly [term: string, value: ComponentChildren])[] }

/** A part of a page that is facts alone. */
export const FactSection = ({ title = t.common.details, of }: FactSectionProps) => (
  <Section title={title}>
    <Facts of={of} />
  </Section>
)

/** A page that has its content on the left, and facts about it on the right. */
export const SplitPage = ({ children, side }: { children: ComponentChildren; side: ComponentChildren }) => (
  <div class="split-page">
    <div>{children}</div>
    <aside class="facts-side">{side}</aside>
  </div>
)

type Perhaps = string | null | undefined

/** An instant, where there is one. */
export const instant = (at: Perhaps, style: DateStyle = 'moment') => at && <Moment at={at} style={style} />

/** An `Amount` for a list of facts, in the currency's smallest unit. */
export const amountOf = (cents: string, currency = 'BRL') => <Amount of={cents} currency={currency} />

/** An amount that is not zero. */
export const amountOrNone = (cents: string) => cents !== '0' && <Amount of={cents} />

/** A text that can be copied, cut to its distinctive part. */
export const copyable = (text: Perhaps) => text && <Copy text={text} isShort />

/** A link to the page of an object; its id where it has no page. */
export const linkTo = (id: Perhaps, text: string | null | undefined = t.common.open) => {
  if (!id) return null
  const page = pageOf(id)
  return page === null ? (
    <code key={id}>{id}</code>
  ) : (
    <a key={id} href={pathTo(page)}>
      {text}
    </a>
  )
}

/** The merchant's own pairs. */
export const Metadata = ({ of }: { of: Readonly<Record<string, unknown>> }) => {
  const pairs = codePairs(of)
  return pairs.length === 0 ? null : <FactSection title={t.common.metadata} of={pairs} />
}

/** Names and values that programs have given, as facts. */
export const codePairs = (of: Readonly<Record<string, unknown>>) =>
  Object.entries(of).map(([key, value]) => [key, <code key={key}>{String(value)}</code>] as const)

/** A figure: its name, its value, and a note or link. */
type FigureRow = readonly [
  name: string,
  value: ComponentChildren,
  more?: { readonly note?: ComponentChildren; readonly href?: string },
]

type FiguresProps = { of: readonly FigureRow[]; label?: string; isStale?: boolean }

/** Figures with their names, as above a chart or a list. */
export const Figures = ({ of, label, isStale = false }: FiguresProps) => (
  <dl class={isStale ? 'figures stale' : 'figures'} aria-label={label}>
    {of.map(([name, value, { note, href } = {}]) => (
      <div key={name} class="figure">
        <dt>{href ? <a href={href}>{name}</a> : name}</dt>
        <dd>
          {value}
          {note && <span class="figure-note">{note}</span>}
        </dd>
      </div>
    ))}
  </dl>
)

/** Lines that add up, as an account shows them; the sum is set apart. */
export const Ledger = ({
  of,
}: {
  of: readonly (readonly [term: ComponentChildren, value: ComponentChildren, isSum?: boolean | undefined])[]
}) => (
  <dl class="ledger">
    {of.map(([term, value, isSum], n) => (
      <div key={n} class={isSum ? 'sum' : undefined}>
        <dt>{term}</dt>
        <dd>{value}</dd>
      </div>
    ))}
  </dl>
)
