import t from 'tap'
import { aCob, bankFor, txidOf } from './bank-for-test.ts'
import { hookFor } from './hook-for-test.ts'
import { simulatedProfiles } from './profiles/index.ts'

const chave = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const day = '?inicio=2026-11-25T00:00:00Z&fim=2026-11-26T00:00:00Z'

for (const profile of Object.values(simulatedProfiles))
  t.test(`${profile.label} makes a charge, has it paid and returns it`, async (t) => {
    const bank = await bankFor(t, { profile: profile.name })
    const { body: charge, status } = await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
    t.equal(status, 201)
    const { endToEndId } = await bank.hold('POST /pay', { code: charge.pixCopiaECola })
    t.equal((await bank.ask('GET', `/pix${day}`)).body.pix.length, 1)
    t.equal((await bank.ask('PUT', `/pix/${endToEndId}/devolucao/r1`, { valor: '12.34' })).status, 201)
    await bank.clock.advance(1000)
    t.match((await bank.ask('GET', `/cob/${txidOf(1)}`)).body.pix[0].devolucoes, [{ status: 'DEVOLVIDO' }])
    t.equal(bank.bank.book.balanceCents(), 100_000_000)
  })

for (const { name, label, headers, base } of Object.values(simulatedProfiles))
  for (const { name: header } of headers)
    t.test(`${label} wants ${header} with every call`, async (t) => {
      const bank = await bankFor(t, { profile: name })
      const refused = await bank.askAt('GET', `${base}/cob/${txidOf(1)}`, { headers: { [header]: '' } })
      t.match(refused, { status: 403, body: { detail: new RegExp(header) } })
    })

t.test('Banco do Brasil reads its key from the query as well, and lists what is contested', async (t) => {
  const bank = await bankFor(t, { profile: 'banco-do-brasil' })
  const authorization = `Bearer ${await bank.currentToken()}`
  const key = `gw-dev-app-key=${bank.client.appKey}`
  const reply = await bank.askAt('GET', `/pix/v2/pix${day}&${key}`, { headers: { authorization } })
  t.equal(reply.status, 200)
  const [one, two] = [1, 2].map(() => bank.bank.pay({ chave, valor: '10.00' })!)
  await bank.hold('POST /meds', { endToEndId: two!.endToEndId })
  const contested = async (is: boolean) =>
    (await bank.askAt('GET', `/pix/v2/pix-bb${day}&contestacaoPresente=${is}`)).body.pix
  t.match(await contested(true), [{ endToEndId: two!.endToEndId }])
  t.match(await contested(false), [{ endToEndId: one!.endToEndId }])
})

t.test('each bank wants its own form of credentials', async (t) => {
  const grant = { grant_type: 'client_credentials' }
  for (const { name, clientAuth, tokenPath } of Object.values(simulatedProfiles)) {
    const bank = await bankFor(t, { profile: name })
    const { clientId: client_id, clientSecret: client_secret } = bank.client
    const basic = `Basic ${Buffer.from(`${client_id}:${client_secret}`).toString('base64')}`
    const forms = {
      BASIC: { form: grant, headers: { authorization: basic } },
      BODY: { form: { ...grant, client_id, client_secret }, headers: {} },
      ID_ONLY: { form: { ...grant, client_id }, headers: {} },
    }
    for (const [form, given] of Object.entries(forms))
      t.equal(
        (await bank.askAt('POST', tokenPath, given)).status,
        form === clientAuth ? 200 : 401,
        `${name} ${form}`,
      )
  }
})

t.test('Efí refuses a txid and an id of a return that were used, in its own form', async (t) => {
  const bank = await bankFor(t, { profile: 'efi' })
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
  t.match(await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob()), {
    status: 409,
    body: { nome: 'txid_duplicado' },
  })
  const { endToEndId } = bank.bank.pay({ txid: txidOf(1) })!
  const path = `/pix/${endToEndId}/devolucao/r1`
  await bank.ask('PUT', path, { valor: '1.00' })
  t.match(await bank.ask('PUT', path, { valor: '1.00' }), {
    status: 409,
    body: { nome: 'devolucao_id_duplicado' },
  })
  t.match(await bank.ask('GET', `/pix/${'E'.repeat(32)}`), {
    status: 404,
    body: { nome: 'pix_nao_encontrado' },
  })
  t.match(await bank.ask('PUT', `/cob/${txidOf(2)}`, aCob('0.00')), {
    status: 400,
    body: { nome: 'valor_invalido' },
  })
})

t.test('Efí sends a PIX once under its id, and reports what became of it', async (t) => {
  const bank = await bankFor(t, { profile: 'efi' })
  const body = {
    valor: '10.00',
    pagador: { chave },
    favorecido: { chave: 'maria@example.com', cpf: '52998224725' },
  }
  const send = (id: string, of: object = body) => bank.askAt('PUT', `/v3/gn/pix/${id}`, { body: of })
  const sent = async (id: string) => (await bank.askAt('GET', `/v2/gn/pix/enviados/id-envio/${id}`)).body
  t.match(
    await send('a1'),
    { status: 400, body: { nome: 'webhook_invalido' } },
    'without an address for callbacks',
  )
  const hook = await hookFor(t, bank.authority)
  await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: hook.url })
  const first = await send('a1')
  t.match(first, {
    status: 201,
    body: { idEnvio: 'a1', status: 'EM_PROCESSAMENTO', endToEndId: /^E09089356/ },
  })
  t.match(await send('a1'), { status: 409, body: { nome: 'id_envio_duplicado' } })
  t.equal(bank.bank.book.balanceCents(), 100_000_000)
  t.equal(bank.bank.book.availableCents(), 99_999_000)
  await bank.hold('POST /clock/advance', { ms: 1000 })
  t.match(await sent('a1'), { status: 'REALIZADO', horario: { liquidacao: /Z$/ }, chave })
  t.match(hook.heard().at(-1)?.body.pix[0], {
    tipo: 'SOLICITACAO',
    status: 'REALIZADO',
    gnExtras: { idEnvio: 'a1' },
  })
  t.equal(bank.bank.book.balanceCents(), 99_999_000)

  await bank.hold('POST /sends/settings', { error: { codigo: 'AC03', motivo: 'Conta inexistente' } })
  await send('a2')
  await bank.hold('POST /clock/advance', { ms: 1000 })
  t.equal((await sent('a2')).status, 'NAO_REALIZADO')
  t.match(hook.heard().at(-1)?.body.pix[0].gnExtras, { erro: { codigo: 'AC03' } })
  t.equal(bank.bank.book.availableCents(), 99_999_000)

  await bank.hold('POST /sends/settings', { error: null, settleAfterMs: null })
  await send('a3')
  await bank.hold('POST /clock/advance', { ms: 86_400_000 })
  t.equal((await sent('a3')).status, 'EM_PROCESSAMENTO')
  await bank.hold('POST /sends/settle', { reference: 'a3', status: 'REALIZADO' })
  await bank.hold('POST /sends/give-back', { reference: 'a3', valor: '4.00' })
  t.match(await sent('a3'), { status: 'REALIZADO', devolucoes: [{ valor: '4.00' }] })
  t.equal(bank.bank.book.balanceCents(), 99_998_400)
  const byE2e = await bank.askAt('GET', `/v2/gn/pix/enviados/${first.body.endToEndId}`)
  t.equal(byE2e.body.idEnvio, 'a1')
  t.equal((await bank.askAt('GET', `/v2/gn/pix/enviados${day}`)).body.pix.length, 3)
  t.equal((await bank.askAt('GET', '/v2/gn/pix/enviados/id-envio/none')).status, 404)
})

t.test('a PIX that is not covered is taken, and then not made', async (t) => {
  const bank = await bankFor(t, { profile: 'efi', openingCents: 999 })
  const hook = await hookFor(t, bank.authority)
  await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: hook.url })
  const body = { valor: '10.00', pagador: { chave }, favorecido: { chave: 'maria@example.com' } }
  t.equal((await bank.askAt('PUT', '/v3/gn/pix/a1', { body })).status, 201)
  await bank.hold('POST /clock/advance', { ms: 1000 })
  t.match(await bank.hold('GET /sends'), [{ status: 'NAO_REALIZADO', error: { codigo: 'AM04' } }])
  t.equal(bank.bank.book.availableCents(), 999)
})

t.test('Efí lists MEDs, takes one defence, and sends lost callbacks again', async (t) => {
  const bank = await bankFor(t, { profile: 'efi' })
  const { endToEndId } = bank.bank.pay({ chave, valor: '10.00' })!
  const med = await bank.hold('POST /meds', { endToEndId })
  const list = async () => (await bank.askAt('GET', `/v2/gn/infracoes${day}`)).body.infracoes
  t.match(await list(), [{ idInfracao: med.id, status: 'ABERTA', endToEndId, valor: 10 }])
  const defend = () =>
    bank.askAt('POST', `/v2/gn/infracoes/${med.id}/defesa`, {
      body: { analise: 'rejeitado', justificativa: 'entregue' },
    })
  t.equal((await defend()).status, 201)
  t.equal((await defend()).status, 409)
  t.match(await list(), [{ status: 'EM_DEFESA', defesa: 'entregue' }])
  await bank.hold('POST /meds/close', { id: med.id, status: 'ACEITA' })
  t.equal((await list())[0].status, 'ACEITA')
  const late = await bank.hold('POST /meds', {
    endToEndId: bank.bank.pay({ chave, valor: '1.00' })!.endToEndId,
  })
  await bank.clock.advance(9 * 86_400_000)
  const tooLate = await bank.askAt('POST', `/v2/gn/infracoes/${late.id}/defesa`, {
    body: { analise: 'rejeitado', justificativa: 'x' },
  })
  t.equal(tooLate.status, 422)

  const hook = await hookFor(t, bank.authority)
  await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: hook.url })
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
  await bank.hold('POST /faults/notices', { kind: 'lose' })
  const lost = bank.bank.pay({ txid: txidOf(1) })!
  const before = hook.heard().length
  const body = { tipo: 'PIX_RECEBIDO', e2eids: [lost.endToEndId] }
  t.equal((await bank.askAt('POST', '/v2/gn/webhook/reenviar', { body })).status, 202)
  await bank.bank.webhooks.idle()
  t.match(hook.heard()[before]?.body.pix[0], { endToEndId: lost.endToEndId })
})

t.test(
  "Efí's statement of a day that is over has every movement of the kinds that were asked for",
  async (t) => {
    const bank = await bankFor(t, { profile: 'efi' })
    const { endToEndId } = bank.bank.pay({ chave, valor: '10.00' })!
    await bank.ask('PUT', `/pix/${endToEndId}/devolucao/r1`, { valor: '4.00' })
    await bank.clock.advance(1000)
    const ask = (tipoRegistros: object) =>
      bank.askAt('POST', '/v2/gn/relatorios/extrato-conciliacao', {
        body: { dataMovimento: '2026-11-25', tipoRegistros },
      })
    t.equal((await ask({ pixRecebido: true })).status, 400, 'the day is not over')
    await bank.clock.advance(86_400_000)
    const { body: asked } = await ask({ pixRecebido: true, pixDevolucaoEnviada: true })
    const fetch = () => bank.askAt('GET', `/v2/gn/relatorios/${asked.id}`)
    t.match(await fetch(), { status: 202, body: { status: 'AGUARDANDO_PROCESSAMENTO' } })
    await bank.clock.advance(1000)
    const { status, body } = await fetch()
    t.equal(status, 200)
    const rows = body.split('\n')
    t.match(rows[0], /^CA;.*;2026-11-25;Extrato/)
    t.match(rows.slice(1, -1), [/pixRecebido;.*;C;10\.00;/, /pixDevolucaoEnviada;.*;r1;D;4\.00;/])
    t.equal(rows.at(-1), 'T;2;100000000;100000600')
  },
)

t.test('Inter sends a PIX once under its UUID, and is asked by its own number', async (t) => {
  const bank = await bankFor(t, { profile: 'inter' })
  const uuid = '0f8fad5b-d9cb-469f-a165-70867728950e'
  const body = { valor: '10.00', descricao: 'x', destinatario: { tipo: 'CHAVE', chave: 'maria@example.com' } }
  const send = (key: string | null, of: object = body) =>
    bank.askAt('POST', '/banking/v2/pix', {
      body: of,
      ...(key === null ? {} : { headers: { 'x-id-idempotente': key } }),
    })
  const first = await send(uuid)
  t.match(first, { status: 200, body: { tipoRetorno: 'PROCESSADO', dataPagamento: '2026-11-25' } })
  t.strictSame((await send(uuid)).body, first.body)
  t.equal((await send(uuid, { ...body, valor: '11.00' })).status, 422)
  t.equal((await bank.hold('GET /sends')).length, 1)
  await send(null)
  t.equal((await bank.hold('GET /sends')).length, 2, 'without a key it is another')
  await bank.clock.advance(1000)
  const { codigoSolicitacao } = first.body
  const shown = await bank.askAt('GET', `/banking/v2/pix/${codigoSolicitacao}`)
  t.match(shown.body, {
    transacaoPix: { status: 'PAGO', valor: 10, codigoSolicitacao },
    historico: { length: 2 },
  })
  t.equal(bank.bank.book.balanceCents(), 99_998_000)
})

t.test('finalidadeMED is of 2.10.0', async (t) => {
  const old = await bankFor(t, { profile: 'inter' })
  t.equal((await old.ask('GET', `/pix${day}&finalidadeMED=true`)).status, 400)
  const young = await bankFor(t)
  t.equal((await young.ask('GET', `/pix${day}&finalidadeMED=true`)).status, 200)
})

t.test('a sixth bank is some lines of data', async (t) => {
  const sixth = {
    ...simulatedProfiles.plain!,
    name: 'sexto',
    label: 'Sexto Banco',
    base: '/sexto/v2',
    windowDaysMax: 5,
  }
  const bank = await bankFor(t, { profile: sixth })
  t.equal((await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())).status, 201)
  const wide = await bank.ask('GET', '/pix?inicio=2026-11-20T00:00:00Z&fim=2026-11-26T00:00:00Z')
  t.match(wide, { status: 400, body: { violacoes: [{ razao: /5 dias/ }] } })
  t.equal((await bank.ask('GET', `/pix${day}`)).status, 200)
})
