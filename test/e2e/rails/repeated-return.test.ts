import t from 'tap'
import { signerOf } from '../../rails/live-person.ts'
import { openRefusedReturn } from '../../rails/refused-return.ts'
import { until } from '../service.ts'

t.test(
  'a bank refuses a return on four days, a person tries it once more, and it goes back',
  { timeout: 180_000 },
  async (t) => {
    const { held, person, bank, call, move, charge, endToEndId, second, untilRefused } =
      await openRefusedReturn(t)
    const sign = signerOf(held.host, person, bank.clock)
    const path = `/v1/transactions/${charge.id}/returns/repeat`
    const { id: receivedPixId } = await second()
    t.match(await sign('POST', path, { receivedPixId }), { status: 200 }, 'it is on its way: nothing changes')
    await untilRefused()
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
