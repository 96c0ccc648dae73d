import { scopes } from '../../engine/people/permission.ts'
import { operatorAsks } from '../identity/asked.ts'
import type { Operations } from './input.ts'

export type Demo = { readonly companyId: string; readonly secret: string; readonly invitation: string }

/** Creates a company, a Sandbox key with every scope, and an invitation of its owner, for trying out the service. */
export const createDemo = async (operations: Operations): Promise<Demo> => {
  const operate = (operation: string, input: Readonly<Record<string, unknown>>): Promise<object> =>
    operations[operation]!(input, { ...operatorAsks, operation })
  const newCompany = { name: 'Loja Demo Ltda', document: '11222333000181' }
  const { id } = (await operate('companies create', newCompany)) as { readonly id: string }
  const newKey = { company: id, environment: 'sandbox', scopes: scopes.join(',') }
  const { secret } = (await operate('keys create', newKey)) as { readonly secret: string }
  const owner = { company: id, email: 'owner@example.com', name: 'Demo Owner', role: 'owner' }
  const { link } = (await operate('people invite', owner)) as { readonly link: string }
  return { companyId: id, secret, invitation: link }
}

/** The text that a first start prints: the lines with which every page of the documentation begins, and a charge that is paid. */
export const demoText = (
  { companyId, secret, invitation }: Demo,
  origin: string,
  next: { readonly what: string; readonly curl: string } = {
    what: 'pay it',
    curl: '-X POST "$API/v1/sandbox/pix/charges/$CHARGE/pay"',
  },
): string => `
A demo company and a Sandbox key were created. The key is shown only this once: put these lines into a shell, and every command of
the documentation works as it stands.

  export API=${origin}
  export KEY=${secret}
  export COMPANY=${companyId}

Create a PIX charge, then ${next.what}:

  CHARGE=$(curl -s "$API/v1/pix/charges" -H "Authorization: Bearer $KEY" -H 'Content-Type: application/json' -H 'Idempotency-Key: order-1' -d '{"amount": 1990, "description": "Order 1", "externalId": "order-1"}' | grep -o 'txn_[0-9A-Z]*' | head -1); echo $CHARGE
  curl -s ${next.curl} -H "Authorization: Bearer $KEY"

Sign in to the dashboard: this link sets the password of the company's owner. It works for 24 hours, once:

  ${invitation}

The documentation is at ${origin}/docs, the API reference at ${origin}/docs/reference
`
