import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { systemdAnalyze } from './systemd-analyze.ts'

const units = resolve(import.meta.dirname, '../../..', 'docs/cluster/systemd')
// 10 is a service that may do everything; --threshold counts tenths.
const security = (unit: string): ReturnType<typeof systemdAnalyze> =>
  systemdAnalyze('security', '--offline=true', '--threshold=20', unit)
const without = (t: Test, unit: string, line: RegExp): string => {
  const folder = mkdtempSync(join(tmpdir(), 'units-'))
  t.teardown(() => rmSync(folder, { recursive: true }))
  writeFileSync(join(folder, unit), readFileSync(join(units, unit), 'utf8').replace(line, ''))
  return join(folder, unit)
}

for (const unit of ['payments.service', 'nats-server.service'])
  t.test(`${unit} may do little more than it needs: systemd counts less than 2 of 10`, async (t) => {
    t.match(security(join(units, unit)), { status: 0, output: /Overall exposure level for .*: 1\.\d OK/ })
    const filter = /^SystemCallFilter=.*\n/gm
    t.match(security(without(t, unit, filter)), { status: 1 }, 'and more without its filter of system calls')
  })

t.test('the filter of system calls lets exports, verifications and backups give way', async (t) => {
  const { output } = security(join(units, 'payments.service'))
  t.match(output, /@resources is included \(e\.g\. setpriority is allowed\)/)
})
