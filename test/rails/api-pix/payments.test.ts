import t from 'tap'
import { aCob, bankFor, txidOf } from './bank-for-test.ts'
import { writeBrCode } from './br-code.ts'

const day = '?inicio=2026-11-25T00:00:00Z&fim=2026-11-26T00:00:00Z'

t.test('a code is paid, and the charge, the list and the book say the same', async (t) => {
  const bank = await bankFor(t)
  const { body: charge } = await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
  const { endToEndId } = await bank.hold('POST /pay', { code: charge.pixCopiaECola, infoPagador: 'obrigada' })
  const { body: paid } = await bank.ask('GET', `/cob/${txidOf(1)}`)
  t.match(paid, {
    status: 'CONCLUIDA',
    pix: [{ endToEndId, valor: '12.34', txid: txidOf(1), infoPagador: 'obrigada' }],
  })
  const { body: pix } = await bank.ask('GET', `/pix/${endToEndId}`)
  t.strictSame(pix, paid.pix[0])
  t.strictSame((await bank.ask('GET', `/pix${day}`)).body.pix, [pix])
  const { movements, balanceCents } = await bank.hold('GET /book')
  t.match(movements, [{ kind: 'RECEIVED', cents: 1234, endToEndId, txid: txidOf(1) }])
  t.equal(balanceCents, 100_001_234)
})

t.test('payers do what banks do not expect', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
  const other = await bank.hold('POST /pay', { txid: txidOf(1), valor: '12.00' })
  t.match((await bank.ask('GET', `/cob/${txidOf(1)}`)).body, {
    status: 'CONCLUIDA',
    pix: [{ valor: '12.00' }],
  })
  await t.rejects(bank.hold('POST /pay', { txid: txidOf(1) }), { message: /cannot be paid/ })
  const second = await bank.hold('POST /pay', { txid: txidOf(1), force: true })
  t.not(second.endToEndId, other.endToEndId)
  t.equal((await bank.ask('GET', `/cob/${txidOf(1)}`)).body.pix.length, 2)

  const toKey = await bank.hold('POST /pay', { chave: 'loja@figueiras.example', valor: '5.00' })
  t.equal((await bank.ask('GET', `/pix/${toKey.endToEndId}`)).body.txid, undefined)
  const printed = writeBrCode({
    chave: 'loja@figueiras.example',
    valor: '7.00',
    txid: 'BALCAO1',
    name: 'Loja',
    city: 'SP',
  })
  const scanned = await bank.hold('POST /pay', { code: printed })
  t.match((await bank.ask('GET', `/pix/${scanned.endToEndId}`)).body, { txid: 'BALCAO1', valor: '7.00' })
  const count = async (filter: string) => (await bank.ask('GET', `/pix${day}${filter}`)).body.pix.length
  t.equal(await count('&txIdPresente=false'), 1)
  t.equal(await count('&txIdPresente=true'), 3)
  t.equal(await count('&txid=BALCAO1'), 1)
})

t.test('lists have pages of 100 from page 0', async (t) => {
  const bank = await bankFor(t)
  for (let number = 0; number < 205; number++)
    bank.bank.pay({ chave: 'loja@figueiras.example', valor: '1.00' })
  const page = async (number: number) =>
    (await bank.ask('GET', `/pix${day}&paginacao.paginaAtual=${number}`)).body
  const [first, last] = [await page(0), await page(2)]
  t.strictSame(first.parametros.paginacao, {
    paginaAtual: 0,
    itensPorPagina: 100,
    quantidadeDePaginas: 3,
    quantidadeTotalDeItens: 205,
  })
  t.equal(first.pix.length, 100)
  t.equal(last.pix.length, 5)
  t.equal((await page(3)).pix.length, 0)
  const refused = await bank.ask('GET', '/pix?inicio=2026-11-26T00:00:00Z&fim=2026-11-25T00:00:00Z')
  t.match(refused, { status: 400, body: { type: /PixConsultaInvalida$/ } })
})

t.test('a return is asked for, settles later, and is refused where it must be', async (t) => {
  const bank = await bankFor(t)
  const { endToEndId } = bank.bank.pay({ chave: 'loja@figueiras.example', valor: '10.00' })!
  const path = `/pix/${endToEndId}/devolucao`
  const asked = await bank.ask('PUT', `${path}/r1`, {
    valor: '4.00',
    natureza: 'ORIGINAL',
    descricao: 'troca',
  })
  t.match(asked, {
    status: 201,
    body: { status: 'EM_PROCESSAMENTO', id: 'r1', valor: '4.00', rtrId: /^D99999004/ },
  })
  t.match((await bank.ask('PUT', `${path}/r1`, { valor: '4.00' })).body, { type: /PixDevolucaoInvalida$/ })
  t.equal((await bank.ask('PUT', `${path}/r2`, { valor: '6.01' })).status, 400, 'more than what came in')
  t.equal((await bank.ask('PUT', `${path}/r3`, { valor: '0.00' })).status, 400)
  t.equal(bank.bank.book.balanceCents(), 100_001_000, 'nothing went back yet')
  await bank.clock.advance(1000)
  t.match((await bank.ask('GET', `${path}/r1`)).body, { status: 'DEVOLVIDO', horario: { liquidacao: /Z$/ } })
  t.equal(bank.bank.book.balanceCents(), 100_000_600)
  t.equal((await bank.ask('PUT', `${path}/r2`, { valor: '6.00' })).status, 201)
  t.equal((await bank.ask('GET', `${path}/none`)).status, 404)
  t.equal((await bank.ask('PUT', `/pix/${'E'.repeat(32)}/devolucao/r`, { valor: '1.00' })).status, 404)
})

t.test('a return can hang, fail, or come too late', async (t) => {
  const bank = await bankFor(t, { openingCents: 0 })
  const { endToEndId } = bank.bank.pay({ chave: 'loja@figueiras.example', valor: '10.00' })!
  const path = `/pix/${endToEndId}/devolucao`
  await bank.hold('POST /returns/settings', { settleAfterMs: null })
  await bank.ask('PUT', `${path}/r1`, { valor: '4.00' })
  await bank.clock.advance(3 * 86_400_000)
  t.equal((await bank.ask('GET', `${path}/r1`)).body.status, 'EM_PROCESSAMENTO')
  await bank.hold('POST /returns/settle', { endToEndId, id: 'r1', status: 'DEVOLVIDO' })
  t.equal((await bank.ask('GET', `${path}/r1`)).body.status, 'DEVOLVIDO')

  await bank.hold('POST /returns/settings', { settleAfterMs: 0, refusal: 'Conta do pagador encerrada' })
  await bank.ask('PUT', `${path}/r2`, { valor: '1.00' })
  await bank.clock.advance(0)
  t.match((await bank.ask('GET', `${path}/r2`)).body, {
    status: 'NAO_REALIZADO',
    motivo: 'Conta do pagador encerrada',
  })
  await bank.hold('POST /returns/settings', { refusal: null })
  bank.bank.book.block('a MED', 600)
  await bank.ask('PUT', `${path}/r3`, { valor: '6.00' })
  await bank.clock.advance(0)
  t.match((await bank.ask('GET', `${path}/r3`)).body, { status: 'NAO_REALIZADO', motivo: /^Saldo/ })
  t.equal(bank.bank.book.balanceCents(), 600)
  await bank.clock.advance(88 * 86_400_000)
  t.equal((await bank.ask('PUT', `${path}/r4`, { valor: '1.00' })).status, 400, 'after 90 days')
})

t.test('a return in the app and a MED are seen in the list of the day on which the PIX came', async (t) => {
  const bank = await bankFor(t)
  const inApp = bank.bank.pay({ chave: 'loja@figueiras.example', valor: '10.00' })!
  const fraud = bank.bank.pay({ chave: 'loja@figueiras.example', valor: '20.00' })!
  await bank.clock.advance(40 * 86_400_000)
  await bank.hold('POST /returns', { endToEndId: inApp.endToEndId, cents: 300 })
  const med = await bank.hold('POST /meds', { endToEndId: fraud.endToEndId })
  t.equal((await bank.hold('GET /book')).availableCents, 100_000_000 + 3000 - 300 - 2000)
  await bank.hold('POST /meds/close', { id: med.id, status: 'ACEITA' })
  const of = async (query: string) => (await bank.ask('GET', `/pix${query}`)).body.pix
  t.match(await of(`${day}&devolucaoPresente=true`), [
    { devolucoes: [{ natureza: 'ORIGINAL', valor: '3.00', status: 'DEVOLVIDO' }] },
    { devolucoes: [{ natureza: 'MED_FRAUDE', valor: '20.00' }] },
  ])
  t.match(await of(`${day}&finalidadeMED=true`), [{ endToEndId: fraud.endToEndId }])
  const lastDay = '?inicio=2027-01-03T00:00:00Z&fim=2027-01-05T00:00:00Z&devolucaoPresente=true'
  t.strictSame(await of(lastDay), [], 'not in that of the day on which they went back')
  await bank.hold('POST /meds/reverse', { id: med.id })
  const { sums, closingCents } = await bank.hold('GET /statement?day=2027-01-04')
  t.match(sums, { RETURNED: -300, MED_RETURNED: -2000, MED_REVERSED: 2000, RECEIVED: 0 })
  t.equal(closingCents, 100_000_000 + 3000 - 300)
})

t.test('a MED that is rejected frees the money', async (t) => {
  const bank = await bankFor(t)
  const { endToEndId } = bank.bank.pay({ chave: 'loja@figueiras.example', valor: '20.00' })!
  const { id } = await bank.hold('POST /meds', { endToEndId, valor: '5.00' })
  t.equal(bank.bank.book.availableCents(), 100_001_500)
  await bank.hold('POST /meds/close', { id, status: 'REJEITADA' })
  t.equal(bank.bank.book.availableCents(), 100_002_000)
  await t.rejects(bank.hold('POST /meds/close', { id, status: 'ACEITA' }), { message: /REJEITADA/ })
})
