import t from 'tap'
import { startHeldService } from '../../rails/faults/held-service.ts'
import { signerOf } from '../../rails/live-person.ts'
import { openShopOf } from '../../rails/live-service.ts'
import { until } from '../service.ts'

const hour = 3_600_000

t.test(
  'a bank refuses a return on four days, a person tries it once more, and it goes back',
  { timeout: 180_000 },
  async (t) => {
    const held = await startHeldService(t, { peopleCount: 1 })
    const [person] = held.people
    const { bank, call } = await openShopOf(t, held.host, person!, { bankName: 'itau', settings: {} })
    const sign = signerOf(held.host, person!, bank.clock)
    const move = async (...moves: readonly number[]): Promise<void> => {
      for (const ms of moves) {
        await bank.clock.advance(ms)
        await held.order({ type: 'MOVE', ms })
        await new Promise((resolve) => setTimeout(resolve, 100))
      }
    }

    const { body: charge } = await call('POST', '/v1/pix/charges', { amount: 1_990 })
    await until(async () => (await call('GET', `/v1/pix/charges/${charge.id}`)).body.status === 'PENDING')
    await bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: 'a conta foi encerrada' })
    await bank.hold('POST /pay', { txid: charge.pix.txid })
    const { endToEndId } = await bank.hold('POST /pay', { txid: charge.pix.txid, force: true })
    const second = async (): Promise<any> =>
      (await call('GET', `/v1/pix/received?txid=${charge.pix.txid}`)).body.data.find(
        (one: any) => one.endToEndId === endToEndId,
      )
    const path = `/v1/transactions/${charge.id}/returns/repeat`
    await move(60_000, 60_000)
    await until(async () => (await second())?.status === 'RETURNING')
    const { id: receivedPixId } = await second()
    t.match(await sign('POST', path, { receivedPixId }), { status: 200 }, 'it is on its way: nothing changes')
    for (let hours = 0; hours < 5 * 24 && (await second()).status === 'RETURNING'; hours += 5)
      await move(5 * hour)
    await until(async () => (await second()).status === 'RETURN_FAILED')
    const back = (): readonly any[] =>
      bank.bank.book.movements().filter((one) => one.endToEndId === endToEndId && one.cents < 0)
    t.equal(back().length, 0)
    const suspense = async (): Promise<any> => (await call('GET', '/v1/balance')).body
    const before = await suspense()

    await bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: null })
    const asked = async (): Promise<ReadonlySet<string>> => {
      const requests: readonly any[] = await bank.hold('GET /requests')
      const returns = requests.filter(
        ({ verb, path }) => verb === 'PUT' && path.includes(`${endToEndId}/devolucao/`),
      )
      return new Set(returns.map(({ path }) => path))
    }
    t.equal((await asked()).size, 4)
    t.match(await sign('POST', path, { receivedPixId }), {
      status: 200,
      body: { id: charge.id, status: 'APPROVED' },
    })
    await move(5_000, 15_000, 60_000)
    await until(async () => (await second()).status === 'RETURNED')
    t.match(back(), [{ cents: -1_990 }], 'once, and all of it')
    t.equal((await asked()).size, 5, 'under an id that the bank has not seen')
    t.equal((await suspense()).available, before.available, 'it had never been in the balance')
    t.match(await sign('POST', path, { receivedPixId }), { status: 409 }, 'what went back goes back no more')
  },
)
