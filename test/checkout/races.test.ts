import t from 'tap'
import { killAndRestart, problemsIn } from '../e2e/kill-and-restart.ts'
import {
  type Call,
  caller,
  newDataDir,
  newMerchant,
  posted,
  type Service,
  startService,
} from '../e2e/service.ts'
import { askPage, cardJson, nonceIn, sendForm } from './payer.ts'

/** More for a soak: TAP_TIMEOUT=900 RACE_ROUNDS=100 node dist/test/checkout/races.test.js */
const rounds = Number(process.env.RACE_ROUNDS ?? 3)
const payers = Math.min(50, rounds * 4)

t.test('races at pages have one outcome each, also where the service is killed', async (t) => {
  const dataDir = newDataDir(t)
  const env = { CHECKOUT_ORIGIN: 'http://pay.localhost' }
  let service = await startService(t, { dataDir, env })
  const { key } = await newMerchant(service)
  let call = caller(service.origin, key.secret)
  const session = (body: object = {}) =>
    posted(call, '/v1/checkout-sessions', { amount: 9_900, methods: ['PIX', 'CREDIT_CARD'], ...body })
  const takePix = (url: string) => sendForm(service, url, 'pay', { method: 'PIX' })

  /** Each race ends when all who take part have an answer, or none because the service is gone. */
  const races: Readonly<Record<string, () => Promise<readonly string[]>>> = {
    'the same form four times': async () => {
      const { id, url } = await session()
      const nonce = nonceIn((await askPage(service, 'GET', url)).body)
      const headers = { Origin: new URL(url).origin }
      await all(
        ['PIX', 'PIX', 'CREDIT_CARD', 'PIX'].map((method) =>
          askPage(service, 'POST', `${url}/pay`, { form: { nonce, method, card: cardJson() }, headers }),
        ),
      )
      return [id]
    },
    'the end of the session against the payment': async () => {
      const { id, url } = await session()
      await takePix(url)
      const transactionId = await liveIn(call, id)
      await all([
        call('POST', `/v1/checkout-sessions/${id}/expire`, {}),
        call('POST', `/v1/sandbox/pix/charges/${transactionId}/pay`, {}),
      ])
      return [id]
    },
    'another method against the payment': async () => {
      const { id, url } = await session()
      await takePix(url)
      const transactionId = await liveIn(call, id)
      await all([
        sendForm(service, url, 'other', {}),
        call('POST', `/v1/sandbox/pix/charges/${transactionId}/pay`, {}),
      ])
      return [id]
    },
    'more time, asked for four times': async () => {
      const { id, url } = await session()
      const answers = await askTime(service, url, 4)
      // What was acknowledged stands, also where the service is killed.
      if (answers.includes(200)) prolonged.add(id)
      return [id]
    },
    'more time against the end and the payment': async () => {
      const { id, url } = await session()
      await takePix(url)
      const transactionId = await liveIn(call, id)
      await all([
        askTime(service, url, 2),
        call('POST', `/v1/checkout-sessions/${id}/expire`, {}),
        call('POST', `/v1/sandbox/pix/charges/${transactionId}/pay`, {}),
      ])
      return [id]
    },
    'many payers at a link that is paid once': async () => {
      const { id, url } = await posted(call, '/v1/payment-links', {
        name: 'x',
        title: 'x',
        amount: 700,
        singleUse: true,
      })
      await all(
        Array.from({ length: payers }, () =>
          sendForm(service, url, 'pay', { method: 'CREDIT_CARD', card: cardJson() }),
        ),
      )
      const { body } = await call('GET', `/v1/payment-links/${id}`)
      if (body.paymentsCount > 1) throw new Error(`${id} was paid ${body.paymentsCount} times`)
      return idsOf(call, `linkId=${id}`)
    },
    'the last redemption of a coupon': async () => {
      const code = `ULTIMO-${await nextNumber()}`
      await posted(call, '/v1/coupons', { code, discountType: 'FIXED', amountOff: 100, maxRedemptions: 1 })
      const two = await Promise.all([1, 2].map(() => session({ couponCode: code, allowCoupons: true })))
      await all(two.map(({ url }) => takePix(url)))
      const taken = await Promise.all(
        two.map(async ({ id }) => (await call('GET', `/v1/checkout-sessions/${id}`)).body),
      )
      const reduced = taken.filter(({ attempts, discountAmount }) => attempts > 0 && discountAmount === '100')
      if (reduced.length > 1) throw new Error(`${code} was redeemed twice`)
      return two.map(({ id }) => id)
    },
  }
  const prolonged = new Set<string>()
  let numbers = 0
  const nextNumber = async (): Promise<number> => ++numbers

  const raced = new Map<string, string>()
  for (let round = 0; round < rounds; round++)
    for (const [name, race] of Object.entries(races)) for (const id of await race()) raced.set(id, name)

  // Once more, with the service killed in the middle: what was acknowledged stands, and nothing is half done.
  const going = Object.entries(races).map(async ([name, race]) => {
    for (const id of await race().catch(() => [])) raced.set(id, name)
  })
  service = await killAndRestart(t, service, env, 'kill')
  await Promise.all(going)
  call = caller(service.origin, key.secret)
  for (const id of await idsOf(call, '')) if (!raced.has(id)) raced.set(id, 'killed')

  const wrong: string[] = []
  for (const [id, name] of raced) {
    const { body } = await call('GET', `/v1/checkout-sessions/${id}`)
    const statuses: string[] = []
    for (const transactionId of body.transactionIds)
      statuses.push((await call('GET', `/v1/transactions/${transactionId}`)).body.status)
    const paid = statuses.filter((status) => status === 'APPROVED').length
    const live = statuses.filter(
      (status) => status === 'PENDING' || status === 'PROCESSING' || status === 'CREATED',
    ).length
    const fits =
      paid === (body.status === 'COMPLETED' ? 1 : 0) && live === (body.status === 'PROCESSING' ? 1 : 0)
    const hours = (Date.parse(body.expiresAt) - Date.parse(body.createdAt)) / 3_600_000
    if (hours !== 36 && (hours !== 24 || prolonged.has(id))) wrong.push(`${name}: ${id} lives ${hours} h`)
    if (!fits) wrong.push(`${name}: ${id} is ${body.status} with ${statuses}`)
  }
  t.strictSame(wrong, [], `${raced.size} sessions`)
  t.ok(raced.size >= rounds * 8)
  await service.kill('SIGTERM')
  t.strictSame(await problemsIn(dataDir), [], 'the ledger adds up')
})

/** Who finds the service gone has no answer. */
const all = async (asked: readonly Promise<unknown>[]): Promise<void> =>
  void (await Promise.allSettled(asked))

/** Asks for more time so many times at once. */
const askTime = async (
  service: Pick<Service, 'origin'>,
  url: string,
  times: number,
): Promise<readonly number[]> => {
  const form = { nonce: nonceIn((await askPage(service, 'GET', url)).body) }
  const headers = { Origin: new URL(url).origin, Accept: 'application/json' }
  const asked = Array.from({ length: times }, () =>
    askPage(service, 'POST', `${url}/prolong`, { form, headers }).catch(() => null),
  )
  return (await Promise.all(asked)).flatMap((one) => (one === null ? [] : [one.status]))
}

const liveIn = async (call: Call, id: string): Promise<string> =>
  (await call('GET', `/v1/checkout-sessions/${id}`)).body.transactionIds.at(-1)

const idsOf = async (call: Call, filter: string): Promise<string[]> => {
  const ids: string[] = []
  for (let page = 1; ; page++) {
    const { body } = await call('GET', `/v1/checkout-sessions?pageSize=200&page=${page}&${filter}`)
    ids.push(...body.data.map(({ id }: { id: string }) => id))
    if (!body.pagination.hasMore) return ids
  }
}
