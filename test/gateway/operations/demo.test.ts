import t from 'tap'
import { createDemo, demoText } from '../../../gateway/operations/demo.ts'
import type { Operations } from '../../../gateway/operations/input.ts'
import { originForCallers, originListenedAt } from '../../../gateway/operations/people/origins.ts'

t.test('the audit log of the demo company names what was done', async (t) => {
  const named: string[] = []
  const known = ['companies create', 'keys create', 'people invite']
  const operations: Operations = Object.fromEntries(
    known.map((name) => [
      name,
      async (_, { operation }) => {
        named.push(operation)
        return { id: 'cmp_1', secret: 'svc_test_1', link: 'http://localhost/painel/convite#1' }
      },
    ]),
  )
  t.match(await createDemo(operations), { companyId: 'cmp_1', secret: 'svc_test_1' })
  t.strictSame(named, known)
})

t.test(
  'a first start prints the lines with which the documentation begins, as a shell takes them',
  async (t) => {
    const demo = { companyId: 'cmp_1', secret: 'svc_test_1', invitation: 'http://localhost/painel/convite#1' }
    const text = demoText(demo, 'http://[::1]:8080')
    t.match(text, '\n  export API=http://[::1]:8080\n  export KEY=svc_test_1\n  export COMPANY=cmp_1\n')
    t.equal(
      text.split('svc_test_1').length,
      2,
      'the key is there once: the other lines take it from the shell',
    )
  },
)

t.test('the address that is printed is one that callers reach', async (t) => {
  const of = (host: string, publicUrl = '', isTls = false): string =>
    originForCallers(publicUrl, host, isTls, 8080)
  t.equal(of('127.0.0.1'), 'http://127.0.0.1:8080')
  t.equal(of('pay.internal', '', true), 'https://pay.internal:8080')
  t.equal(of('::1'), 'http://[::1]:8080')
  t.equal(of('fd00::7', '', true), 'https://[fd00::7]:8080')
  t.equal(of('0.0.0.0'), 'http://127.0.0.1:8080')
  t.equal(of('::'), 'http://[::1]:8080')
  t.equal(of('0.0.0.0', 'https://pay.example.com'), 'https://pay.example.com')
  t.equal(originListenedAt('::', false, 8080), 'http://[::]:8080', 'the log says where it listens')
})
