import t from 'tap'
import { killAndRestart, problemsIn } from './kill-and-restart.ts'
import { everyRow } from './rows.ts'
import { type Answer, type Call, caller, newDataDir, newMerchant, startService } from './service.ts'
import { everyDivided, newSplitRule, shareProblems } from './shares.ts'

/** More for a soak: TAP_TIMEOUT=1800 CRASH_ROUNDS=20 node dist/test/e2e/mixed-crash.test.js */
const rounds = Number(process.env.CRASH_ROUNDS ?? 2)
const clients = 12
const answersBeforeEachKill = 250

const env = { RATE_LIMIT: '0' }

/** A request with its key, and its answer where there was one. */
type Sent = {
  readonly path: string
  readonly body: object
  readonly key: string
  answer: Answer | null
}

t.test('kill -9 under a mixed load loses, doubles and forgets nothing', async (t) => {
  const dataDir = newDataDir(t)
  let service = await startService(t, { dataDir, env })
  const merchant = await newMerchant(service, {
    scopes: 'charges.create,charges.read,transactions.read,refunds.create,marketplace.manage',
  })
  const { key } = merchant
  const splitRuleId = await newSplitRule(merchant.call)
  const sent: Sent[] = []

  for (let round = 0; round < rounds; round++) {
    const call = caller(service.origin, key.secret)
    let running = true
    let answered = 0
    const send = async (path: string, body: object, requestKey: string): Promise<any> => {
      const one: Sent = { path, body, key: requestKey, answer: null }
      sent.push(one)
      one.answer = await call('POST', path, body, { 'Idempotency-Key': requestKey })
      answered += 1
      return one.answer.body
    }
    const client = async (name: number): Promise<void> => {
      for (let n = 0; running; n++)
        await order(`${round}-${name}-${n}`, (name + n) % 10, splitRuleId, send, call)
    }
    const running_ = Array.from({ length: clients }, (_, name) => client(name).catch(() => undefined))
    while (answered < answersBeforeEachKill) await new Promise((resolve) => setImmediate(resolve))
    service = await killAndRestart(t, service, env, `kill ${round + 1}`)
    running = false
    await Promise.all(running_)
  }

  // Whoever did not hear an answer asks again with the same key; whoever did asks again, too.
  const call = caller(service.origin, key.secret)
  const wrong: string[] = []
  for (const { path, body, key: requestKey, answer } of sent) {
    const again = await untilAnswered(() => call('POST', path, body, { 'Idempotency-Key': requestKey }))
    const isSame = answer === null || (again.status === answer.status && again.body.id === answer.body.id)
    const isReplay = answer === null || answer.status >= 300 || again.headers.has('idempotent-replayed')
    if (!isSame || !isReplay) wrong.push(`${path} ${requestKey}: ${answer?.status} then ${again.status}`)
  }
  t.strictSame(wrong, [], `${sent.length} requests, all answered as before`)
  const wanted = sent.filter(({ path }) => creates.has(path)).map(({ key }) => key)
  const charges = await everyRow(call, '/v1/transactions')
  t.strictSame(
    charges.map(({ externalId }) => externalId).toSorted(),
    wanted.toSorted(),
    'every order is there once',
  )
  const divided = await everyDivided(call, charges)
  const problems = shareProblems(divided, await settledTransfers(call))
  t.strictSame(problems, [], `${divided.length} divided payments, each to its last centavo`)
  t.equal(await service.kill('SIGTERM'), 0)
  t.strictSame(await problemsIn(dataDir), [])
})

const creates = new Set(['/v1/pix/charges', '/v1/card-payments', '/v1/boletos'])

type Send = (path: string, body: object, key: string) => Promise<any>

const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
const dueDate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
const customer = { name: 'Ana Souza', document: '123.456.789-09' }

/** One order from its charge to whatever comes of it. */
const order = async (
  name: string,
  kind: number,
  splitRuleId: string,
  send: Send,
  call: Call,
): Promise<void> => {
  const charge = { amount: 1000, externalId: name }
  const divided = { ...charge, amount: 9999, splitRuleId }
  switch (kind) {
    case 0: {
      const { id } = await send('/v1/pix/charges', charge, name)
      await call('POST', `/v1/sandbox/pix/charges/${id}/pay`)
      await send(`/v1/transactions/${id}/refund`, { amount: 300 }, `${name}-refund`)
      return
    }
    case 1: {
      const { id } = await send('/v1/card-payments', { ...charge, installments: 3, card }, name)
      await send(`/v1/transactions/${id}/refund`, { amount: 101 }, `${name}-refund`)
      return
    }
    case 2: {
      const { id } = await send('/v1/card-payments', { ...charge, capture: false, card }, name)
      await send(`/v1/card-payments/${id}/capture`, { amount: 700 }, `${name}-capture`)
      return
    }
    case 3: {
      const { id } = await send('/v1/card-payments', { ...charge, card }, name)
      await call('POST', `/v1/sandbox/card-payments/${id}/chargeback`, {})
      return
    }
    case 4: {
      const { id } = await send('/v1/boletos', { ...charge, dueDate, customer }, name)
      await call('POST', `/v1/sandbox/boletos/${id}/pay`, {})
      return
    }
    case 5: {
      const own = await newSplitRule(call)
      const { id } = await send('/v1/pix/charges', { ...divided, splitRuleId: own }, name)
      await call('POST', `/v1/sandbox/pix/charges/${id}/pay`)
      await send(`/v1/transactions/${id}/refund`, { amount: 3001 }, `${name}-refund`)
      return
    }
    case 6: {
      const { id } = await send('/v1/card-payments', { ...divided, installments: 3, card }, name)
      await send(`/v1/transactions/${id}/refund`, { amount: 101 }, `${name}-refund`)
      await call('POST', `/v1/sandbox/transactions/${id}/settle`)
      return
    }
    case 7: {
      const { id } = await send('/v1/card-payments', { ...divided, installments: 2, card }, name)
      await call('POST', `/v1/sandbox/transactions/${id}/settle`)
      await call('POST', `/v1/sandbox/card-payments/${id}/chargeback`, { amount: 5000 })
      return
    }
    case 8: {
      const { id } = await send('/v1/boletos', { ...divided, dueDate, customer }, name)
      await call('POST', `/v1/sandbox/boletos/${id}/pay`, {})
      return
    }
    default: {
      const { id } = await send('/v1/pix/charges', { ...charge, customer }, name)
      await send(`/v1/pix/charges/${id}/cancel`, {}, `${name}-cancel`)
    }
  }
}

/** What is still being asked of a provider is answered 409 until it is known. */
const untilAnswered = async (ask: () => Promise<Answer>): Promise<Answer> => {
  for (;;) {
    const answer = await ask()
    if (answer.body?.code !== 'IDEMPOTENCY_KEY_IN_PROGRESS') return answer
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Transfers, when no bank is being asked any more: whom a crash interrupted asks again by itself. */
const settledTransfers = async (call: Call): Promise<any[]> => {
  for (;;) {
    const transfers = await everyRow(call, '/v1/split/transfers')
    if (!transfers.some(({ status }) => status === 'PROCESSING')) return transfers
  }
}
