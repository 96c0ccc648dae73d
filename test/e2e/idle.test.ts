import { readdirSync, readFileSync } from 'node:fs'
import t from 'tap'
import { oneWorker, startService } from './service.ts'

/** How often threads of a process have gone to sleep, each time to be woken again. */
const sleepsOf = (pid: number): number =>
  readdirSync(`/proc/${pid}/task`).reduce((sum, thread) => {
    const status = readFileSync(`/proc/${pid}/task/${thread}/status`, 'utf8')
    return sum + Number(/^voluntary_ctxt_switches:\s+(\d+)/m.exec(status)![1])
  }, 0)

// What an idle service costs is being woken, a tenth of a millisecond each time: with a timer of 50 ms in each thread it was 65 times a second.
t.test('an idle service is woken a few times a second', { skip: process.platform !== 'linux' }, async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { pid } = service.process
  const rates: number[] = []
  // A start goes on behind the first answers.
  for (let second = 0; second < secondsMax && !rates.some((rate) => rate <= wakesMax); second++) {
    const before = sleepsOf(pid!)
    const startedMs = performance.now()
    await new Promise((resolve) => setTimeout(resolve, 1000))
    rates.push((sleepsOf(pid!) - before) / ((performance.now() - startedMs) / 1000))
  }
  t.ok(Math.min(...rates) <= wakesMax, rates.map((rate) => rate.toFixed(0)).join(', '))
})

const wakesMax = 40
const secondsMax = 15
