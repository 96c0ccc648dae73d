import { truncateSync } from 'node:fs'
import { join } from 'node:path'
import t from 'tap'
import { caller, startService } from './service.ts'

t.test('readiness is that of the process, whichever worker is asked, with the reason', async (t) => {
  const env = { WORKERS: '2', SHARDS: '2' }
  const whole = await startService(t, { env })
  t.match(await caller(whole.origin, '')('GET', '/readyz'), { status: 200, body: { status: 'ready' } })
  t.equal(await whole.kill('SIGTERM'), 0)

  truncateSync(join(whole.dataDir, 'shards/00/journal/data.mdb'), 5000)
  const damaged = await startService(t, { dataDir: whole.dataDir, env })
  // The kernel deals new connections to the workers.
  const answers = await Promise.all(
    Array.from({ length: 16 }, async () => {
      const response = await fetch(`${damaged.origin}/readyz`, { headers: { Connection: 'close' } })
      return [response.status, await response.json()]
    }),
  )
  const reasons = ['shard 0: stopped, because what is stored is damaged']
  for (const answer of answers) t.strictSame(answer, [503, { status: 'unready', reasons }])
  t.equal((await fetch(`${damaged.origin}/healthz`)).status, 200)
})
