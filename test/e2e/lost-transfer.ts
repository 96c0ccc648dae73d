import { type Call, posted, until } from './service.ts'
import { secondFactor } from './sign-in-directly.ts'

/** Money in the Sandbox, and a beneficiary to whom it may be sent, as a day has gone by since. */
export const openPayee = async (call: Call): Promise<string> => {
  await posted(call, '/v1/sandbox/pix/received', { amount: 500_000 })
  await posted(call, '/v1/sandbox/clock/advance', { by: 'P3D' })
  const account = { bankCode: '341', branch: '1234', account: '1', accountType: 'CHECKING' }
  const payee = { name: 'Comercial Aurora Ltda', document: '11444777000161', ...account }
  const { id } = (await call('POST', '/v1/beneficiaries', payee, secondFactor)).body
  await posted(call, '/v1/sandbox/clock/advance', { by: 'PT24H' })
  return id
}

/** A transfer whose answer was lost, so that people have to say what became of it; resolves to its id. */
export const loseTransfer = async (call: Call, beneficiaryId: string, amount: number): Promise<string> => {
  const metadata = { sandboxScenario: 'transfer_lost' }
  const transfer = { kind: 'PIX', beneficiaryId, amount, metadata }
  const { id } = (await call('POST', '/v1/transfers', transfer, secondFactor)).body
  await until(async () => (await call('GET', `/v1/transfers/${id}`)).body.lostAt !== undefined)
  return id
}
