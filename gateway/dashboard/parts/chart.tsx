import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { count, day, money } from '../core/format.ts'
import { t } from '../core/language.ts'
import { Plot, type Series } from './plot.tsx'
import { Rows } from './table.tsx'

/** A chart's number of reais as money. */
export const reais = (value: number): string => money(BigInt(Math.round(value * 100)).toString())

/** A number of reais in the few letters that an axis has room for. */
export const compactReais = (value: number): string => {
  if (value >= 1_000_000_000) return `${count(Math.round(value / 100_000_000) / 10)} ${t.home.billions}`
  if (value >= 1_000_000) return `${count(Math.round(value / 100_000) / 10)} ${t.home.millions}`
  if (value >= 1000) return `${count(Math.round(value / 100) / 10)} ${t.home.thousands}`
  return count(value)
}

const shortDay = (date: string): string => day(date, 'short')

type ChartProps = {
  title: string
  summary: ComponentChildren
  /** What the values are of: days, unless `dayText` and `head` say otherwise. */
  days: readonly string[]
  dayText?: (day: string) => string
  head?: string
  series: readonly Series[]
  /** Bars stand on each other; lines do not. */
  kind: 'bars' | 'line'
  /** A value in words, with the number of its day. */
  valueText: (value: number, day: number) => string
  axisText: (value: number) => string
  /** False where the page has the same numbers as a table already. */
  hasTable?: boolean
}

/** A chart over days, with its summary in a sentence and the same numbers as a table. */
export const Chart = ({
  title,
  summary,
  days,
  dayText = shortDay,
  head = t.common.day,
  series,
  kind,
  valueText,
  axisText,
  hasTable = true,
}: ChartProps) => {
  const [pointed, setPointed] = useState<number | null>(null)
  const at = pointed ?? days.length - 1
  return (
    <figure class="chart">
      <figcaption>
        <h2>{title}</h2>
        <p>{summary}</p>
      </figcaption>
      <div class="chart-legend" aria-hidden="true">
        <span class="chart-day">{pointed === null ? '' : dayText(days[at] ?? '')}</span>
        {series.map(({ id, name, values }) => (
          <span key={id} class={`legend series-${id}`}>
            {name}
            {pointed !== null && <strong>{values[at] == null ? '–' : valueText(values[at], at)}</strong>}
          </span>
        ))}
      </div>
      <Plot {...{ days, series, kind, axisText, dayText, pointed }} onPoint={setPointed} />
      {hasTable && (
        <details class="chart-table">
          <summary>{t.common.asTable}</summary>
          <Rows
            label={title}
            heads={[head, ...series.map(({ name }) => name)]}
            rows={days.map((day, n) => [
              day,
              dayText(day),
              ...series.map(({ values }) => (values[n] == null ? '–' : valueText(values[n], n))),
            ])}
          />
        </details>
      )}
    </figure>
  )
}

/** A small line chart without axes or text: the figure beside it names it. */
export const Sparkline = ({ values }: { values: readonly number[] }) => {
  if (values.length < 2) return null
  const max = Math.max(1, ...values)
  const points = values.map(
    (value, n) => `${(n / Math.max(1, values.length - 1)) * 100},${28 - (value / max) * 26}`,
  )
  return (
    <svg class="sparkline" viewBox="0 0 100 30" preserveAspectRatio="none" aria-hidden="true">
      <path class="area" d={`M0,30 L${points.join(' L')} L100,30 Z`} />
      <path class="line" d={`M${points.join(' L')}`} />
    </svg>
  )
}
