import t from 'tap'
import { wrongEcho } from '../../../../gateway/providers/echo.ts'
import { readBrCode } from '../../../rails/api-pix/br-code.ts'
import { bankNames, connectedBank, paidCharge } from './bank-connection.ts'

for (const name of bankNames) {
  t.test(`${name}: a charge is registered, read, paid and read with its payment`, async (t) => {
    const connection = await connectedBank(t, name)
    const { bank, instance, asks } = connection
    const ask = asks.register()
    const outcome = await instance.ask(ask)
    t.match(outcome, {
      type: 'DONE',
      echo: { reference: ask.reference, amountCents: 1_234, payee: bank.receiver.chaves[0] },
      evidence: { kind: 'PIX_CHARGE', createdAtMs: bank.clock.nowMs() },
    })
    const { evidence } = outcome as any
    t.equal(readBrCode(evidence.copyPaste).location, evidence.location)
    const atBank = bank.bank.charges.find(ask.reference)!
    t.match(atBank.revisions.at(-1), {
      calendario: { expiracao: 3_600 },
      devedor: { cpf: '52998224725', nome: 'Maria da Silva' },
      valor: { original: '12.34', modalidadeAlteracao: 0 },
      solicitacaoPagador: 'Pedido 77',
      infoAdicionais: [{ nome: 'Referência', valor: 'pedido-77' }],
    })
    const read = asks.after('READ_CHARGE', ask)
    t.match(await instance.ask(read), { type: 'DONE', evidence: { status: 'ACTIVE', payments: [] } })
    const pix = bank.bank.pay({ code: evidence.copyPaste })!
    t.match(await instance.ask(read), {
      type: 'DONE',
      echo: { reference: ask.reference },
      evidence: {
        status: 'PAID',
        payments: [
          {
            endToEndId: pix.endToEndId,
            txid: ask.reference,
            amountCents: 1_234,
            paidAtMs: bank.clock.nowMs(),
            returns: [],
          },
        ],
      },
    })
  })

  t.test(`${name}: a charge with a due date says for how long it is payable, even for no day`, async (t) => {
    const { bank, instance, asks } = await connectedBank(t, name)
    const ask = asks.registerDue()
    t.match(await instance.ask(ask), { type: 'DONE', echo: { amountCents: 10_000 } })
    t.match(bank.bank.charges.find(ask.reference), {
      kind: 'cobv',
      revisions: [{ calendario: { dataDeVencimento: '2026-12-05', validadeAposVencimento: 0 } }],
    })
    t.match(await instance.inquire(ask), { type: 'DONE' })
    t.match(await instance.ask(asks.after('CANCEL', ask)), {
      type: 'DONE',
      evidence: { status: 'REMOVED_BY_RECEIVER' },
    })
  })

  t.test(
    `${name}: a charge is cancelled once, and one that is paid says so with what was paid`,
    async (t) => {
      const connection = await connectedBank(t, name)
      const { instance, asks } = connection
      const ask = asks.register()
      await instance.ask(ask)
      const cancel = asks.after('CANCEL', ask)
      t.match(await instance.inquire(cancel), { type: 'NOT_FOUND' }, 'not cancelled yet')
      const done = await instance.ask(cancel)
      t.match(done, { type: 'DONE', evidence: { status: 'REMOVED_BY_RECEIVER', payments: [] } })
      t.strictSame(await instance.ask(cancel), done)
      t.strictSame(await instance.inquire(cancel), done)
      t.match(await instance.inquire(ask), { type: 'UNDONE', how: 'VOIDED' })

      const paid = await paidCharge(connection)
      t.match(await instance.ask(asks.after('CANCEL', paid.ask)), {
        type: 'DONE',
        evidence: { status: 'PAID', payments: [{ endToEndId: paid.endToEndId }] },
      })
      t.match(await instance.ask(asks.after('CANCEL', asks.register())), {
        type: 'REFUSED',
        refusal: { provider: { code: 'NaoEncontrado' } },
      })
    },
  )
}

t.test(
  'the bank does a registration, and the connection is cut: the charge is found, and there is one',
  async (t) => {
    for (const name of bankNames) {
      const { bank, instance, asks } = await connectedBank(t, name)
      const ask = asks.register()
      bank.bank.faults.add({ verb: 'PUT', path: '/cob/', does: { kind: 'cut', when: 'after' } })
      t.strictSame(await instance.ask(ask), { type: 'SILENT' })
      const found = await instance.inquire(ask)
      t.match(found, { type: 'DONE', evidence: { kind: 'PIX_CHARGE' } })
      t.strictSame(await instance.ask(ask), found, 'the same once more is no other charge, and no refusal')
      t.equal(bank.bank.charges.all().length, 1)
      t.equal(bank.bank.charges.all()[0]!.revisions.length, 1)
    }
  },
)

t.test(
  'a bank that takes connections and says nothing is waited for no longer than the ask allows',
  async (t) => {
    const { bank, instance, asks, expire } = await connectedBank(t, 'itau')
    bank.bank.faults.add({ verb: 'PUT', does: { kind: 'silence', when: 'before' } })
    const asked = instance.ask(asks.register())
    while (bank.bank.faults.happened() === 0) await new Promise((resolve) => setTimeout(resolve, 5))
    expire()
    t.strictSame(await asked, { type: 'SILENT' })
    t.equal(bank.bank.charges.all().length, 0)
  },
)

t.test(
  'an answer with another amount, id or key shows in the echo, and no code is shown that lies',
  async (t) => {
    for (const [place, value, wrong] of [
      ['valor.original', '99.99', 'amount'],
      ['txid', 'x'.repeat(30), 'reference'],
      ['chave', 'another@key.example', 'payee'],
    ] as const) {
      const { bank, instance, asks } = await connectedBank(t, 'itau')
      const ask = asks.register()
      bank.bank.faults.add({ verb: 'PUT', does: { kind: 'change', set: { [place]: value } } })
      const outcome = await instance.ask(ask)
      t.equal(outcome.type === 'DONE' ? wrongEcho(ask, outcome.echo) : outcome.type, wrong)
    }
    const { bank, instance, asks } = await connectedBank(t, 'itau')
    const lie = { location: 'other.example/qr/v2/elsewhere' }
    bank.bank.faults.add({ verb: 'PUT', does: { kind: 'change', set: lie } })
    t.strictSame(await instance.ask(asks.register()), { type: 'SILENT' }, 'its code names another charge')
  },
)

t.test('a code that is missing or cannot be read is built from the location', async (t) => {
  for (const copyPaste of [null, '00020126broken6304FFFF']) {
    const { bank, instance, asks } = await connectedBank(t, 'sicoob')
    const ask = asks.register()
    bank.bank.faults.add({ verb: 'PUT', does: { kind: 'change', set: { pixCopiaECola: copyPaste } } })
    const outcome: any = await instance.ask(ask)
    const atBank = bank.bank.charges.find(ask.reference)!
    t.match(readBrCode(outcome.evidence.copyPaste), {
      location: atBank.location,
      name: 'Loja das Figueiras',
      city: 'Sao Paulo',
    })
  }
})

t.test(
  'what a bank refuses is refused with its reasons, once it is sure that it knows no such charge',
  async (t) => {
    for (const name of bankNames) {
      const { bank, instance, asks } = await connectedBank(t, name)
      const ask = asks.register({ pixKey: 'stranger@example.com' })
      const outcome = await instance.ask(ask)
      t.match(outcome, {
        type: 'REFUSED',
        refusal: { reason: 'REGISTRATION_REJECTED', message: /não pertence a este usuário recebedor/ },
      })
      t.equal(bank.bank.charges.all().length, 0)
      t.match(await instance.inquire(ask), { type: 'NOT_FOUND' })
    }
  },
)

t.test('a refusal of an id that was used is none while the bank does not show what it is', async (t) => {
  const { bank, instance, asks } = await connectedBank(t, 'efi')
  const ask = asks.register()
  await instance.ask(ask)
  bank.bank.faults.add({ verb: 'GET', path: '/cob/', does: { kind: 'error', status: 404 } })
  t.strictSame(await instance.ask(ask), { type: 'SILENT' })
})

t.test(
  'what says nothing is silence: pages of gateways, redirects, errors of the bank, halves of answers',
  async (t) => {
    const { bank, instance, asks } = await connectedBank(t, 'banco-do-brasil')
    for (const does of [
      { kind: 'text', status: 404, body: '<h1>Not Found</h1>' },
      { kind: 'text', status: 400, body: '{"message":"no Route matched"}', media: 'application/json' },
      { kind: 'text', status: 200, body: 'OK' },
      { kind: 'text', status: 200, body: '{"txid":', media: 'application/json' },
      { kind: 'text', status: 200, body: '{}', media: 'application/json' },
      { kind: 'redirect', location: 'https://elsewhere.example/' },
      { kind: 'error', status: 500 },
      { kind: 'error', status: 503 },
      { kind: 'cut', when: 'within' },
    ] as const) {
      bank.bank.faults.add({ verb: 'PUT', does })
      t.strictSame(await instance.ask(asks.register()), { type: 'SILENT' }, JSON.stringify(does))
      bank.bank.faults.add({ verb: 'GET', does })
      t.strictSame(await instance.inquire(asks.register()), { type: 'SILENT' }, JSON.stringify(does))
    }
    bank.bank.faults.add({ verb: 'GET', does: { kind: 'error', status: 403 } })
    t.strictSame(await instance.inquire(asks.register()), { type: 'SILENT' }, 'a denied inquiry')
    bank.bank.faults.add({ verb: 'PUT', does: { kind: 'error', status: 403 } })
    t.match(await instance.ask(asks.register()), {
      type: 'REFUSED',
      refusal: { provider: { code: 'AcessoNegado' } },
    })
  },
)

t.test('a bank that wants to be left alone says for how long', async (t) => {
  const { bank, instance, asks } = await connectedBank(t, 'itau')
  for (const status of [429, 503]) {
    bank.bank.faults.add({ verb: 'PUT', does: { kind: 'error', status, retryAfterSeconds: 30 } })
    t.match(await instance.ask(asks.register()), { type: 'PENDING', againInMs: 30_000 })
  }
})

t.test(
  'a charge that is paid and shows no payment is looked for among payments, and not decided without one',
  async (t) => {
    const connection = await connectedBank(t, 'itau')
    const { bank, instance, asks } = connection
    const { ask, endToEndId } = await paidCharge(connection)
    const without = { verb: 'GET', path: '/cob/', does: { kind: 'change', set: { pix: null } } } as const
    bank.bank.faults.add(without)
    t.match(await instance.ask(asks.after('READ_CHARGE', ask)), {
      type: 'DONE',
      evidence: { status: 'PAID', payments: [{ endToEndId }] },
    })
    bank.bank.faults.add(without)
    bank.bank.faults.add({ verb: 'GET', path: '/pix$', does: { kind: 'change', set: { pix: [] } } })
    t.match(await instance.ask(asks.after('READ_CHARGE', ask)), { type: 'PENDING' })
  },
)

t.test('a charge that the bank removed is no longer done', async (t) => {
  const { bank, instance, asks } = await connectedBank(t, 'inter')
  const ask = asks.register()
  await instance.ask(ask)
  await bank.hold('POST /charges/remove', { txid: ask.reference })
  t.match(await instance.inquire(ask), { type: 'UNDONE', how: 'VOIDED' })
  t.match(await instance.ask(asks.after('READ_CHARGE', ask)), {
    type: 'DONE',
    evidence: { status: 'REMOVED_BY_PROVIDER' },
  })
})
