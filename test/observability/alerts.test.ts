import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { Ajv } from 'ajv'
import t from 'tap'
import { type Panel, readDashboard } from './dashboard.ts'
import { dashboardSchema } from './dashboard-schema.ts'
import { observabilityFolder, readObservability, unknownMetrics } from './documented.ts'
import { runPromtool } from './prometheus.ts'

const root = resolve(import.meta.dirname, '../../..')
const rules = readObservability('rules.yml')
const readme = readObservability('README.md')

/** Alerts as they stand in the file: promtool has read it as YAML, here its lines are enough. */
const alerts = rules
  .split(/^ {6}- alert: /m)
  .slice(1)
  .map((text) => ({ name: /^\w+/.exec(text)![0], text }))

t.test('promtool finds nothing wrong with the alert rules', async (t) => {
  t.match(
    runPromtool(['check', 'rules', join(observabilityFolder, 'rules.yml')]),
    `SUCCESS: ${alerts.length} rules`,
  )
})

t.test('each alert fires when it should, and only then', async (t) => {
  t.match(runPromtool(['test', 'rules', join(root, 'test/observability/alerts.yml')]), 'SUCCESS')
})

t.test('every alert that wakes somebody is among those tests', async (t) => {
  const tests = readFileSync(join(root, 'test/observability/alerts.yml'), 'utf8')
  const pages = alerts.filter(({ text }) => text.includes('severity: page')).map(({ name }) => name)
  t.ok(pages.length > 10)
  t.strictSame(
    pages.filter((name) => !new RegExp(`alertname: ${name}\\n +exp_alerts:`).test(tests)),
    [],
  )
})

t.test('promtool finds nothing wrong with the configuration', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'prometheus-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  const token = join(folder, 'payments.token')
  writeFileSync(token, 'a-token-of-24-characters')
  writeFileSync(join(folder, 'rules.yml'), rules)
  const config = readObservability('prometheus.yml').replace('/etc/prometheus/payments.token', token)
  writeFileSync(join(folder, 'prometheus.yml'), config)
  t.match(runPromtool(['check', 'config', join(folder, 'prometheus.yml')]), '1 rule files found')
})

t.test('every alert says what it is, how urgent, and leads to what to do', async (t) => {
  const runbooks = readme.slice(readme.indexOf('## Runbooks'))
  const headings = [...runbooks.matchAll(/^#### (\w+)$/gm)].map(([, heading]) => heading!)
  for (const { name, text } of alerts) {
    t.match(text, /^ {10}severity: (page|ticket)$/m, name)
    t.match(text, /^ {10}summary: '.+'$/m, name)
    t.ok(
      text.includes(`          runbook: docs/observability/README.md#${name.toLowerCase()}\n`),
      `${name} names its runbook`,
    )
  }
  t.strictSame(
    headings,
    alerts.map(({ name }) => name),
    'runbooks are those of the alerts, in their order',
  )
  for (const section of runbooks.split(/^#### /m).slice(1)) {
    const name = /^\w+/.exec(section)![0]
    for (const part of ['Means', 'Look at', 'Do'])
      t.ok(section.includes(`**${part}.** `), `the runbook of ${name} says what it ${part.toLowerCase()}`)
  }
})

t.test('rules and dashboard name only metrics that exist', async (t) => {
  t.strictSame(unknownMetrics(rules), [])
  t.strictSame(unknownMetrics(readObservability('dashboard.json')), [])
})

t.test('the dashboard is one that Grafana can show', async (t) => {
  const dashboard = readDashboard()
  const check = new Ajv({ allErrors: true, strict: true, allowUnionTypes: true }).compile(dashboardSchema)
  check(dashboard)
  t.strictSame(check.errors ?? [], [])
  const { panels } = dashboard
  t.equal(new Set(panels.map(({ id }) => id)).size, panels.length, 'each panel has an id of its own')
  const overlap = ({ gridPos: a }: Panel, { gridPos: b }: Panel): boolean =>
    a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h
  for (const [n, panel] of panels.entries()) {
    t.ok(panel.gridPos.x + panel.gridPos.w <= 24, `${panel.title} fits into the grid`)
    t.notOk(
      panels.slice(n + 1).some((other) => overlap(panel, other)),
      `${panel.title} covers no other`,
    )
  }
})
