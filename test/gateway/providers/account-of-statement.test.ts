import t from 'tap'
import { isStatementOf } from '../../../gateway/providers/account-of-statement.ts'
import { modules } from '../../../gateway/providers/modules.ts'

const connection = (settings: object, provider = 'inter') =>
  ({ provider, credentials: { settings } }) as unknown as Parameters<typeof isStatementOf>[1]
const shown = (accountId: string, bankId: string | null = '077', branchId: string | null = null) => ({
  bankId,
  branchId,
  accountId,
})
const own = { receiverBranch: '0001', receiverAccount: '12345-6' }

t.test('a statement is of the account of its connection, however its number is written', async (t) => {
  for (const number of ['12345-6', '123456', '000123456', '0001123456', '1123456'])
    t.equal(isStatementOf(shown(number), connection(own)), true, number)
  t.equal(isStatementOf(shown('123456', null), connection(own)), true, 'a bank may leave its number out')
  t.equal(isStatementOf(shown('123456', '77', '0001-9'), connection(own)), true)
  t.equal(isStatementOf(shown('123457'), connection(own)), false, 'another account')
  t.equal(isStatementOf(shown('123456', '341'), connection(own)), false, 'the number at another bank')
  t.equal(isStatementOf(shown('123456', '077', '0002'), connection(own)), false, 'at another branch')
  t.equal(
    isStatementOf(shown('123456'), connection({})),
    null,
    'a connection without an account says nothing',
  )
  t.equal(isStatementOf(shown('8'), connection({ ...own, account: '8' })), true, 'the one that it names')
})

t.test('every bank has its number, by which a statement of another one is known', async (t) => {
  const codes = Object.values(modules).map(({ clearingCode }) => clearingCode)
  t.strictSame(new Set(codes).size, codes.length)
  for (const [provider, { clearingCode }] of Object.entries(modules)) {
    t.equal(isStatementOf(shown('123456', String(clearingCode)), connection(own, provider)), true, provider)
    t.equal(isStatementOf(shown('123456', '999'), connection(own, provider)), false, provider)
  }
})
