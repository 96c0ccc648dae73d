import { setTimeout as elapse } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { seeded } from '../engine/world.ts'
import { type Books, differences, readBooks } from './billing/books.ts'
import { runDays } from './billing/kinds.ts'
import { billingProblems } from './billing/promises.ts'
import { advanceTo, clockOf, openShop } from './billing/shop.ts'
import { caller, command, killAndRestart, newDataDir, startService } from './service.ts'

/**
 * More for a soak: CRASH_ROUNDS=20 node dist/test/e2e/billing-crash.test.js. CRASH_SEED draws the same moments again; what
 * they hit depends on the machine.
 */
const rounds = Number(process.env.CRASH_ROUNDS ?? 1)
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31)

const env = { RATE_LIMIT: '0' }
const dayMs = 86_400_000
// Noon in São Paulo: jobs run in the morning and at midnight, so nothing is due within minutes of the begin and the end.
const beginMs = (Math.floor(Date.now() / dayMs) + 2) * dayMs + 15 * 3_600_000
const endMs = beginMs + runDays * dayMs

t.setTimeout((rounds + 1) * 120_000)

/** A shop's run, killed after so many milliseconds, of which there are fewer where less of the run is left. */
const run = async (
  t: Test,
  moments: readonly number[],
): Promise<{ readonly books: Books; readonly tookMs: number }> => {
  const dataDir = newDataDir(t)
  let service = await startService(t, { dataDir, env })
  const secret = await openShop(service, beginMs)
  let call = caller(service.origin, secret)
  for (const momentMs of moments) {
    const left = (endMs - (await clockOf(call))) / (endMs - beginMs)
    const advance = advanceTo(call, endMs).catch(() => undefined)
    await elapse(momentMs * left)
    service = await killAndRestart(t, service, env, `killed after ${Math.round(momentMs * left)} ms`)
    await advance
    call = caller(service.origin, secret)
    t.comment(`the clock shows ${new Date(await clockOf(call)).toISOString()}`)
  }
  const startedAtMs = Date.now()
  await advanceTo(call, endMs)
  const tookMs = Date.now() - startedAtMs
  const books = await readBooks(call)
  t.strictSame(billingProblems(books), [], 'each period, charge and centavo once')
  t.equal(await service.kill('SIGTERM'), 0)
  t.strictSame((await command(dataDir, 'verify', dataDir)).problems, [], 'states, ledger and columns agree')
  return { books, tookMs }
}

t.test(`kill -9 in a billing run bills nobody twice and forgets nobody: seed ${seed}`, async (t) => {
  const random = seeded(seed)
  const calm = await run(t, [])
  for (let round = 1; round <= rounds; round++) {
    // Every second run is killed twice: the second time it makes up for the first.
    const moments = Array.from({ length: round % 2 === 0 ? 2 : 1 }, () => (random() / 2 ** 32) * calm.tookMs)
    await t.test(`seed ${seed}, round ${round}`, async (t) => {
      const { books } = await run(t, moments)
      t.strictSame(differences(books, calm.books), [], 'as if nothing had happened')
    })
  }
})
