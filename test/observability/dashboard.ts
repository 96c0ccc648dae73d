import { readObservability } from './documented.ts'

type Place = { readonly h: number; readonly w: number; readonly x: number; readonly y: number }

export type Panel = {
  readonly id: number
  readonly title: string
  readonly gridPos: Place
  readonly targets?: readonly { readonly expr: string }[]
}

export const readDashboard = (): { readonly panels: readonly Panel[] } =>
  JSON.parse(readObservability('dashboard.json'))

/** Every expression, with the title of its panel, as Grafana sends it for one environment and every instance. */
export const expressionsOf = ({ panels }: { readonly panels: readonly Panel[] }, environment: string) =>
  panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => ({
      title,
      expr: expr
        .replaceAll('$instance', '.*')
        .replaceAll('$environment', environment)
        .replaceAll('$__rate_interval', '1m'),
    })),
  )
