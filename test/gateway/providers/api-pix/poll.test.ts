import t from 'tap'
import type { RailNotice } from '../../../../gateway/providers/port.ts'
import { plainBank } from '../../../rails/api-pix/profiles/plain.ts'
import { type BankConnection, bankNames, connectedBank, paidCharge } from './bank-connection.ts'

/** Polls as the reconciler does: what a page brings is kept, then the cursor. */
const poll = async ({ instance, bank }: BankConnection, cursor: string | null) => {
  const notices: RailNotice[] = []
  let last = cursor
  for await (const page of instance.poll!(cursor, bank.clock.nowMs())) {
    notices.push(...page.notices)
    last = page.cursor
  }
  return { notices, cursor: last }
}

const keysOf = (notices: readonly RailNotice[], kind: RailNotice['kind']) => [
  ...new Set(notices.filter((notice) => notice.kind === kind).map(({ key }) => key)),
]

for (const name of bankNames)
  t.test(`${name}: a PIX is found that was never reported, with a charge and to the key alone`, async (t) => {
    const connection = await connectedBank(t, name)
    const { bank } = connection
    const first = await poll(connection, null)
    t.strictSame(first.notices, [])
    const { endToEndId, ask } = await paidCharge(connection)
    const toKey = bank.bank.pay({ chave: bank.receiver.chaves[0]!, valor: '7.00' })!
    await bank.clock.advance(60_000)
    const second = await poll(connection, first.cursor)
    t.strictSame(
      second.notices
        .filter(({ kind }) => kind === 'PIX_IN')
        .map(({ data }: any) => [data.endToEndId, data.txid]),
      [
        [endToEndId, ask.reference],
        [toKey.endToEndId, null],
      ],
    )
    await bank.clock.advance(11 * 60_000)
    const third = await poll(connection, second.cursor)
    t.strictSame((await poll(connection, third.cursor)).notices, [], 'and is not read for ever')
  })

t.test(
  'what a bank lists ten minutes late is found, and what it lists after an outage of a day',
  async (t) => {
    const connection = await connectedBank(t, 'itau')
    const { bank } = connection
    const { endToEndId } = await paidCharge(connection)
    const paidAtMs = bank.clock.nowMs()
    await bank.clock.advance(86_400_000)
    const keysAfter = async (pixMs: number) =>
      keysOf((await poll(connection, `from=0;pix=${pixMs};hour=0;day=0`)).notices, 'PIX_IN')
    t.strictSame(await keysAfter(paidAtMs + 10 * 60_000), [endToEndId])
    bank.bank.faults.add({
      verb: 'GET',
      path: '/pix$',
      times: 30,
      does: { kind: 'change', set: { pix: [] } },
    })
    t.strictSame(await keysAfter(paidAtMs - 60_000), [], 'the bank shows it in none of its lists yet')
    bank.bank.faults.clear()
    t.strictSame(await keysAfter(paidAtMs - 60_000), [endToEndId])
  },
)

t.test('the cursor stays where it was while a bank is silent, and what was read before stands', async (t) => {
  const connection = await connectedBank(t, 'itau')
  const { bank } = connection
  const first = await poll(connection, null)
  await paidCharge(connection)
  bank.bank.faults.add({ verb: 'GET', path: '/pix$', times: null, does: { kind: 'error', status: 500 } })
  await bank.clock.advance(60_000)
  t.strictSame(await poll(connection, first.cursor), { notices: [], cursor: first.cursor })
  bank.bank.faults.clear()
  t.equal((await poll(connection, first.cursor)).notices.length, 1)
})

t.test(
  'a list of several pages is read whole, and once more when its length changes meanwhile',
  async (t) => {
    const connection = await connectedBank(t, 'inter')
    const { bank } = connection
    const first = await poll(connection, null)
    const pay = () => bank.bank.pay({ chave: bank.receiver.chaves[0]!, valor: '1.00' })!.endToEndId
    const paid = Array.from({ length: 250 }, pay)
    await bank.clock.advance(60_000)
    const pages = () => bank.server.requests().filter(({ path }) => /\/pix\?inicio/.test(path)).length
    const before = pages()
    const read = await poll(connection, first.cursor)
    t.strictSame(keysOf(read.notices, 'PIX_IN').sort(), paid.sort())
    t.equal(pages() - before, 3)
    bank.bank.faults.add({
      verb: 'GET',
      path: '/pix$',
      skip: 1,
      does: { kind: 'change', set: { 'parametros.paginacao.quantidadeTotalDeItens': 251 } },
    })
    const between = pages()
    t.strictSame(keysOf((await poll(connection, first.cursor)).notices, 'PIX_IN').sort(), paid.sort())
    t.equal(pages() - between, 6)
  },
)

t.test('a list that never stands still is left for the next poll, without moving the cursor', async (t) => {
  const connection = await connectedBank(t, 'inter')
  const { bank } = connection
  const first = await poll(connection, null)
  for (let n = 0; n < 150; n++) bank.bank.pay({ chave: bank.receiver.chaves[0]!, valor: '1.00' })
  await bank.clock.advance(60_000)
  for (let total = 151; total <= 160; total++)
    bank.bank.faults.add({
      verb: 'GET',
      path: '/pix$',
      does: { kind: 'change', set: { 'parametros.paginacao.quantidadeTotalDeItens': total } },
    })
  const { cursor, notices } = await poll(connection, first.cursor)
  t.equal(cursor, first.cursor)
  t.equal(keysOf(notices, 'PIX_IN').length, 150, 'what was read is not withheld')
})

t.test('returns are looked for each hour, and each day those of PIX that came in long ago', async (t) => {
  const connection = await connectedBank(t, 'itau')
  const { bank } = connection
  let { cursor } = await poll(connection, null)
  const { endToEndId } = await paidCharge(connection)
  const lists = () => bank.server.requests().filter(({ path }) => /devolucaoPresente/.test(path)).length
  await bank.clock.advance(59 * 60_000)
  const before = lists()
  cursor = (await poll(connection, cursor)).cursor
  t.equal(lists(), before)
  await bank.hold('POST /returns', { endToEndId, cents: 100 })
  await bank.clock.advance(60_000)
  const hourly = await poll(connection, cursor)
  t.equal(keysOf(hourly.notices, 'PIX_RETURN').length, 1)
  cursor = hourly.cursor
  await bank.clock.advance(40 * 86_400_000)
  await bank.hold('POST /returns', { endToEndId, cents: 200, natureza: 'MED_FRAUDE' })
  const daily = await poll(connection, cursor)
  t.equal(keysOf(daily.notices, 'PIX_RETURN').length, 2, 'a MED of a PIX of forty days ago')
})

t.test('a bank with a longest window is asked for parts of it, and one of 2.10.0 for its MED', async (t) => {
  const { apiPix } = await import('../../../../gateway/providers/api-pix/module.ts')
  const { aProfile } = await import('./made-up-bank.ts')
  const module = apiPix({ ...aProfile, windowDaysMax: 10, apiVersion: '2.10.0' })
  const connection = await connectedBank(t, { module, profile: { ...plainBank, windowDaysMax: 10 } })
  const { bank } = connection
  const { endToEndId } = await paidCharge(connection)
  await bank.clock.advance(30 * 86_400_000)
  await bank.hold('POST /returns', { endToEndId, cents: 200, natureza: 'MED_FRAUDE' })
  const { notices } = await poll(connection, `from=0;pix=${bank.clock.nowMs()};hour=0;day=0`)
  t.equal(keysOf(notices, 'PIX_RETURN').length, 1)
  t.ok(bank.server.requests().some(({ path }) => /finalidadeMED=true/.test(path)))
})

t.test('money from before the connection is not its, whatever becomes of it later', async (t) => {
  const connection = await connectedBank(t, 'itau')
  const { bank } = connection
  const before = bank.bank.pay({ chave: bank.receiver.chaves[0]!, valor: '7.00' })!
  await bank.clock.advance(3_600_000)
  let { cursor, notices } = await poll(connection, null)
  t.strictSame(notices, [])
  const { endToEndId } = await paidCharge(connection)
  await bank.hold('POST /returns', { endToEndId: before.endToEndId, cents: 100 })
  await bank.hold('POST /returns', { endToEndId, cents: 100 })
  const found: RailNotice[] = []
  for (let day = 0; day < 3; day++) {
    await bank.clock.advance(86_400_000)
    ;({ cursor, notices } = await poll(connection, cursor))
    found.push(...notices)
  }
  t.strictSame([...new Set(found.map(({ data }: any) => data.endToEndId))], [endToEndId])
})

t.test('a PIX to another key of the account is not ours, unless it pays a charge', async (t) => {
  const connection = await connectedBank(t, 'itau')
  const { bank, open } = connection
  const [first, email] = bank.receiver.chaves
  const { cursor } = await poll(connection, null)
  const { endToEndId } = await paidCharge(connection)
  const toFirst = bank.bank.pay({ chave: first!, valor: '1.00' })!
  const toEmail = bank.bank.pay({ chave: email!, valor: '2.00' })!
  await bank.clock.advance(60_000)
  t.strictSame(keysOf((await poll(connection, cursor)).notices, 'PIX_IN'), [endToEndId, toFirst.endToEndId])
  const other = { ...connection, instance: open({ pixKey: email!.toUpperCase() }) }
  t.strictSame(keysOf((await poll(other, cursor)).notices, 'PIX_IN'), [endToEndId, toEmail.endToEndId])
})

t.test('what cannot be read in a list is reported, and hides nothing beside it', async (t) => {
  const connection = await connectedBank(t, 'itau')
  const { bank, faults } = connection
  const { cursor } = await poll(connection, null)
  const { endToEndId } = await paidCharge(connection)
  const shown = bank.bank.payments.show(bank.bank.payments.find(endToEndId)!)
  await bank.clock.advance(60_000)
  const pix = [{ ...shown, valor: 'free' }, shown]
  bank.bank.faults.add({ verb: 'GET', path: '/pix$', does: { kind: 'change', set: { pix } } })
  t.strictSame(keysOf((await poll(connection, cursor)).notices, 'PIX_IN'), [endToEndId])
  t.match(faults, [/cannot be read/])
})
