import t from 'tap'
import { aBeneficiary, startLivePerson } from '../../rails/live-person.ts'
import { until } from '../service.ts'

t.test('Inter has taken a PIX, and the service is killed: it asks by the number of the bank', async (t) => {
  const live = await startLivePerson(t, 'inter')
  const { body: charge } = await live.call('POST', '/v1/pix/charges', { amount: 50_000 })
  await until(async () => (await live.call('GET', `/v1/pix/charges/${charge.id}`)).body.status === 'PENDING')
  await live.bank.hold('POST /pay', { txid: charge.pix.txid })
  await until(async () => (await live.call('GET', '/v1/balance')).body.available > 40_000)
  const { body: beneficiary } = await live.sign('POST', '/v1/beneficiaries', aBeneficiary)

  await live.bank.hold('POST /sends/settings', { settleAfterMs: null })
  await live.bank.hold('POST /faults', {
    verb: 'GET',
    path: '/banking/v2/pix/',
    times: 1_000,
    does: { kind: 'error', status: 500 },
  })
  const asked = async (verb: string): Promise<number> => {
    const requests: readonly any[] = await live.bank.hold('GET /requests')
    return requests.filter((one) => one.verb === verb && one.path.startsWith('/banking/v2/pix')).length
  }
  const transfer = { kind: 'PIX', amount: 1_001, beneficiaryId: beneficiary.id }
  const { body } = await live.sign('POST', '/v1/transfers', transfer)
  // The second inquiry follows a fact of the first answer.
  await until(async () => (await asked('GET')) >= 2)
  t.equal(await asked('POST'), 1)
  await live.service().kill('SIGKILL')
  await live.bank.hold('DELETE /faults')
  const [{ reference }] = await live.bank.hold('GET /sends')
  await live.bank.hold('POST /sends/settle', { reference, status: 'REALIZADO' })
  await live.start()
  const now = async (): Promise<any> => (await live.sign('GET', `/v1/transfers/${body.id}`)).body
  await until(async () => (await now()).status === 'COMPLETED')
  t.equal(await asked('POST'), 1, 'the same request was not needed to learn the number once more')
  t.match(await live.bank.hold('GET /sends'), [{ cents: 1_001 }])
  t.equal((await live.call('GET', '/v1/balance')).body.blocked, '0')
})
