import { execFileSync } from 'node:child_process'
import { join } from 'node:path'
import t from 'tap'

/** What a process of its own writes to a pipe. */
const logged = (logFormat: string): string => {
  const log = JSON.stringify(join(import.meta.dirname, '../../../gateway/observability/log.js'))
  const settings = JSON.stringify({ logLevel: 'info', logFormat })
  const program = `import { openLog } from ${log}; openLog(${settings}).info({ shard: 1 }, 'opened')`
  return execFileSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' })
}

t.test('a log that goes elsewhere than to a terminal is JSON', async (t) => {
  t.match(JSON.parse(logged('auto')), { level: 30, shard: 1, msg: 'opened', time: /^\d{4}-.*Z$/ })
  t.match(JSON.parse(logged('json')), { msg: 'opened' })
})

t.test('it is for people where it is set so, without colors', async (t) => {
  t.match(logged('pretty'), /^\d\d:\d\d:\d\d\.\d{3} INFO {2}opened shard=1\n$/)
})
