import t from 'tap'
import { openProviderHttp } from '../../../../gateway/providers/http/http.ts'
import { modules } from '../../../../gateway/providers/modules.ts'
import { txidOf } from '../../../rails/api-pix/bank-for-test.ts'
import { hookFor } from '../../../rails/api-pix/hook-for-test.ts'
import { bankNames, connectedBank, paidCharge } from './bank-connection.ts'

const io = {
  realNow: () => 7,
  timeout: () => () => undefined,
  openHttp: openProviderHttp,
  onFault: () => undefined,
}
const reader = modules.itau!.open(
  { id: 'con_0', environment: 'PRODUCTION', settings: { clientId: 'x', pixKey: 'k' } },
  io,
)
t.teardown(reader.close)
const read = (body: unknown, path = '/hooks/con_0/secret') =>
  reader.readNotice!({
    headers: {},
    path,
    body: Buffer.from(typeof body === 'string' ? body : JSON.stringify(body)),
    peerCertificate: null,
  })

const endToEndId = 'E60746948202611251300abcdefghijk'
const aPix = {
  endToEndId,
  txid: txidOf(1),
  chave: 'k',
  valor: '12.34',
  horario: '2026-11-25T13:00:00.000Z',
  unknownField: { of: ['a', 'newer', 'version'] },
}
const atMs = Date.UTC(2026, 10, 25, 13)
const pixIn = {
  kind: 'PIX_IN',
  key: endToEndId,
  atMs,
  data: { endToEndId, txid: txidOf(1), amountCents: 1_234 },
}

t.test('a PIX is read from every form in which banks report it', async (t) => {
  for (const body of [{ pix: [aPix] }, [aPix], { pix: aPix }, aPix, { pix: [aPix], recs: [] }])
    for (const path of ['/hooks/c', '/hooks/c/pix', '/hooks/c/pix/pix', '/hooks/c/pix?ignorar='])
      t.strictSame(read(body, path), [pixIn], JSON.stringify(body))
})

t.test('returns are notices of their own, whether they come as a list or alone', async (t) => {
  const returned = {
    id: 'r1',
    rtrId: `D${endToEndId.slice(1)}`,
    valor: '5.00',
    horario: { solicitacao: '2026-11-25T13:00:00Z', liquidacao: '2026-11-25T14:00:00Z' },
    status: 'DEVOLVIDO',
  }
  const expected = [
    pixIn,
    {
      kind: 'PIX_RETURN',
      key: `${endToEndId}:r1:DONE`,
      atMs: atMs + 3_600_000,
      data: { endToEndId, returnId: 'r1', state: 'DONE' },
    },
  ]
  t.strictSame(read({ pix: [{ ...aPix, devolucoes: [returned] }] }), expected)
  t.strictSame(read({ pix: [{ ...aPix, devolucoes: returned }] }), expected)
})

t.test('mandates and their charges are read, and each attempt of a charge is another notice', async (t) => {
  const idRec = 'RR9999900420261125abcdefghijk'
  const end = { rejeicao: { codigo: 'AP15', descricao: 'x', motivo: 'y' } }
  t.strictSame(read({ recs: [{ idRec, status: 'REJEITADA', encerramento: end }] }), [
    {
      kind: 'MANDATE',
      key: `${idRec}:REJEITADA`,
      atMs: 7,
      data: { mandateId: idRec, state: 'REJECTED', code: 'AP15' },
    },
  ])
  const cobr = { idRec, txid: txidOf(2), status: 'ATIVA' }
  const keyAfter = (...attempts: readonly string[]) =>
    read({ cobsr: [{ ...cobr, tentativas: attempts.map((status) => ({ status })) }] })[0]!.key
  t.equal(keyAfter('REJEITADA'), `${txidOf(2)}:ATIVA:R`)
  t.equal(keyAfter('REJEITADA', 'SOLICITADA'), `${txidOf(2)}:ATIVA:RS`)
  t.match(read({ cobsr: [{ ...cobr, status: 'CONCLUIDA', pix: [aPix] }] }), [
    { kind: 'MANDATE_CHARGE', data: { state: 'PAID', code: null } },
    pixIn,
  ])
})

t.test('test bodies and rubbish are no notices, and hide none beside them', async (t) => {
  for (const body of [
    '',
    '{',
    'null',
    '7',
    '"pix"',
    {},
    { evento: 'teste_webhook' },
    { pix: [{}] },
    { pix: 'x' },
  ])
    t.strictSame(read(body), [], JSON.stringify(body))
  const bad = [{ ...aPix, endToEndId: 'short' }, { ...aPix, valor: 'free' }, null, 7]
  t.strictSame(read({ pix: [...bad, aPix] }), [pixIn])
  t.match(read({ pix: [{ ...aPix, txid: '***' }] }), [{ data: { txid: null } }], 'as static codes have it')
  t.equal(read({ pix: Array(1_500).fill(aPix) }).length, 999, 'a body of so many items is bounded')
})

for (const name of bankNames)
  t.test(
    `${name}: the address is registered, callbacks come to it, and what they name is fetched`,
    async (t) => {
      const connection = await connectedBank(t, name)
      const { bank, instance } = connection
      const hook = await hookFor(t, bank.authority)
      t.match(await instance.registerHooks!(hook.url), { works: true, detail: null })
      const { appendsPath, probes } = bank.bank.context.profile.callback
      t.equal(hook.heard().length, probes ? 3 : 0, 'each address is probed with the certificate')
      const before = hook.heard().length
      t.match(await instance.registerHooks!(hook.url), { works: true })
      t.equal(hook.heard().length, before, 'what stands is not registered once more')

      const { endToEndId, ask } = await paidCharge(connection)
      await bank.bank.webhooks.idle()
      const { path, body } = hook.heard().at(-1)!
      t.equal(path, '/hooks/c/pix')
      t.equal(appendsPath || name === 'inter', true)
      const raw = { headers: {}, path, body: Buffer.from(JSON.stringify(body)), peerCertificate: null }
      const [notice] = instance.readNotice!(raw)
      t.match(notice, { kind: 'PIX_IN', key: endToEndId, data: { txid: ask.reference, amountCents: 1_234 } })
      t.match(await instance.fetch!(notice!), {
        type: 'FOUND',
        object: {
          kind: 'PIX',
          endToEndId,
          txid: ask.reference,
          pixKey: bank.receiver.chaves[0],
          amountCents: 1_234,
          componentsCents: name === 'efi' ? null : 1_234,
          returns: [],
        },
      })

      const [, email] = bank.receiver.chaves
      t.match(await connection.open({ pixKey: email }).registerHooks!(hook.url), { works: true })
      t.ok(bank.bank.webhooks.find('pix', email!))

      bank.bank.webhooks.remove('pix', bank.receiver.chaves[0]!)
      t.match(await instance.registerHooks!(hook.url), { works: true }, 'what the bank took away is put back')
      t.ok(bank.bank.webhooks.find('pix', bank.receiver.chaves[0]!))
    },
  )

t.test('an address that the bank does not take is said with its reason', async (t) => {
  const { bank, instance } = await connectedBank(t, 'efi')
  const open = await hookFor(t, bank.authority, { demands: false })
  const health = await instance.registerHooks!(open.url)
  t.match(health, { works: false, detail: /TLS mútuo/ })
})

t.test('a PIX that a forged notice names is not there, and silence is no answer', async (t) => {
  const { bank, instance } = await connectedBank(t, 'itau')
  const [notice] = read({ pix: [aPix] })
  t.strictSame(await instance.fetch!(notice!), { type: 'NOT_FOUND' })
  bank.bank.faults.add({ verb: 'GET', does: { kind: 'error', status: 500 } })
  t.strictSame(await instance.fetch!(notice!), { type: 'SILENT' })
  const other = bank.bank.pay({ chave: bank.receiver.chaves[0]!, valor: '1.00' })!
  const named = { ...notice!, data: { ...notice!.data, endToEndId: other.endToEndId } } as typeof notice
  bank.bank.faults.add({ verb: 'GET', does: { kind: 'change', set: { endToEndId } } })
  t.strictSame(await instance.fetch!(named!), { type: 'SILENT' }, 'another PIX than that which was asked for')
  t.match(await instance.fetch!(named!), { type: 'FOUND', object: { txid: null, amountCents: 100 } })
})

t.test('a fetched PIX has all its returns, those of the bank with their nature', async (t) => {
  const connection = await connectedBank(t, 'sicoob')
  const { bank, instance, asks } = connection
  const { endToEndId } = await paidCharge(connection)
  const ours = asks.giveBack('REFUND', endToEndId, 200)
  await instance.ask(ours)
  await bank.hold('POST /returns', { endToEndId, cents: 34 })
  await bank.hold('POST /returns', { endToEndId, cents: 1_000, natureza: 'MED_FRAUDE' })
  const [notice] = read({ pix: [{ ...aPix, endToEndId }] })
  t.match(await instance.fetch!(notice!), {
    type: 'FOUND',
    object: {
      amountCents: 1_234,
      returns: [
        { id: ours.reference, amountCents: 200, status: 'PROCESSING', nature: 'ORIGINAL', doneAtMs: null },
        { amountCents: 34, status: 'DONE', nature: 'ORIGINAL' },
        { amountCents: 1_000, status: 'DONE', nature: 'MED_FRAUD', doneAtMs: bank.clock.nowMs() },
      ],
    },
  })
})
