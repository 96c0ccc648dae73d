import t from 'tap'
import { killAndRestart, problemsIn } from './kill-and-restart.ts'
import { prepareDirectory } from './prepared.ts'
import { everyRow } from './rows.ts'
import { type Answer, newCompany, oneWorker, posted, until } from './service.ts'
import { secondFactor, signInDirectly } from './sign-in-directly.ts'

/** More for a soak: TAP_TIMEOUT=1800 CRASH_ROUNDS=20 node dist/test/e2e/money-out-crash.test.js */
const rounds = Number(process.env.CRASH_ROUNDS ?? 1)
const answersBeforeEachKill = 60
const finance = { SANDBOX: 'FINANCE', PRODUCTION: 'FINANCE' } as const

/** What a person asked for, with its answer where there was one. */
type Sent = {
  readonly path: string
  readonly body: object
  readonly key: string
  readonly by: number
  answer: Answer | null
}

t.test('kill -9 with money on its way out: one payment each, and a ledger that adds up', async (t) => {
  const first = await prepareDirectory(t)
  const { company } = await newCompany(first)
  const signedIn = await signInDirectly(
    t,
    first,
    Array.from({ length: 6 }, () => ({ companyId: company.id, roles: finance })),
    { env: oneWorker },
  )
  let { service } = signedIn
  const env = {
    ...oneWorker,
    RATE_LIMIT: '0',
    PUBLIC_URL: 'https://pay.example.com',
    PORT: new URL(service.origin).port,
  }
  service = await killAndRestart(t, service, env, 'before the load')
  const people = signedIn.members.map(({ call }) => call)
  const ana = people[0]!
  const sign = async (path: string, body: object): Promise<any> => {
    const answer = await ana('POST', path, body, secondFactor)
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body))
    return answer.body
  }
  await posted(ana, '/v1/sandbox/pix/received', { amount: 5_000_000 })
  const charge = await posted(ana, '/v1/crypto/charges', {
    cryptoAmount: '2000',
    asset: 'USDT',
    network: 'POLYGON',
  })
  await posted(ana, `/v1/sandbox/crypto/charges/${charge.id}/pay`, {})
  const beneficiaryId = (
    await sign('/v1/beneficiaries', {
      name: 'Comercial Aurora Ltda',
      document: '11444777000161',
      bankCode: '341',
      branch: '1234',
      account: '1',
      accountType: 'CHECKING',
    })
  ).id
  const walletId = (
    await sign('/v1/crypto/wallets', {
      name: 'Cofre',
      asset: 'USDT',
      network: 'POLYGON',
      address: `0x${'1'.repeat(39)}a`,
      ownership: 'SELF_CUSTODY',
      holderName: 'Loja Teste',
      holderDocument: '11222333000181',
    })
  ).id
  await posted(ana, '/v1/sandbox/clock/advance', { by: 'P2D' })

  /** What the nth request of a person asks for; every fourth has a bank or a network that is silent for a while. */
  const wanted = (n: number, key: string): { readonly path: string; readonly body: object } => {
    const terms = { externalId: key, allowDuplicate: true }
    return n % 3 === 2
      ? {
          path: '/v1/crypto/withdrawals',
          body: {
            walletId,
            cryptoAmount: '0.5',
            ...terms,
            ...(n % 4 === 0 && { metadata: { sandboxScenario: 'withdrawal_silent' } }),
          },
        }
      : {
          path: '/v1/transfers',
          body: {
            kind: 'PIX',
            beneficiaryId,
            amount: 100 + n,
            ...terms,
            ...(n % 4 === 0 && { metadata: { sandboxScenario: 'transfer_silent' } }),
          },
        }
  }
  const sent: Sent[] = []
  for (let round = 0; round < rounds; round++) {
    let isRunning = true
    let answered = 0
    const ask = async (by: number): Promise<void> => {
      for (let n = 0; isRunning; n++) {
        const key = `${round}-${by}-${n}`
        const one: Sent = { ...wanted(n + by, key), key, by, answer: null }
        sent.push(one)
        one.answer = await people[by]!('POST', one.path, one.body, {
          'Idempotency-Key': key,
          ...secondFactor,
        })
        answered += 1
      }
    }
    const asking = people.map((_, by) => ask(by).catch(() => undefined))
    while (answered < answersBeforeEachKill) await new Promise((resolve) => setImmediate(resolve))
    service = await killAndRestart(t, service, env, `kill ${round + 1}`)
    isRunning = false
    await Promise.all(asking)
  }

  const wrong: string[] = []
  for (const { path, body, key, by, answer } of sent) {
    // What was done already needs no second factor.
    const again = await people[by]!('POST', path, body, {
      'Idempotency-Key': key,
      ...(answer === null && secondFactor),
    })
    const isSame = answer === null ? again.status === 201 : again.body.id === answer.body.id
    if (!isSame || again.status !== 201)
      wrong.push(`${path} ${key}: ${answer?.status} then ${again.status} ${JSON.stringify(again.body)}`)
  }
  t.strictSame(wrong, [], `${sent.length} requests, all answered as before`)

  // The silent ones are told after a quarter of an hour, and asked again until then.
  await posted(ana, '/v1/sandbox/clock/advance', { by: 'PT2H' })
  const keysOf = (path: string): readonly string[] =>
    sent.filter((one) => one.path === path).map(({ key }) => key)
  for (const path of ['/v1/transfers', '/v1/crypto/withdrawals']) {
    let rows: readonly any[] = []
    await until(async () => {
      rows = await everyRow(ana, path)
      return rows.every(({ status }) => status === 'COMPLETED')
    })
    t.strictSame(
      rows.map(({ externalId }) => externalId).toSorted(),
      keysOf(path).toSorted(),
      `${path}: every one is there once, and completed`,
    )
    const total = rows.reduce((sum, { amount }) => sum + Number(amount), 0)
    t.equal(new Set(rows.map(({ endToEndId, txHash }) => endToEndId ?? txHash)).size, rows.length)
    const { body } = await ana('GET', '/v1/balance')
    const usdt = body.currencies.find(({ currency }: any) => currency === 'USDT')
    const { available, blocked } = path === '/v1/transfers' ? body : usdt
    const [paidIn, feeEach] = path === '/v1/transfers' ? [5_000_000, 0] : [1_980_000_000, 50_000]
    t.strictSame(
      [Number(available), Number(blocked)],
      [paidIn - total - rows.length * feeEach, 0],
      `${path}: ${rows.length} payments have left, and nothing else`,
    )
  }
  t.equal(await service.kill('SIGTERM'), 0)
  t.strictSame(await problemsIn(service.dataDir), [])
})
