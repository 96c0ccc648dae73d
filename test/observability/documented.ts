import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'

/** Files of operators: metrics, alert rules, dashboard. */
export const observabilityFolder = resolve(import.meta.dirname, '../../..', 'docs/observability')

export const readObservability = (name: string): string =>
  readFileSync(join(observabilityFolder, name), 'utf8')

/** The metrics that the tables of the documentation list. `test/e2e/metrics.test.ts` holds them against a running cluster. */
export const documentedMetrics = (): readonly string[] =>
  [...readObservability('README.md').matchAll(/^\| (`\w+`.*?) \|/gm)].flatMap(([, cell]) =>
    [...cell!.matchAll(/`(\w+)`/g)].map(([, name]) => name!),
  )

/** What a text names that looks like a metric of the service and is in no table. */
export const unknownMetrics = (text: string): readonly string[] => {
  const known = new Set(
    documentedMetrics().flatMap((name) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]),
  )
  const named = text.matchAll(/\b(?:payments|process|nodejs)_[a-z_]+\b/g)
  return [...new Set([...named].map(([name]) => name))].filter((name) => !known.has(name))
}
