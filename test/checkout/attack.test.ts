import t from 'tap'
import { caller, newMerchant, posted, startService } from '../e2e/service.ts'
import { askPage, cardJson, nonceIn } from './payer.ts'

/** The attack of the specification: TAP_TIMEOUT=1800 ATTACK_CARDS=120000 node dist/test/checkout/attack.test.js */
const cards = Number(process.env.ATTACK_CARDS ?? 300)
const addresses = Math.min(2000, cards / 10)
const atOnce = 32

t.test(
  `${cards} cards from ${addresses} addresses at one link: few reach an acquirer, and PIX goes on`,
  async (t) => {
    const service = await startService(t, {
      env: { CHECKOUT_ORIGIN: 'http://pay.localhost', TRUSTED_PROXIES: '127.0.0.1/32' },
    })
    const { key } = await newMerchant(service)
    const call = caller(service.origin, key.secret)
    const { id, url } = await posted(call, '/v1/payment-links', { name: 'x', title: 'x', amount: 1990 })
    const { origin } = new URL(url)
    const from = (n: number) => ({
      'X-Forwarded-For': `10.${n >> 8}.${n & 255}.${n % 200}`,
      Origin: origin,
    })

    let tried = 0
    let refused = 0
    const tester = async (): Promise<void> => {
      while (tried < cards) {
        const n = tried++
        const headers = from(n % addresses)
        const { body } = await askPage(service, 'GET', url, { headers })
        const card = cardJson('tok_test_declined_05', String(n % 10_000).padStart(4, '0')).replace(
          '400000',
          String(400_000 + (n % 100_000)),
        )
        const { status } = await askPage(service, 'POST', `${url}/pay`, {
          form: { nonce: nonceIn(body), method: 'CREDIT_CARD', card },
          headers,
        })
        if (status !== 303) refused += 1
      }
    }
    await Promise.all(Array.from({ length: atOnce }, tester))

    const { pagination } = (await call('GET', '/v1/transactions?method=CREDIT_CARD&pageSize=1')).body
    // What was on its way to the acquirer when the limit was met is counted as declined already.
    t.ok(
      pagination.total <= 100,
      `${pagination.total} of ${cards} reached the acquirer, ${refused} found no card to choose`,
    )
    const { body } = await askPage(service, 'GET', url)
    t.notMatch(body, /value="CREDIT_CARD"/)
    const bits = /name="work" data-bits="(\d+)"/.exec(body)
    t.comment(bits === null ? 'the account takes no cards' : `the link asks ${bits[1]} bits of work`)
    const own = await posted(call, '/v1/checkout-sessions', { amount: 500, methods: ['PIX', 'CREDIT_CARD'] })
    const page = await askPage(service, 'GET', own.url)
    const pix = await askPage(service, 'POST', `${own.url}/pay`, {
      form: { nonce: nonceIn(page.body), method: 'PIX' },
      headers: from(2),
    })
    t.equal(pix.status, 303, 'PIX goes on')
    t.equal(
      await service.metric('payments_checkout_declines_total', 'environment="SANDBOX"'),
      pagination.total,
    )
    // By link or by company: which limit is met first depends on how fast they come.
    const blocked = (await service.metric('payments_checkout_blocked_total')) ?? 0
    t.equal(
      pagination.total + blocked + refused,
      cards,
      'every try was declined, blocked or found no card to choose',
    )
    t.match((await call('GET', `/v1/payment-links/${id}`)).body, { status: 'ACTIVE', paymentsCount: 0 })
  },
)
