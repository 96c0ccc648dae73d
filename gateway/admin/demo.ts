import { scopes } from '../../engine/directory/directory.ts'
import type { Operations } from './operations.ts'

/** A company and a Sandbox key that may do everything, to try the service with; answers the text that a first start prints, for its origin. */
export const createDemo = async (operations: Operations): Promise<(origin: string) => string> => {
  const company = (await operations['companies create']!({
    name: 'Loja Demo Ltda',
    document: '11222333000181',
  })) as {
    id: string
  }
  const key = (await operations['keys create']!({
    company: company.id,
    environment: 'sandbox',
    scopes: scopes.join(','),
  })) as {
    secret: string
  }
  return (origin) => `
A demo company (${company.id}) and a Sandbox key were created. The key is shown only this once:

  ${key.secret}

Create a PIX charge, then pay it:

  CHARGE=$(curl -s ${origin}/v1/pix/charges -H 'Authorization: Bearer ${key.secret}' -H 'Content-Type: application/json' -d '{"amount":1990,"description":"Pedido 1"}' | sed 's/.*"id":"\\(txn_[0-9A-Z]*\\)".*/\\1/'); echo $CHARGE
  curl -s -X POST ${origin}/v1/sandbox/pix/charges/$CHARGE/pay -H 'Authorization: Bearer ${key.secret}'

The reference is at ${origin}/docs
`
}
