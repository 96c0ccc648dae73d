import t from 'tap'
import { bankNames, connectedBank, paidCharge } from './bank-connection.ts'

const hour = 3_600_000

for (const name of bankNames)
  t.test(`${name}: the book of a window is every PIX in it, with what went back`, async (t) => {
    const connection = await connectedBank(t, name)
    const { bank, instance } = connection
    const fromMs = bank.clock.nowMs()
    const { endToEndId, ask } = await paidCharge(connection)
    const toKey = bank.bank.pay({ chave: bank.receiver.chaves[0]!, valor: '7.00' })!
    await bank.hold('POST /returns', { endToEndId: toKey.endToEndId, cents: 250 })
    await bank.clock.advance(hour)
    const untilMs = bank.clock.nowMs()
    const read = (await instance.received!({ fromMs, untilMs }))!
    t.match(
      read.map(({ endToEndId, txid, amountCents }) => [endToEndId, txid, amountCents]),
      [
        [endToEndId, ask.reference, ask.amountCents],
        [toKey.endToEndId, null, 700],
      ],
    )
    t.match(read[1]!.returns, [{ amountCents: 250 }])
    t.strictSame(await instance.received!({ fromMs: untilMs + 1, untilMs: untilMs + hour }), [])
  })

t.test(
  'a list whose length changes between pages is read once more, and no payment comes twice',
  async (t) => {
    const { bank, instance } = await connectedBank(t, 'inter')
    const fromMs = bank.clock.nowMs()
    const pay = () => bank.bank.pay({ chave: bank.receiver.chaves[0]!, valor: '1.00' })!.endToEndId
    const paid = Array.from({ length: 150 }, pay)
    await bank.clock.advance(60_000)
    bank.bank.faults.add({
      verb: 'GET',
      path: '/pix$',
      skip: 1,
      does: { kind: 'change', set: { 'parametros.paginacao.quantidadeTotalDeItens': 151 } },
    })
    const read = (await instance.received!({ fromMs, untilMs: bank.clock.nowMs() }))!
    t.strictSame(read.map(({ endToEndId }) => endToEndId).sort(), paid.sort())
  },
)

t.test('a bank that is silent, or whose list does not stand still, has no book of the day', async (t) => {
  const { bank, instance } = await connectedBank(t, 'inter')
  const window = { fromMs: bank.clock.nowMs(), untilMs: bank.clock.nowMs() + hour }
  bank.bank.faults.add({ verb: 'GET', path: '/pix$', times: 20, does: { kind: 'error', status: 503 } })
  t.equal(await instance.received!(window), null)
})
