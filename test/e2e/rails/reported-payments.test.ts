import t from 'tap'
import { startLiveService } from '../../rails/live-service.ts'
import { type Call, until } from '../service.ts'

const newCharge = async (call: Call): Promise<{ readonly id: string; readonly txid: string }> => {
  const { body } = await call('POST', '/v1/pix/charges', { amount: 1990 })
  return { id: body.id, txid: body.pix.txid }
}

t.test('a payment that the bank reports, and one that it reports while the service is killed', async (t) => {
  const { bank, service, call, start } = await startLiveService(t, { env: { WORKERS: '2' } })
  const isApproved = async (id: string): Promise<boolean> =>
    (await call('GET', `/v1/pix/charges/${id}`)).body.status === 'APPROVED'

  const paid = await newCharge(call)
  await bank.hold('POST /pay', { txid: paid.txid })
  await until(() => isApproved(paid.id))
  t.ok((await service().metric('payments_provider_hooks_total', 'RECEIVED'))! >= 1)
  t.equal(await service().metric('payments_provider_unmatched'), 0)
  await until(async () => (await service().metric('payments_provider_notices_open')) === 0)
  t.equal(await service().metric('payments_provider_notices_total', 'kind="PIX_IN",outcome="TAKEN"'), 1)

  const missed = await newCharge(call)
  await service().kill('SIGKILL')
  await bank.hold('POST /pay', { txid: missed.txid })
  await start()
  await until(() => isApproved(missed.id))
  const { body } = await call('GET', '/v1/pix/charges?status=APPROVED')
  t.strictSame(body.data.map(({ id }: { id: string }) => id).sort(), [paid.id, missed.id].sort())
})
