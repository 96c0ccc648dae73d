import t from 'tap'
import { newMerchant, oneWorker, startService } from './service.ts'

const scopes = 'charges.create,charges.read,transactions.read,transactions.export'
const count = 220

t.test('an export has every row once, in order, whatever is created meanwhile', async (t) => {
  const service = await startService(t)
  // Both workers own one of the two shards, sooner or later: an export is made by whoever owns its company's.
  for (const name of ['Loja Um', 'Loja Dois']) {
    const { call } = await newMerchant(service, { scopes, name })
    const seeds = Array.from({ length: count }, (_, n) =>
      call('POST', '/v1/sandbox/transactions', {
        method: 'PIX',
        status: n % 3 === 0 ? 'PENDING' : 'APPROVED',
        amount: 100 + (n % 40),
        externalId: `order-${n}`,
      }),
    )
    t.ok((await Promise.all(seeds)).every(({ status }) => status === 201))
    for (const sort of ['createdAt:desc', 'amount:asc']) {
      const exporting = call('GET', `/v1/transactions/export?sort=${sort}`)
      await call('POST', '/v1/pix/charges', { amount: 1 })
      const { status, headers, body } = await exporting
      t.equal(status, 200)
      t.equal(headers.get('content-disposition'), 'attachment; filename="transactions_all_now.csv"')
      const [head, ...rows] = String(body).trimEnd().split('\r\n')
      t.match(head, /^id,createdAt,/)
      const ids = rows.map((row) => row.split(',')[0]!)
      t.equal(new Set(ids).size, ids.length, 'no row twice')
      const orders = rows.filter((row) => row.includes(',order-'))
      t.equal(orders.length, count, `every order by ${sort}`)
      const keys = rows.map((row) => row.split(',')[sort === 'amount:asc' ? 9 : 1]!)
      const sorted =
        sort === 'amount:asc' ? keys.toSorted((a, b) => Number(a) - Number(b)) : keys.toSorted().reverse()
      t.strictSame(keys, sorted)
    }
    const approved = await call('GET', '/v1/transactions/export?status=APPROVED')
    const { body: list } = await call('GET', '/v1/transactions?status=APPROVED')
    t.equal(String(approved.body).trimEnd().split('\r\n').length - 1, list.pagination.total)
    t.equal(list.totals[0].count, list.pagination.total)
  }
})

t.test('exports have a rate of their own, and a scope that is not given by itself', async (t) => {
  const service = await startService(t, { env: { ...oneWorker, RATE_LIMIT_EXPORT: '2' } })
  service.expectLimit('RATE_LIMITED')
  const { call } = await newMerchant(service, { scopes })
  t.equal((await call('GET', '/v1/transactions/export')).status, 200)
  t.equal((await call('GET', '/v1/transactions/export')).status, 200)
  let third = await call('GET', '/v1/transactions/export')
  while (third.status === 200) third = await call('GET', '/v1/transactions/export')
  t.match(third.body, { status: 429, code: 'RATE_LIMITED', policy: 'export' })
  t.ok(Number(third.headers.get('retry-after')) >= 1)
  t.equal((await call('GET', '/v1/transactions')).status, 200, 'other requests are not limited by it')
  const other = await newMerchant(service)
  t.match((await other.call('GET', '/v1/transactions/export')).body, { requiredScope: 'transactions.export' })
})
