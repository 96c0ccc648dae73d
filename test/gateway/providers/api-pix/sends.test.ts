import t from 'tap'
import { callUuidOf } from '../../../../gateway/providers/api-pix/call-uuid.ts'
import { wrongEcho } from '../../../../gateway/providers/echo.ts'
import { hookFor } from '../../../rails/api-pix/hook-for-test.ts'
import { aPayOut } from '../sample-asks.ts'
import { type BankConnection, connectedBank } from './bank-connection.ts'

/** Efí sends from a key that has an address for notices. */
const connected = async (t: Parameters<typeof connectedBank>[0], name: string) => {
  const connection = await connectedBank(t, name)
  const { bank, instance } = connection
  if (name !== 'efi') return connection
  const hook = await hookFor(t as never, bank.authority)
  await instance.registerHooks!(hook.url)
  return { ...connection, hook }
}

const payOut = (
  { asks }: Pick<BankConnection, 'asks'>,
  payee: object = { pixKey: 'maria@example.com' },
  amount = 500,
) => aPayOut(payee, { ...asks.head(amount) })

for (const name of ['efi', 'inter'])
  t.test(`${name}: a PIX is sent once, is pending until it has arrived, and is found`, async (t) => {
    const connection = await connected(t, name)
    const { bank, instance } = connection
    const ask = payOut(connection)
    t.match(await instance.ask(ask), { type: 'PENDING', evidence: { kind: 'PIX', endToEndId: /^E/ } })
    t.match(await instance.ask(ask), { type: 'PENDING' })
    await bank.clock.advance(1_000)
    const done = await instance.inquire(ask)
    t.match(done, { type: 'DONE', echo: { reference: ask.reference, amountCents: 500 } })
    t.equal(done.type === 'DONE' ? wrongEcho(ask, done.echo) : done.type, null)
    t.strictSame(await instance.ask(ask), done)
    t.equal(bank.bank.sends.all().length, 1)
    t.equal(bank.bank.book.movements().filter(({ kind }) => kind === 'SENT').length, 1)
  })

for (const name of ['efi', 'inter'])
  t.test(`${name}: a PIX is sent, the answer is lost, the service starts anew: one PIX`, async (t) => {
    const connection = await connected(t, name)
    const { bank, instance, open } = connection
    const ask = payOut(connection)
    bank.bank.faults.add({ path: 'pix', does: { kind: 'cut', when: 'after' } })
    t.strictSame(await instance.ask(ask), { type: 'SILENT' })
    await bank.clock.advance(60_000)
    const restarted = open()
    const later = { ...ask, asked: 1, nowMs: bank.clock.nowMs() }
    t.match(await restarted.ask(later), { type: 'DONE', echo: { amountCents: 500 } })
    t.equal(bank.bank.sends.all().length, 1)
  })

t.test(
  'inter: what it has taken is found by its number after a restart, and whatever was said since',
  async (t) => {
    const connection = await connected(t, 'inter')
    const { bank, instance, open } = connection
    const ask = payOut(connection)
    bank.bank.faults.add({ verb: 'GET', path: 'banking/v2/pix/', does: { kind: 'error', status: 500 } })
    const taken = await instance.ask(ask)
    const { requestId: bankNumber } = bank.bank.sends.all()[0]!
    t.strictSame(taken, { type: 'SILENT', bankNumber }, 'the bank took it, and did not answer the inquiry')
    const numbered = { ...ask, asked: 1, data: { ...ask.data, bankNumber } }
    t.match(await open().inquire(numbered), { type: 'PENDING', evidence: { kind: 'PIX', bankNumber } })
    await bank.clock.advance(1_000)
    const posts = () =>
      bank.server.requests().filter(({ verb, path }) => verb === 'POST' && /banking/.test(path))
    const before = posts().length
    const later = { ...numbered, nowMs: ask.openedAtMs + 40 * 24 * 3_600_000 }
    t.match(await open().ask(later), { type: 'DONE', echo: { amountCents: 500 } }, 'days later, too')
    t.equal(posts().length, before, 'nothing is sent for that')
    bank.bank.faults.add({ verb: 'GET', path: 'banking/v2/pix/', does: { kind: 'error', status: 404 } })
    t.strictSame(await open().inquire(numbered), { type: 'SILENT', bankNumber })
  },
)

for (const name of ['efi', 'inter'])
  t.test(`${name}: a PIX that did not arrive is refused, and one of too much`, async (t) => {
    const connection = await connected(t, name)
    const { bank, instance } = connection
    await bank.hold('POST /sends/settings', {
      settleAfterMs: 1_000,
      error: { codigo: 'AC03', motivo: 'Conta inexistente' },
    })
    const ask = payOut(connection)
    await instance.ask(ask)
    await bank.clock.advance(1_000)
    t.match(await instance.inquire(ask), { type: 'REFUSED' })
    const much = payOut(connection, undefined, 999_999_999)
    await instance.ask(much)
    await bank.clock.advance(1_000)
    t.match(await instance.inquire(much), { type: 'REFUSED' })
  })

t.test('efi: a bank account is paid by its ISPB, and the owner of a key is named', async (t) => {
  const connection = await connected(t, 'efi')
  const { bank, instance } = connection
  await instance.ask(payOut(connection, {}))
  await instance.ask(payOut(connection))
  t.match(
    bank.bank.sends.all().map(({ body }) => body.favorecido),
    [
      {
        contaBanco: {
          nome: 'Ana',
          cpf: '12345678909',
          codigoBanco: '60701190',
          agencia: '0001',
          conta: '123456',
        },
      },
      { chave: 'maria@example.com', cpf: '12345678909' },
    ],
  )
  t.match(await instance.ask(payOut(connection, { bankCode: '999' })), { type: 'REFUSED' })
  t.match(await instance.ask({ ...payOut(connection), data: { ...payOut(connection).data, by: 'TED' } }), {
    type: 'REFUSED',
  })
  t.equal(bank.bank.sends.all().length, 2)
})

t.test('efi: without an address for notices nothing is sent, and the bank says so', async (t) => {
  const connection = await connectedBank(t, 'efi')
  t.match(await connection.instance.ask(payOut(connection)), {
    type: 'REFUSED',
    refusal: { provider: { code: 'webhook_invalido' } },
  })
})

t.test('efi: a used id that the bank does not show is no refusal', async (t) => {
  const connection = await connected(t, 'efi')
  const { bank, instance } = connection
  const ask = payOut(connection)
  await instance.ask(ask)
  bank.bank.faults.add({ verb: 'GET', path: 'id-envio', does: { kind: 'error', status: 404 } })
  t.strictSame(await instance.ask(ask), { type: 'SILENT' })
})

t.test('efi: money that had arrived comes back, and is reported, found and fetched', async (t) => {
  const connection = await connected(t, 'efi')
  const { bank, instance } = connection
  const ask = payOut(connection)
  await instance.ask(ask)
  await bank.clock.advance(1_000)
  const fetched = () =>
    instance.fetch!({
      kind: 'PAYOUT_STATE',
      key: 'any',
      atMs: 0,
      data: { reference: ask.reference, state: 'any' },
    })
  await bank.hold('POST /sends/give-back', { reference: ask.reference, valor: '2.00' })
  t.match(await instance.inquire(ask), { type: 'DONE' }, 'a part')
  t.match(await fetched(), {
    type: 'FOUND',
    object: { state: 'DONE', amountCents: 500, returns: [{ amountCents: 200 }] },
  })
  await bank.hold('POST /sends/give-back', { reference: ask.reference, valor: '3.00' })
  t.match(await instance.inquire(ask), { type: 'UNDONE', how: 'RETURNED' })
  t.match(await fetched(), {
    type: 'FOUND',
    object: {
      kind: 'PAYOUT',
      reference: ask.reference,
      state: 'RETURNED',
      returns: [{}, { amountCents: 300 }],
    },
  })
  await bank.bank.webhooks.idle()
  const { hook } = connection as unknown as { hook: Awaited<ReturnType<typeof hookFor>> }
  const notices = hook.heard().flatMap(({ path, body }) =>
    instance.readNotice!({
      headers: {},
      path,
      body: Buffer.from(JSON.stringify(body)),
      peerCertificate: null,
    }),
  )
  t.strictSame(
    notices.map(({ kind, key }) => [kind, key]),
    [
      ['PAYOUT_STATE', `${ask.reference}:REALIZADO`],
      ['PAYOUT_STATE', `${ask.reference}:REALIZADO:1`],
      ['PAYOUT_STATE', `${ask.reference}:REALIZADO:2`],
    ],
  )
  const polled: unknown[] = []
  for await (const page of instance.poll!('from=0;hour=0', bank.clock.nowMs()))
    polled.push(...page.notices.filter(({ kind }) => kind === 'PAYOUT_STATE'))
  t.match(polled[0], { key: `${ask.reference}:REALIZADO:2`, data: { state: 'RETURNED' } })
})

t.test('inter: the same call has the same UUID, and an old request is not repeated', async (t) => {
  t.equal(callUuidOf('trf_1.2'), callUuidOf('trf_1.2'))
  t.not(callUuidOf('trf_1.2'), callUuidOf('trf_1.3'))
  t.match(callUuidOf('trf_1.2'), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  const connection = await connected(t, 'inter')
  const { bank, instance, open } = connection
  const ask = payOut(connection)
  bank.bank.faults.add({ verb: 'POST', path: 'banking', does: { kind: 'cut', when: 'before' } })
  await instance.ask(ask)
  const sent = () => bank.server.requests().filter(({ path }) => /banking/.test(path)).length
  const before = sent()
  const later = { ...ask, asked: 1, nowMs: ask.openedAtMs + 24 * 3_600_000 + 1 }
  t.strictSame(await open().ask(later), { type: 'SILENT', isLost: true, isUnasked: true })
  t.strictSame(
    await open().inquire(later),
    { type: 'SILENT', isUnasked: true },
    'and nothing says that it was not sent',
  )
  t.equal(sent(), before)
})

t.test('the balance is what can be sent, where a bank says it', async (t) => {
  for (const name of ['efi', 'inter']) {
    const connection = await connected(t, name)
    const { bank, instance } = connection
    await bank.hold('POST /sends/settings', { settleAfterMs: null })
    t.equal(await instance.balance!(), 100_000_000)
    await instance.ask(payOut(connection))
    t.equal(await instance.balance!(), 99_999_500)
    bank.bank.faults.add({ verb: 'GET', path: 'saldo', does: { kind: 'error', status: 500 } })
    t.equal(await instance.balance!(), null)
  }
  const { instance } = await connectedBank(t, 'itau')
  t.equal(await instance.balance!(), null)
})
