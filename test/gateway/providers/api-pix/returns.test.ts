import t from 'tap'
import { wrongEcho } from '../../../../gateway/providers/echo.ts'
import { bankNames, connectedBank, paidCharge } from './bank-connection.ts'

for (const name of bankNames)
  t.test(
    `${name}: a refund is pending until the bank has settled it, in three days or at once`,
    async (t) => {
      const connection = await connectedBank(t, name)
      const { bank, instance, asks } = connection
      bank.bank.payments.setReturns({ settleAfterMs: null })
      const { endToEndId } = await paidCharge(connection)
      const ask = asks.giveBack('REFUND', endToEndId, 500)
      t.match(await instance.inquire(ask), { type: 'NOT_FOUND' })
      t.match(await instance.ask(ask), { type: 'PENDING', evidence: { kind: 'PIX', endToEndId } })
      await bank.clock.advance(3 * 86_400_000)
      t.match(await instance.ask(ask), { type: 'PENDING' }, 'the same once more is no second return')
      bank.bank.payments.settle(endToEndId, ask.reference, { status: 'DEVOLVIDO' })
      const done = await instance.inquire(ask)
      t.match(done, {
        type: 'DONE',
        echo: { reference: ask.reference, amountCents: 500 },
        evidence: { kind: 'PIX', endToEndId, returnId: /^D/ },
      })
      t.strictSame(await instance.ask(ask), done)
      t.equal(bank.bank.payments.returnsOf(endToEndId).length, 1)
      t.equal(bank.bank.book.movements().filter(({ kind }) => kind === 'RETURNED').length, 1)
    },
  )

t.test('a return is done, the answer is lost, and the same goes again: one return', async (t) => {
  for (const name of bankNames) {
    const connection = await connectedBank(t, name)
    const { bank, instance, asks } = connection
    const { endToEndId } = await paidCharge(connection)
    const ask = asks.giveBack('RETURN', endToEndId)
    bank.bank.faults.add({ verb: 'PUT', path: '/devolucao/', does: { kind: 'cut', when: 'after' } })
    t.strictSame(await instance.ask(ask), { type: 'SILENT' })
    await bank.clock.advance(1_000)
    t.match(await instance.ask(ask), { type: 'DONE', echo: { amountCents: 1_234 } })
    t.equal(bank.bank.payments.returnsOf(endToEndId).length, 1)
  }
})

t.test('a return that the bank could not make is refused with its reason', async (t) => {
  const connection = await connectedBank(t, 'itau')
  const { bank, instance, asks } = connection
  bank.bank.payments.setReturns({ refusal: 'Conta encerrada' })
  const { endToEndId } = await paidCharge(connection)
  const ask = asks.giveBack('RETURN', endToEndId)
  await instance.ask(ask)
  await bank.clock.advance(1_000)
  t.match(await instance.inquire(ask), { type: 'REFUSED', refusal: { message: 'Conta encerrada' } })
})

t.test(
  'a return of more than came in is refused, and one that the bank has with another amount is not ours',
  async (t) => {
    for (const name of bankNames) {
      const connection = await connectedBank(t, name)
      const { bank, instance, asks } = connection
      const { endToEndId } = await paidCharge(connection)
      t.match(await instance.ask(asks.giveBack('REFUND', endToEndId, 1_235)), { type: 'REFUSED' })
      t.match(await instance.ask(asks.giveBack('REFUND', 'E'.padEnd(32, '0'))), { type: 'REFUSED' })
      const ask = asks.giveBack('REFUND', endToEndId, 200)
      await instance.ask(ask)
      await bank.clock.advance(1_000)
      const other = { ...ask, amountCents: 300 as never }
      const outcome = await instance.ask(other)
      t.equal(outcome.type === 'DONE' ? wrongEcho(other, outcome.echo) : outcome.type, 'amount')
    }
  },
)

t.test('a used id whose return the bank does not show is no refusal', async (t) => {
  for (const name of ['efi', 'itau']) {
    const connection = await connectedBank(t, name)
    const { bank, instance, asks } = connection
    const { endToEndId } = await paidCharge(connection)
    const ask = asks.giveBack('REFUND', endToEndId)
    await instance.ask(ask)
    bank.bank.faults.add({ verb: 'GET', path: '/devolucao/', does: { kind: 'error', status: 404 } })
    t.strictSame(await instance.ask(ask), { type: 'SILENT' })
  }
})
