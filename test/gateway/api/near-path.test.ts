import t from 'tap'
import { nearPathFinder } from '../../../gateway/api/near-path.ts'
import { routes } from '../../../gateway/routes/index.ts'

const near = nearPathFinder(routes)

t.test('an unknown path has the one that was meant', (t) => {
  const meant: Readonly<Record<string, string | null>> = {
    '/v1/pix/charge': '/v1/pix/charges',
    '/v1/pix/charges/': '/v1/pix/charges',
    '/pix/charges': '/v1/pix/charges',
    '/v1/Pix/Charges': '/v1/pix/charges',
    '/v1/card_payments': '/v1/card-payments',
    '/v1/cards/card_payments': null,
    '/v1/subscription/sub_1/cancell': '/v1/subscriptions/sub_1/cancel',
    '/v1/transaction': '/v1/transactions',
    '/v1/nothing-like-it': null,
    [`/v1/${'x'.repeat(200)}`]: null,
    '/': null,
    '//': null,
  }
  for (const [path, expected] of Object.entries(meant)) t.equal(near(path), expected, path)
  for (const { path } of routes) t.equal(near(path.replaceAll(':id', 'x')), path.replaceAll(':id', 'x'))
  t.end()
})
