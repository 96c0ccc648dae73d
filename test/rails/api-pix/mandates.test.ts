import t, { type Test } from 'tap'
import { momentOf } from '../days.ts'
import { aCob, aCobv, bankFor, txidOf } from './bank-for-test.ts'
import { readBrCode } from './br-code.ts'
import { hookFor } from './hook-for-test.ts'
import { startOfCycle } from './mandates.ts'

const aMandate = (more: object = {}): object => ({
  vinculo: { contrato: '01J9', devedor: { cpf: '52998224725', nome: 'Maria da Silva' }, objeto: 'Plano' },
  calendario: { dataInicial: '2026-12-10', periodicidade: 'MENSAL' },
  valor: { valorRec: '35.00' },
  politicaRetentativa: 'PERMITE_3R_7D',
  ...more,
})
const aCharge = (idRec: string, dataDeVencimento: string, more: object = {}): object => ({
  idRec,
  calendario: { dataDeVencimento },
  valor: { original: '35.00' },
  ajusteDiaUtil: true,
  recebedor: { agencia: '0001', conta: '1234567', tipoConta: 'CORRENTE' },
  ...more,
})

/** A bank on 1 December with an approved mandate. */
const approved = async (t: Test, more: object = {}, act: object = {}) => {
  const bank = await bankFor(t, { startMs: momentOf('2026-12-01', 9) })
  const { body: location } = await bank.ask('POST', '/locrec')
  const { body: mandate } = await bank.ask('POST', '/rec', aMandate({ loc: location.id, ...more }))
  const { body: whole } = await bank.ask('GET', `/rec/${mandate.idRec}`)
  await bank.hold('POST /pay', { code: whole.dadosQR.pixCopiaECola, ...act })
  const until = async (day: string, hour: number) =>
    bank.hold('POST /clock/advance', { ms: momentOf(day, hour) - bank.clock.nowMs() })
  const charge = async (txid: string) => (await bank.ask('GET', `/cobr/${txid}`)).body
  return { bank, idRec: mandate.idRec as string, until, charge }
}

t.test('journey 1: the payer is asked, and accepts, rejects, or lets it expire', async (t) => {
  const bank = await bankFor(t)
  const ask = async () => {
    const { body: mandate, status } = await bank.ask('POST', '/rec', aMandate())
    t.equal(status, 201)
    t.match(mandate, {
      status: 'CRIADA',
      idRec: /^RR99999004/,
      ativacao: { tipoJornada: 'AGUARDANDO_DEFINICAO' },
    })
    const { body: request } = await bank.ask('POST', '/solicrec', {
      idRec: mandate.idRec,
      calendario: { dataExpiracaoSolicitacao: '2026-11-28T13:00:00Z' },
      destinatario: { cpf: '52998224725', conta: '10001', agencia: '1', ispbParticipante: '60746948' },
    })
    t.equal(request.status, 'CRIADA')
    await bank.clock.advance(1000)
    t.equal((await bank.ask('GET', `/solicrec/${request.idSolicRec}`)).body.status, 'RECEBIDA')
    return { idRec: mandate.idRec, idSolicRec: request.idSolicRec }
  }
  const [accepted, rejected, expired, cancelled] = [await ask(), await ask(), await ask(), await ask()]
  await bank.hold('POST /mandates/answer', { idRec: accepted.idRec, does: 'accept' })
  await bank.hold('POST /mandates/answer', { idRec: rejected.idRec, does: 'reject' })
  t.equal(
    (await bank.ask('PATCH', `/solicrec/${cancelled.idSolicRec}`, { status: 'CANCELADA' })).body.status,
    'CANCELADA',
  )
  await bank.clock.advance(4 * 86_400_000)
  const shown = async ({ idRec }: { idRec: string }) => (await bank.ask('GET', `/rec/${idRec}`)).body
  t.match(await shown(accepted), {
    status: 'APROVADA',
    ativacao: { tipoJornada: 'JORNADA_1' },
    pagador: { cpf: '52998224725', ispbParticipante: '60746948' },
    solicitacao: [{ status: 'ACEITA' }],
  })
  t.match(await shown(rejected), { status: 'REJEITADA', encerramento: { rejeicao: { codigo: 'AP13' } } })
  t.match(await shown(expired), { status: 'EXPIRADA', solicitacao: [{ status: 'EXPIRADA' }] })
  t.match(await shown(cancelled), { status: 'CRIADA', solicitacao: [{ status: 'CANCELADA' }] })
  t.equal((await bank.ask('PATCH', `/solicrec/${accepted.idSolicRec}`, { status: 'CANCELADA' })).status, 400)
  const { body: list } = await bank.ask(
    'GET',
    '/rec?inicio=2026-11-25T00:00:00Z&fim=2026-11-26T00:00:00Z&status=APROVADA',
  )
  t.match(list.recs, [{ idRec: accepted.idRec }])
})

t.test('journeys 2 to 4 have composite codes, if the mandate has a location', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob('35.00'))
  await bank.ask('PUT', `/cobv/${txidOf(2)}`, aCobv('2026-12-05'))
  const bare = await bank.ask('POST', '/rec', aMandate({ ativacao: { dadosJornada: { txid: txidOf(1) } } }))
  t.equal((await bank.ask('GET', `/rec/${bare.body.idRec}?txid=${txidOf(1)}`)).body.dadosQR, undefined)

  const { body: location } = await bank.ask('POST', '/locrec')
  const made = await bank.ask(
    'POST',
    '/rec',
    aMandate({ loc: location.id, ativacao: { dadosJornada: { txid: txidOf(1) } } }),
  )
  const { idRec } = made.body
  t.equal(
    (await bank.ask('POST', '/rec', aMandate({ loc: location.id }))).status,
    400,
    'a location is of one mandate',
  )
  const code = async (txid?: string) =>
    (await bank.ask('GET', `/rec/${idRec}${txid === undefined ? '' : `?txid=${txid}`}`)).body.dadosQR
  t.match(await code(), { jornada: 'JORNADA_2' })
  t.match(await code(txidOf(2)), { jornada: 'JORNADA_4' })
  const composite = await code(txidOf(1))
  t.equal(composite.jornada, 'JORNADA_3')
  const read = readBrCode(composite.pixCopiaECola)
  t.equal(read.recurrenceLocation, location.location)
  t.equal(read.location?.split('/')[0], location.location.split('/')[0], 'both are at one host')

  const pix = await bank.hold('POST /pay', { code: composite.pixCopiaECola })
  t.equal(pix.txid, txidOf(1))
  t.match((await bank.ask('GET', `/rec/${idRec}`)).body, {
    status: 'APROVADA',
    ativacao: { tipoJornada: 'JORNADA_3', dadosJornada: { txid: txidOf(1) } },
  })
  t.equal((await bank.ask('GET', `/rec/${idRec}?txid=${txidOf(2)}`)).status, 400)
})

t.test('journey 3 can be paid and not authorized', async (t) => {
  const bank = await bankFor(t)
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob('35.00'))
  const { body: location } = await bank.ask('POST', '/locrec')
  const { body } = await bank.ask('POST', '/rec', aMandate({ loc: location.id }))
  const { body: whole } = await bank.ask('GET', `/rec/${body.idRec}?txid=${txidOf(1)}`)
  await bank.hold('POST /pay', { code: whole.dadosQR.pixCopiaECola, authorizes: false })
  t.equal((await bank.ask('GET', `/cob/${txidOf(1)}`)).body.status, 'CONCLUIDA')
  t.equal((await bank.ask('GET', `/rec/${body.idRec}`)).body.status, 'CRIADA')
})

t.test('a charge is scheduled, and paid on its day', async (t) => {
  const { bank, idRec, until, charge } = await approved(t)
  const made = await bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(idRec, '2026-12-10'))
  t.match(made, { status: 201, body: { status: 'CRIADA', recebedor: { nome: 'Loja das Figueiras Ltda' } } })
  await bank.clock.advance(1000)
  t.match(await charge(txidOf(1)), {
    status: 'ATIVA',
    tentativas: [{ tipo: 'AGND', status: 'AGENDADA', dataLiquidacao: '2026-12-10' }],
  })
  await until('2026-12-10', 7)
  const paid = await charge(txidOf(1))
  t.match(paid, {
    status: 'CONCLUIDA',
    tentativas: [{ status: 'PAGA' }],
    pix: [{ valor: '35.00', txid: txidOf(1) }],
  })
  t.equal(paid.pix[0].endToEndId, paid.tentativas[0].endToEndId)
  t.match(await bank.hold('GET /book'), { movements: [{ kind: 'RECEIVED', cents: 3500, txid: txidOf(1) }] })
  t.equal((await bank.ask('GET', `/pix/${paid.pix[0].endToEndId}`)).status, 200)
})

t.test('a charge that breaks a rule is refused', async (t) => {
  const { bank, idRec } = await approved(t)
  const put = async (number: number, due: string, more: object = {}) =>
    (await bank.ask('PUT', `/cobr/${txidOf(number)}`, aCharge(idRec, due, more))).status
  t.equal(await put(1, '2026-12-02'), 400, 'one day ahead')
  t.equal(await put(1, '2026-12-12'), 400, 'eleven days ahead')
  t.equal(await put(1, '2026-12-10', { valor: { original: '36.00' } }), 400, 'another amount than agreed')
  t.equal(await put(1, '2026-12-10', { recebedor: { conta: '9', tipoConta: 'CORRENTE' } }), 400)
  t.equal(await put(1, '2026-12-10', { idRec: 'R'.repeat(29) }), 400)
  t.equal(await put(1, '2026-12-10'), 201)
  t.equal(await put(1, '2026-12-10'), 201, 'the same bytes are the same charge')
  t.equal(await put(2, '2026-12-11'), 400, 'one a cycle')
  t.equal((await bank.ask('PATCH', `/cobr/${txidOf(1)}`, { status: 'CANCELADA' })).status, 200)
  t.equal(await put(2, '2026-12-11'), 201, 'a cancelled one is out of the way')
  t.equal((await bank.ask('PUT', `/cob/${txidOf(2)}`, aCob())).status, 400, 'its txid is taken')
})

t.test('a charge cannot be cancelled on the day of its first attempt', async (t) => {
  const { bank, idRec, until, charge } = await approved(t)
  await bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(idRec, '2026-12-10'))
  await bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(idRec, '2026-12-10'))
  await until('2026-12-10', 1)
  t.equal((await bank.ask('PATCH', `/cobr/${txidOf(1)}`, { status: 'CANCELADA' })).status, 400)
  await until('2026-12-10', 7)
  t.equal((await charge(txidOf(1))).status, 'CONCLUIDA')
})

t.test(
  'a failed attempt is repeated by the bank on its day, then by request on three others within seven',
  async (t) => {
    const { bank, idRec, until, charge } = await approved(t)
    await bank.hold('POST /mandates/account', { idRec, does: 'reject', codigo: 'AM02' })
    await bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(idRec, '2026-12-10'))
    const retry = async (day: string) =>
      (await bank.ask('POST', `/cobr/${txidOf(1)}/retentativa/${day}`)).status
    await until('2026-12-10', 12)
    t.equal(await retry('2026-12-11'), 400, 'an attempt is running')
    await until('2026-12-10', 20)
    t.match(await charge(txidOf(1)), {
      status: 'ATIVA',
      tentativas: [
        { tipo: 'AGND', status: 'REJEITADA', rejeicao: { codigo: 'AM02' } },
        { tipo: 'RIFL', status: 'REJEITADA', dataLiquidacao: '2026-12-10' },
      ],
    })
    t.equal(await retry('2026-12-10'), 400, 'not a future day')
    t.equal(await retry('2026-12-18'), 400, 'the eighth day')
    t.equal(await retry('2026-12-11'), 201)
    t.equal(await retry('2026-12-12'), 400, 'one at a time')
    await until('2026-12-11', 20)
    t.equal(await retry('2026-12-13'), 201)
    await until('2026-12-13', 20)
    t.equal(await retry('2026-12-15'), 201)
    await until('2026-12-15', 20)
    t.equal(await retry('2026-12-17'), 400, 'three were made')
    t.equal(
      (await bank.ask('PUT', `/cobr/${txidOf(2)}`, aCharge(idRec, '2026-12-20'))).status,
      400,
      'it blocks the cycle',
    )
    await until('2026-12-18', 1)
    t.equal((await charge(txidOf(1))).status, 'EXPIRADA')
    t.equal(
      (await bank.ask('PUT', `/cobr/${txidOf(2)}`, aCharge(idRec, '2026-12-21'))).status,
      400,
      'and goes on to',
    )
  },
)

t.test(
  'a retry can succeed, a final code ends the charge, and no retry follows where none is agreed',
  async (t) => {
    const one = await approved(t)
    await one.bank.hold('POST /mandates/account', {
      idRec: one.idRec,
      does: 'reject',
      codigo: 'AM02',
      times: 2,
    })
    await one.bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(one.idRec, '2026-12-10'))
    await one.until('2026-12-10', 20)
    await one.bank.ask('POST', `/cobr/${txidOf(1)}/retentativa/2026-12-12`)
    await one.until('2026-12-12', 7)
    t.match(await one.charge(txidOf(1)), {
      status: 'CONCLUIDA',
      tentativas: { 2: { tipo: 'NTAG', status: 'PAGA' } },
    })

    const two = await approved(t)
    await two.bank.hold('POST /mandates/account', { idRec: two.idRec, does: 'reject', codigo: 'AC05' })
    await two.bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(two.idRec, '2026-12-10'))
    await two.until('2026-12-10', 7)
    t.match(await two.charge(txidOf(1)), {
      status: 'REJEITADA',
      encerramento: { rejeicao: { codigo: 'AC05' } },
    })
    t.equal((await two.bank.ask('PUT', `/cobr/${txidOf(2)}`, aCharge(two.idRec, '2026-12-15'))).status, 201)

    const three = await approved(t, { politicaRetentativa: 'NAO_PERMITE' })
    t.match(three.idRec, /^RN/)
    await three.bank.hold('POST /mandates/account', { idRec: three.idRec, does: 'reject', codigo: 'AM02' })
    await three.bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(three.idRec, '2026-12-10'))
    await three.until('2026-12-10', 20)
    t.equal((await three.charge(txidOf(1))).status, 'EXPIRADA')
    t.equal((await three.bank.ask('POST', `/cobr/${txidOf(1)}/retentativa/2026-12-12`)).status, 400)
  },
)

t.test('a charge above what the payer allows is rejected', async (t) => {
  const { bank, idRec, charge } = await approved(
    t,
    { valor: { valorMinimoRecebedor: '10.00' } },
    { maximo: '40.00' },
  )
  await bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(idRec, '2026-12-10', { valor: { original: '40.01' } }))
  await bank.clock.advance(1000)
  t.match(await charge(txidOf(1)), { status: 'REJEITADA', encerramento: { rejeicao: { codigo: 'AM02' } } })
  await bank.ask('PUT', `/cobr/${txidOf(2)}`, aCharge(idRec, '2026-12-10', { valor: { original: '40.00' } }))
  await bank.clock.advance(1000)
  t.equal((await charge(txidOf(2))).status, 'ATIVA')
})

t.test('who ends a mandate ends its charges, and callbacks report all of it', async (t) => {
  const { bank, idRec, charge } = await approved(t)
  const hook = await hookFor(t, bank.authority)
  t.equal((await bank.ask('PUT', '/webhookrec', { webhookUrl: hook.url })).status, 200)
  t.equal((await bank.ask('PUT', '/webhookcobr', { webhookUrl: hook.url })).status, 200)
  t.match((await bank.ask('GET', '/webhookrec')).body, { webhookUrl: hook.url })
  await bank.ask('PUT', `/cobr/${txidOf(1)}`, aCharge(idRec, '2026-12-10'))
  await bank.hold('POST /clock/advance', { ms: 1000 })
  await bank.hold('POST /mandates/answer', { idRec, does: 'cancel' })
  await bank.bank.webhooks.idle()
  t.match((await bank.ask('GET', `/rec/${idRec}`)).body, {
    status: 'CANCELADA',
    encerramento: { cancelamento: { solicitante: 'USUARIO_PAGADOR' } },
  })
  t.match(await charge(txidOf(1)), { status: 'CANCELADA', tentativas: [{ status: 'CANCELADA' }] })
  const states = hook.heard().map(({ path, body }) => `${path} ${(body.recs ?? body.cobsr)[0].status}`)
  t.strictSame([...states].sort(), [
    '/hooks/c/cobr ATIVA',
    '/hooks/c/cobr CANCELADA',
    '/hooks/c/cobr CRIADA',
    '/hooks/c/rec CANCELADA',
  ])
  t.equal((await bank.ask('DELETE', '/webhookcobr')).status, 204)
})

t.test('the receiver changes and cancels a mandate, while it is open', async (t) => {
  const { bank, idRec } = await approved(t)
  t.equal(
    (await bank.ask('PATCH', `/rec/${idRec}`, { calendario: { dataInicial: '2026-12-12' } })).status,
    400,
  )
  const cancelled = await bank.ask('PATCH', `/rec/${idRec}`, { status: 'CANCELADA' })
  t.match(cancelled.body, {
    status: 'CANCELADA',
    encerramento: { cancelamento: { solicitante: 'USUARIO_RECEBEDOR' } },
  })
  t.equal((await bank.ask('PATCH', `/rec/${idRec}`, { status: 'CANCELADA' })).status, 400)
  const { body: other } = await bank.ask('POST', '/rec', aMandate())
  const revised = await bank.ask('PATCH', `/rec/${other.idRec}`, {
    calendario: { dataInicial: '2026-12-12' },
  })
  t.match(revised.body, { calendario: { dataInicial: '2026-12-12', periodicidade: 'MENSAL' } })
})

t.test('locations of mandates are listed, read and freed', async (t) => {
  const { bank, idRec } = await approved(t)
  const { body: list } = await bank.ask(
    'GET',
    '/locrec?inicio=2026-12-01T00:00:00Z&fim=2026-12-02T00:00:00Z&idRecPresente=true',
  )
  t.match(list.loc, [{ idRec }])
  const { id } = list.loc[0]
  t.match((await bank.ask('GET', `/locrec/${id}`)).body, { idRec })
  t.equal((await bank.ask('DELETE', `/locrec/${id}/idRec`)).body.idRec, undefined)
  t.equal((await bank.ask('GET', '/locrec/999')).status, 404)
})

t.test('cycles end on the last day of months that are too short', async (t) => {
  const of = (periodicidade: string, cycle: number) =>
    startOfCycle({ dataInicial: '2026-01-31', periodicidade }, cycle)
  t.equal(of('MENSAL', 1), '2026-02-28')
  t.equal(of('MENSAL', 2), '2026-03-31')
  t.equal(of('SEMANAL', 2), '2026-02-14')
  t.equal(of('TRIMESTRAL', 1), '2026-04-30')
  t.equal(of('SEMESTRAL', 1), '2026-07-31')
  t.equal(of('ANUAL', 1), '2027-01-31')
})
