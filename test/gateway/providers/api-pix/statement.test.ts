import t from 'tap'
import type { CalendarDate } from '../../../../engine/shared/calendar.ts'
import { startOfDay } from '../../../../engine/shared/calendar.ts'
import { bankNames, connectedBank } from './bank-connection.ts'

const date = '2026-11-25' as CalendarDate
const fromMs = startOfDay('America/Sao_Paulo', date)
const day = { date, fromMs, toMs: fromMs + 86_400_000 }
const readers = ['banco-do-brasil', 'inter', 'sicoob']
const settings = { readsStatement: true }

/** A bank with a payment, a return of it, a tariff, another line, and a payment of the next day. */
const busyBank = async (t: Parameters<typeof connectedBank>[0], name: string) => {
  const connection = await connectedBank(t, name, { settings })
  const { bank } = connection
  const [chave] = bank.receiver.chaves
  const { endToEndId } = bank.bank.pay({ chave: chave!, valor: '10.10' })!
  await bank.hold('POST /returns', { endToEndId, cents: 250 })
  await bank.clock.advance(1_000)
  await bank.hold('POST /movements', { kind: 'TARIFF', cents: -12, endToEndId })
  await bank.hold('POST /movements', { kind: 'OTHER', cents: -5_000 })
  await bank.clock.advance(24 * 3_600_000)
  bank.bank.pay({ chave: chave!, valor: '99.00' })
  return { ...connection, endToEndId }
}

for (const name of bankNames)
  t.test(`${name}: its statement is read where the interface is known and the connection may`, async (t) => {
    const { instance, open } = await connectedBank(t, name)
    t.equal(instance.statement, undefined)
    t.equal(open(settings).statement !== undefined, readers.includes(name))
  })

for (const name of readers)
  t.test(
    `${name}: the statement of a day has all that moved in the account, and nothing of another day`,
    async (t) => {
      const { instance, endToEndId, bank } = await busyBank(t, name)
      const movements = (await instance.statement!(day))!
      t.strictSame(movements.map(({ kind, cents }) => `${kind} ${cents}`).sort(), [
        'OTHER -5000',
        'PIX_IN 1010',
        'RETURN -250',
        'TARIFF -12',
      ])
      const [paid] = movements.filter(({ kind }) => kind === 'PIX_IN')
      t.equal(paid!.endToEndId, name === 'banco-do-brasil' ? null : endToEndId)
      bank.bank.faults.add({ path: 'extrato', does: { kind: 'error', status: 503 } })
      t.equal(await instance.statement!(day), null)
    },
  )

t.test(
  'inter: its statement shows our reference with what was sent, and with nothing that came in',
  async (t) => {
    const { bank, instance } = await connectedBank(t, 'inter', { settings })
    const reference = '01JDH3K4M5N6P7Q8R9S0T1V2W301'
    const line = { kind: 'SENT', cents: -700, endToEndId: 'E1' }
    await bank.hold('POST /movements', { ...line, text: `Nota fiscal 7 ${reference}` })
    await bank.hold('POST /movements', { ...line, endToEndId: 'E2', text: `x${reference} and ${reference}9` })
    await bank.hold('POST /movements', { ...line, kind: 'RECEIVED', cents: 700, text: reference })
    const movements = (await instance.statement!(day))!
    t.strictSame(movements.map(({ kind, cents, reference: shown }) => [kind, cents, shown]).sort(), [
      ['PIX_IN', 700, undefined],
      ['PIX_OUT', -700, undefined],
      ['PIX_OUT', -700, reference],
    ])
  },
)

t.test(
  'a statement of many pages is read to its end, and one line that makes no sense leaves all for later',
  async (t) => {
    const { bank, instance, faults } = await connectedBank(t, 'banco-do-brasil', { settings })
    for (let n = 0; n < 450; n++)
      await bank.hold('POST /movements', { kind: 'RECEIVED', cents: 100 + n, endToEndId: `E${n}` })
    const movements = (await instance.statement!(day))!
    t.equal(movements.length, 450)
    t.equal(
      movements.reduce((sum, { cents }) => sum + cents, 0),
      450 * 100 + (449 * 450) / 2,
    )
    bank.bank.faults.add({
      path: 'extrato',
      does: { kind: 'change', set: { 'listaLancamento.3.indicadorSinalLancamento': 'X' } },
    })
    t.equal(await instance.statement!(day), null)
    t.match(faults, [{ message: /cannot be read/ }])
  },
)

t.test('a connection that does not say which account it has reads no statement that needs it', async (t) => {
  for (const name of ['banco-do-brasil', 'sicoob']) {
    const { open } = await connectedBank(t, name, { settings })
    t.equal(open({ receiverAccount: undefined }).statement, undefined)
  }
})

t.test('Efí shows what it takes beside a payment, and a fee that cannot be read is none', async (t) => {
  const { bank, instance } = await connectedBank(t, 'efi')
  const [chave] = bank.receiver.chaves
  const window = { fromMs: bank.clock.nowMs(), untilMs: bank.clock.nowMs() + 60_000 }
  const { endToEndId } = bank.bank.pay({ chave: chave!, valor: '10.00' })!
  await bank.hold('POST /movements', { kind: 'TARIFF', cents: -12, endToEndId })
  bank.bank.pay({ chave: chave!, valor: '20.00' })
  await bank.clock.advance(1_000)
  const tariffs = async () => (await instance.received!(window))!.map(({ tariffCents }) => tariffCents)
  t.strictSame(await tariffs(), [12, undefined])
  bank.bank.faults.add({ path: '/pix$', does: { kind: 'change', set: { 'pix.0.gnExtras.tarifa': 'a lot' } } })
  t.strictSame(await tariffs(), [undefined, undefined])
})
