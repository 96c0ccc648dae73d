import type { ComponentChildren } from 'preact'

/** A figure: its name, its value, and what else is said about it. */
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
