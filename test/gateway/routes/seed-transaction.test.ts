import t from 'tap'
import { seedSandboxTransaction } from '../../../gateway/routes/sandbox/transactions.ts'

const refusalOf = (body: object): unknown => {
  const { action } = seedSandboxTransaction
  const read = action.read({ method: 'BOLETO', status: 'PENDING', amount: 1990, ...body }, {})
  return read.ok ? null : read.errors.map(({ field, code }) => `${field} ${code}`)
}

t.test('a boleto that no bar code can say is not seeded', async (t) => {
  t.equal(refusalOf({}), null)
  t.equal(refusalOf({ amount: 9_999_999_999, createdAt: '2000-07-03T00:00:00Z' }), null)
  t.strictSame(refusalOf({ amount: '10000000000' }), ['amount OUT_OF_RANGE'])
  t.strictSame(refusalOf({ createdAt: '2000-07-02T23:59:59Z' }), ['createdAt OUT_OF_RANGE'])
  t.equal(refusalOf({ method: 'PIX', amount: '10000000000', createdAt: '1999-01-01T00:00:00Z' }), null)
})
