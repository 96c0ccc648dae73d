import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import t from 'tap'
import { readSettings } from '../../gateway/base/settings.ts'
import { settingTable } from '../../gateway/base/settings-table.ts'
import { unknownMetrics } from '../observability/documented.ts'

/** Holds the examples below `docs/` to what the service knows by now. */
const root = resolve(import.meta.dirname, '../../..')
const read = (name: string): string => readFileSync(join(root, name), 'utf8')

t.test('the settings of the systemd unit are settings, and fit together', async (t) => {
  const lines = [...read('docs/cluster/systemd/payments.env').matchAll(/^([A-Z_]+)=(.*)$/gm)]
  t.match(readSettings(Object.fromEntries(lines.map(([, name, value]) => [name!, value!]))), { ok: true })
})

t.test('the settings of the containers are settings', async (t) => {
  const compose = read('docs/cluster/compose.yaml')
  const settings = /^x-settings: .*\n((?: {2}.*\n)+)/m.exec(compose)![1]!
  const names = [...settings.matchAll(/^ {2}([A-Z_]+): /gm)].map(([, name]) => name!)
  t.ok(names.length > 5)
  t.strictSame(
    names.filter((name) => !Object.hasOwn(settingTable, name)),
    [],
  )
})

t.test('prose names only metrics that exist', async (t) => {
  for (const page of ['README.md', 'docs/cluster/README.md', 'docs/observability/README.md'])
    t.strictSame(unknownMetrics(read(page)), [], page)
})
