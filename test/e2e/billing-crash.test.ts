import t, { type Test } from 'tap'
import { seeded } from '../engine/world.ts'
import { type Books, differences, readBooks } from './billing/books.ts'
import { runDays } from './billing/kinds.ts'
import { billingProblems } from './billing/promises.ts'
import { advanceTo, arrived, clockOf, openShop } from './billing/shop.ts'
import { killAndRestart, problemsIn } from './kill-and-restart.ts'
import { caller, newDataDir, oneWorker, startService, until } from './service.ts'

/**
 * More for a soak: CRASH_ROUNDS=20 node dist/test/e2e/billing-crash.test.js. CRASH_SEED draws the same moments of the Sandbox's
 * clock again; what is on the disk by then depends on the machine.
 */
const rounds = Number(process.env.CRASH_ROUNDS ?? 1)
const seed = Number(process.env.CRASH_SEED ?? Date.now() % 2 ** 31)

// One company is one shard: other threads would have nothing to do.
const env = { ...oneWorker, RATE_LIMIT: '0' }
const dayMs = 86_400_000
// Noon in São Paulo: jobs run in the morning and at midnight, so nothing is due within minutes of the begin and the end.
const beginMs = (Math.floor(Date.now() / dayMs) + 2) * dayMs + 15 * 3_600_000
const endMs = beginMs + runDays * dayMs

t.setTimeout((rounds + 1) * 120_000)

/** A shop's run, killed when its clock has come so far: after these shares of the way, in their order. */
const run = async (t: Test, shares: readonly number[]): Promise<Books> => {
  const dataDir = newDataDir(t)
  let service = await startService(t, { dataDir, env })
  const secret = await openShop(service, beginMs)
  let call = caller(service.origin, secret)
  const advance = advanceTo(call, endMs).catch(() => undefined)
  for (const share of shares) {
    let seenMs = 0
    await until(async () => {
      seenMs = (await clockOf(call)).nowMs
      return seenMs >= beginMs + share * (endMs - beginMs)
    })
    const title = `killed after ${Math.round(100 * share)} % of the way`
    service = await killAndRestart(t, service, env, title)
    call = caller(service.origin, secret)
    const { nowMs, status, targetMs } = await clockOf(call)
    t.ok(nowMs >= seenMs, `${title}: what was read stays true`)
    if (status === 'ADVANCING') t.equal(targetMs, endMs, `${title}: the clock knows where it goes`)
    else t.ok(nowMs >= endMs, `${title}: it was there`)
    t.comment(`the clock shows ${new Date(nowMs).toISOString()}`)
  }
  // Nobody has to tell it again.
  await advance
  await arrived(call)
  t.ok((await clockOf(call)).nowMs >= endMs)
  const books = await readBooks(call)
  t.strictSame(billingProblems(books), [], 'each period, charge and centavo once')
  t.equal(await service.kill('SIGTERM'), 0)
  t.strictSame(await problemsIn(dataDir), [], 'states, ledger and columns agree')
  return books
}

t.test(`kill -9 in a billing run bills nobody twice and forgets nobody: seed ${seed}`, async (t) => {
  const random = seeded(seed)
  const calm = await run(t, [])
  for (let round = 1; round <= rounds; round++) {
    // Every second run is killed twice: the second time it makes up for the first.
    const shares = Array.from({ length: round % 2 === 0 ? 2 : 1 }, () => random() / 2 ** 32).sort()
    await t.test(`seed ${seed}, round ${round}`, async (t) => {
      const books = await run(t, shares)
      t.strictSame(differences(books, calm), [], 'as if nothing had happened')
    })
  }
})
