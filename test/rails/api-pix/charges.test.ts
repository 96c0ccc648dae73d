import t from 'tap'
import { momentOf } from '../days.ts'
import { amountOn, lastPayableDay } from './amounts.ts'
import { aCob, aCobv, bankFor, txidOf } from './bank-for-test.ts'
import { readBrCode } from './br-code.ts'

t.test('a charge is created, read, revised and removed', async (t) => {
  const bank = await bankFor(t)
  const path = `/cob/${txidOf(1)}`
  const made = await bank.ask('PUT', path, aCob())
  t.equal(made.status, 201)
  t.match(made.body, {
    txid: txidOf(1),
    revisao: 0,
    status: 'ATIVA',
    calendario: { criacao: '2026-11-25T13:00:00.000Z' },
  })
  t.equal(readBrCode(made.body.pixCopiaECola).location, made.body.location)

  t.strictSame((await bank.ask('PUT', path, aCob())).body, made.body, 'the same bytes change nothing')
  t.equal((await bank.ask('PUT', path, aCob('13.00'))).body.revisao, 1)
  const patched = await bank.ask('PATCH', path, { valor: { original: '14.00' } })
  t.match(patched, {
    status: 200,
    body: { revisao: 2, valor: { original: '14.00' }, calendario: { expiracao: 3600 } },
  })
  t.equal((await bank.ask('GET', `${path}?revisao=1`)).body.valor.original, '13.00')

  const mixed = await bank.ask('PATCH', path, {
    status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR',
    chave: 'loja@figueiras.example',
  })
  t.match(mixed, { status: 400, body: { type: /CobOperacaoInvalida$/ } })
  const removed = await bank.ask('PATCH', path, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })
  t.match(removed, { status: 200, body: { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' } })
  t.equal((await bank.ask('PUT', path, aCob())).status, 400, 'a txid is never used again')
  t.equal((await bank.ask('PATCH', path, { status: 'REMOVIDA_PELO_USUARIO_RECEBEDOR' })).status, 400)
  t.throws(() => bank.bank.pay({ txid: txidOf(1) }), { message: /cannot be paid/ })
})

t.test('a charge that breaks a rule is refused with the rule', async (t) => {
  const bank = await bankFor(t)
  const broken: readonly [string, string, object][] = [
    ['cob', 'cob.valor.original', aCob('0.00')],
    ['cob', 'cob.calendario.expiracao', aCob('1.00', { calendario: { expiracao: 0 } })],
    ['cob', 'cob.chave', aCob('1.00', { chave: 'other@example.com' })],
    ['cob', 'cob.loc.id', aCob('1.00', { loc: { id: 7 } })],
    ['cobv', 'cobv.calendario.dataDeVencimento', aCobv('2026-11-24')],
    [
      'cobv',
      'cobv.calendario.validadeAposVencimento',
      aCobv('2026-11-26', { calendario: { dataDeVencimento: '2026-11-26', validadeAposVencimento: -1 } }),
    ],
    [
      'cobv',
      'cobv.valor.abatimento',
      aCobv('2026-11-26', { valor: { original: '1.00', abatimento: { modalidade: 1, valorPerc: '1.00' } } }),
    ],
    [
      'cobv',
      'cobv.valor.desconto',
      aCobv('2026-11-26', {
        valor: {
          original: '1.00',
          desconto: { modalidade: 1, descontoDataFixa: [{ data: '2026-11-27', valorPerc: '0.10' }] },
        },
      }),
    ],
    [
      'cobv',
      'cobv.valor.desconto',
      aCobv('2026-11-26', { valor: { original: '1.00', desconto: { modalidade: 2, valorPerc: '1.00' } } }),
    ],
  ]
  for (const [kind, propriedade, body] of broken) {
    const { status, body: answer } = await bank.ask('PUT', `/${kind}/${txidOf(1)}`, body)
    t.equal(status, 400, propriedade)
    t.equal(answer.violacoes?.[0].propriedade, propriedade)
  }
  t.equal((await bank.ask('GET', `/cob/${txidOf(1)}`)).status, 404)
})

t.test('a txid is of one charge, whatever its kind', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
  t.equal((await bank.ask('PUT', `/cobv/${txidOf(1)}`, aCobv('2026-12-01'))).status, 400)
  t.equal((await bank.ask('GET', `/cobv/${txidOf(1)}`)).status, 404)
})

t.test('a charge is payable until it expires, counted from the time of the bank', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob('12.34', { calendario: { expiracao: 900 } }))
  await bank.clock.advance(899_999)
  const [charge] = bank.bank.charges.all()
  t.ok(bank.bank.charges.isPayable(charge!))
  await bank.clock.advance(1)
  t.notOk(bank.bank.charges.isPayable(charge!))
  t.equal((await bank.ask('GET', `/cob/${txidOf(1)}`)).body.status, 'ATIVA', 'expiry is no status')
  t.throws(() => bank.bank.pay({ txid: txidOf(1) }))
  t.equal(bank.bank.pay({ txid: txidOf(1), force: true })?.cents, 1234)
})

t.test('a due date on a day without banks moves on, and so does the last day', async (t) => {
  // 25 Dec 2026 is a Friday and a holiday.
  const last = (dataDeVencimento: string, validadeAposVencimento: number) =>
    lastPayableDay({ dataDeVencimento, validadeAposVencimento })
  t.equal(last('2026-12-25', 0), '2026-12-28')
  t.equal(last('2026-12-24', 1), '2026-12-28')
  t.equal(last('2026-12-22', 1), '2026-12-23')
  const bank = await bankFor(t, { startMs: momentOf('2026-12-24', 10) })
  await bank.ask('PUT', `/cobv/${txidOf(1)}`, aCobv('2026-12-25'))
  await bank.clock.advance(4 * 86_400_000)
  t.equal(bank.bank.pay({ txid: txidOf(1) })?.cents, 10_000, 'on Monday without fine or interest')
})

t.test('fine, interest, rebate and discount are counted to the centavo', async (t) => {
  const valor = {
    original: '100.00',
    multa: { modalidade: 2, valorPerc: '2.00' },
    juros: { modalidade: 3, valorPerc: '1.00' },
    abatimento: { modalidade: 1, valorPerc: '10.00' },
    desconto: { modalidade: 1, descontoDataFixa: [{ data: '2026-11-27', valorPerc: '5.00' }] },
  }
  const total = (day: string, of: any = valor) => amountOn(of, '2026-11-30', day).total
  t.equal(total('2026-11-26'), 8500)
  t.equal(total('2026-11-28'), 9000)
  t.equal(total('2026-11-30'), 9000)
  // 2 % of 90.00 is 1.80; 1 % a month for 5 days is 0.15.
  t.equal(total('2026-12-05'), 9195)
  t.equal(
    total('2026-12-05', { original: '100.00', juros: { modalidade: 3, valorPerc: '1.00' } }),
    10_017,
    'rounded half up',
  )
  t.equal(total('2026-11-26', { original: '100.00', desconto: { modalidade: 3, valorPerc: '0.50' } }), 9800)
})
