import t from 'tap'
import { createDemo } from '../../../gateway/operations/demo.ts'
import type { Operations } from '../../../gateway/operations/input.ts'

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
