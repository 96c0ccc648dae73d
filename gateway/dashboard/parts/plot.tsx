import { useLayoutEffect, useRef, useState } from 'preact/hooks'

/** A series over the days of a chart. */
export type Series = {
  readonly id: string
  readonly name: string
  readonly values: readonly (number | null)[]
}

type PlotProps = {
  days: readonly string[]
  series: readonly Series[]
  kind: 'bars' | 'line'
  axisText: (value: number) => string
  dayText: (day: string) => string
  /** The day under the pointer, by its index. */
  pointed: number | null
  onPoint: (index: number | null) => void
}

/** Plot draws series over days as SVG: bars that stand on each other, or lines. Its colours are those of the style sheet, in either theme. */
export const Plot = ({ days, series, kind, axisText, dayText, pointed, onPoint }: PlotProps) => {
  const box = useRef<HTMLDivElement>(null)
  const [width, setWidth] = useState(0)
  useLayoutEffect(() => {
    const observer = new ResizeObserver(() => setWidth(box.current!.clientWidth))
    observer.observe(box.current!)
    setWidth(box.current!.clientWidth)
    return () => observer.disconnect()
  }, [])
  const height = width < 480 ? 160 : 220
  const room = {
    left: gutter,
    top: 8,
    width: Math.max(0, width - gutter - 4),
    height: height - 8 - axisHeight,
  }

  const stacks = kind === 'bars' ? stacked(series) : series.map(({ values }) => values)
  const ticks = ticksTo(Math.max(0, ...stacks.flatMap((values) => values.map((value) => value ?? 0))))
  const top = ticks.at(-1)!
  const slot = room.width / (kind === 'bars' ? days.length : Math.max(1, days.length - 1))
  const x = (index: number): number => room.left + slot * (kind === 'bars' ? index + 0.5 : index)
  const y = (value: number): number => room.top + room.height * (1 - value / top)

  const point = (event: PointerEvent): void => {
    const { left } = box.current!.getBoundingClientRect()
    const at = Math.round((event.clientX - left - x(0)) / slot)
    onPoint(Math.max(0, Math.min(days.length - 1, at)))
  }
  return (
    <div
      class="plot"
      ref={box}
      style={{ '--height': `${height}px` }}
      onPointerMove={point}
      onPointerDown={point}
      onPointerLeave={() => onPoint(null)}
    >
      {width > 0 && (
        <svg width={width} height={height} viewBox={`0 0 ${width} ${height}`} aria-hidden="true">
          {ticks.map((value) => (
            <g key={value}>
              <path class="grid" d={`M${room.left},${y(value)}h${room.width}`} />
              <text class="at-end" x={room.left - 10} y={y(value) + 4}>
                {axisText(value)}
              </text>
            </g>
          ))}
          {spread(days.length, width < 480 ? 3 : 7).map((index) => {
            // Half of a text would be beyond the end there.
            const isAtEnd = x(index) > room.left + room.width - dayWidth / 2
            return (
              <text
                key={index}
                class={index === 0 && kind === 'line' ? '' : isAtEnd ? 'at-end' : 'at-middle'}
                x={isAtEnd ? room.left + room.width : x(index)}
                y={height - 6}
              >
                {dayText(days[index] ?? '')}
              </text>
            )
          })}
          {pointed !== null && <path class="pointed" d={`M${x(pointed)},${room.top}v${room.height}`} />}
          {kind === 'line'
            ? series.map(({ id, values }) => (
                <path
                  key={id}
                  class={`line series-${id}`}
                  d={values
                    .flatMap((value, index) => (value === null ? [] : [`${x(index)},${y(value)}`]))
                    .map((place, index) => `${index === 0 ? 'M' : 'L'}${place}`)
                    .join('')}
                />
              ))
            : // The highest stack is drawn first, and the others over it.
              series
                .map(({ id }, n) => (
                  <path key={id} class={`bars series-${id}`} d={barsOf(stacks[n]!, x, y, slot)} />
                ))
                .toReversed()}
          {kind === 'line' &&
            series.map(({ id, values }) => {
              const alone = values.flatMap((value, index) =>
                value !== null && (index === pointed || isAlone(values, index))
                  ? [[index, value] as const]
                  : [],
              )
              return alone.map(([index, value]) => (
                <circle key={`${id} ${index}`} class={`series-${id}`} cx={x(index)} cy={y(value)} r={3.5} />
              ))
            })}
        </svg>
      )}
    </div>
  )
}

/** Room for the texts of the two axes, in pixels. */
const gutter = 64
const axisHeight = 26
/** The width of the longest text below the axis. */
const dayWidth = 48

const barsOf = (
  values: readonly (number | null)[],
  x: (index: number) => number,
  y: (value: number) => number,
  slot: number,
): string => {
  const width = Math.min(28, Math.max(1, slot * 0.62))
  return values
    .map((value, index) => (value ? `M${x(index) - width / 2},${y(0)}V${y(value)}h${width}V${y(0)}z` : ''))
    .join('')
}

/** Each series on top of those before it. */
const stacked = (series: readonly Series[]): number[][] => {
  const sums: number[] = []
  return series.map(({ values }) =>
    values.map((value, n) => {
      sums[n] = (sums[n] ?? 0) + (value ?? 0)
      return sums[n]
    }),
  )
}

/** Round values from zero to the first at or above the highest: some four steps of 1, 2 or 5 times a power of ten. */
const ticksTo = (highest: number): number[] => {
  if (highest <= 0) return [0, 1]
  const power = 10 ** Math.floor(Math.log10(highest / 4))
  const step = power * ([1, 2, 5].find((times) => highest / (times * power) <= 5) ?? 10)
  return Array.from({ length: Math.ceil(highest / step) + 1 }, (_, n) => Number((n * step).toPrecision(12)))
}

/** Whether a series has this value alone: no line leads to it, so it needs a dot. */
const isAlone = (values: readonly (number | null)[], index: number): boolean =>
  values.every((value, n) => value === null || n === index)

/** Indexes that are evenly spread, the first among them. */
const spread = (length: number, many: number): number[] => {
  const step = Math.max(1, Math.ceil((length - 1) / (many - 1)))
  return Array.from({ length: Math.ceil(length / step) }, (_, n) => n * step)
}
