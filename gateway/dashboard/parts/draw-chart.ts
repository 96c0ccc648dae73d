import uPlot from 'uplot'
import type { Series } from './series.ts'

/** Draws a chart with uPlot, in the colours of the page. In a file of its own: pages without charts do not load it. */
export const drawChart = (
  box: HTMLElement,
  chart: {
    readonly days: readonly string[]
    readonly series: readonly Series[]
    readonly kind: 'bars' | 'line'
    readonly axisText: (value: number) => string
    readonly dayText: (day: string) => string
    readonly height: number
    readonly onPoint: (index: number | null) => void
  },
): uPlot => {
  const { days, series, kind, axisText, dayText, height, onPoint } = chart
  const colors = getComputedStyle(box)
  const color = (name: string): string => colors.getPropertyValue(name).trim()
  const probe = document.createElement('span')
  box.append(probe)
  /** What a `light-dark()` of the style sheet is in the present theme. */
  const resolved = (name: string): string => {
    probe.style.color = `var(${name})`
    return getComputedStyle(probe).color
  }
  const muted = resolved('--muted')
  const line = resolved('--line')
  const inks = series.map(({ id }) => resolved(`--series-${id}`))
  probe.remove()

  const stacked = kind === 'bars' ? stack(series) : series.map(({ values }) => [...values])
  const axis = { stroke: muted, font: `11px ${color('--font')}`, ticks: { show: false } }
  const bars = uPlot.paths.bars!({ size: [0.62, 28], radius: 0.15 })
  const plot = new uPlot(
    {
      width: box.clientWidth,
      height,
      padding: [8, 4, 0, 0],
      legend: { show: false },
      cursor: { y: false, points: { show: kind === 'line' }, drag: { x: false, y: false } },
      scales: {
        x: { time: false, range: [kind === 'bars' ? -0.6 : 0, days.length - (kind === 'bars' ? 0.4 : 1)] },
        y: { range: (_, __, max) => [0, Math.max(1, max * 1.08)] },
      },
      axes: [
        {
          ...axis,
          size: 26,
          grid: { show: false },
          splits: () => spread(days.length, box.clientWidth < 480 ? 3 : 7),
          values: (_, at) => at.map((n) => dayText(days[n] ?? '')),
        },
        { ...axis, size: 64, grid: { stroke: line, width: 1 }, values: (_, at) => at.map(axisText) },
      ],
      series: [
        {},
        // The highest stack is drawn first, and the others over it.
        ...stacked.map((_, n) => {
          const at = kind === 'bars' ? stacked.length - 1 - n : n
          return kind === 'bars'
            ? { fill: inks[at]!, stroke: inks[at]!, width: 0, paths: bars, points: { show: false } }
            : { stroke: inks[at]!, width: 2, points: { show: false }, spanGaps: true }
        }),
      ],
      hooks: { setCursor: [({ cursor }) => onPoint(cursor.idx ?? null)] },
    },
    [days.map((_, n) => n), ...(kind === 'bars' ? stacked.toReversed() : stacked)] as uPlot.AlignedData,
    box,
  )
  box.addEventListener('mouseleave', () => onPoint(null))
  return plot
}

const stack = (series: readonly Series[]): number[][] => {
  const sums: number[] = []
  return series.map(({ values }) =>
    values.map((value, n) => {
      sums[n] = (sums[n] ?? 0) + (value ?? 0)
      return sums[n]
    }),
  )
}

/** Indexes that are evenly spread, the first and last among them. */
const spread = (length: number, many: number): number[] => {
  const step = Math.max(1, Math.ceil((length - 1) / (many - 1)))
  return Array.from({ length: Math.ceil(length / step) }, (_, n) => n * step)
}
