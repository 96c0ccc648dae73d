import t, { type Test } from 'tap'
import { aCob, bankFor, txidOf } from './bank-for-test.ts'
import { hookFor } from './hook-for-test.ts'

const chave = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'

const withHook = async (t: Test, profile = 'plain') => {
  const bank = await bankFor(t, { profile })
  const hook = await hookFor(t, bank.authority)
  t.equal((await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: hook.url })).status, 200)
  await bank.ask('PUT', `/cob/${txidOf(1)}`, aCob())
  const pay = async () => {
    const pix = bank.bank.pay({ txid: txidOf(1) })!
    await bank.bank.webhooks.idle()
    return pix
  }
  return { bank, hook, pay }
}

t.test('an address is registered, shown and removed', async (t) => {
  const { bank, hook } = await withHook(t)
  t.match((await bank.ask('GET', `/webhook/${chave}`)).body, { webhookUrl: hook.url, chave })
  t.match((await bank.ask('GET', '/webhook')).body, { webhooks: [{ webhookUrl: hook.url }] })
  t.equal((await bank.ask('DELETE', `/webhook/${chave}`)).status, 204)
  t.match(await bank.ask('GET', `/webhook/${chave}`), {
    status: 404,
    body: { type: /WebhookNaoEncontrado$/ },
  })
  t.equal((await bank.ask('PUT', '/webhook/other@example.com', { webhookUrl: hook.url })).status, 400)
  t.equal((await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: 'http://a.example' })).status, 400)
})

t.test('a payment and its return are reported to the address with /pix', async (t) => {
  const { bank, hook, pay } = await withHook(t)
  const { endToEndId } = await pay()
  t.match(hook.heard(), [
    { path: '/hooks/c/pix', body: { pix: [{ endToEndId, txid: txidOf(1), valor: '12.34' }] } },
  ])
  await bank.ask('PUT', `/pix/${endToEndId}/devolucao/r1`, { valor: '1.00' })
  await bank.hold('POST /clock/advance', { ms: 1000 })
  t.match(hook.heard()[1]?.body.pix[0].devolucoes, [{ id: 'r1', status: 'DEVOLVIDO' }])
  bank.bank.pay({ chave, valor: '1.00' })
  await bank.bank.webhooks.idle()
  t.equal(hook.heard().length, 2, 'a PIX without txid is not reported')
})

t.test('a callback that is not taken is repeated as the bank says, then no more', async (t) => {
  const { bank, hook, pay } = await withHook(t)
  hook.answerNext(500, 503, 429, 404)
  await pay()
  t.match(await bank.hold('GET /notices'), [{ state: 'WAITING', attempts: [{ outcome: '500' }] }])
  await bank.hold('POST /clock/advance', { ms: 60_000 })
  t.equal(hook.heard().length, 2)
  await bank.hold('POST /clock/advance', { ms: 20 * 60_000 })
  t.match(await bank.hold('GET /notices'), [{ state: 'EXHAUSTED', attempts: { length: 4 } }])
  await bank.hold('POST /clock/advance', { ms: 86_400_000 })
  t.equal(hook.heard().length, 4)
})

t.test('callbacks are lost, doubled, late and forged', async (t) => {
  const { bank, hook, pay } = await withHook(t)
  await bank.hold('POST /faults/notices', { kind: 'lose' })
  const { endToEndId } = await pay()
  t.equal(hook.heard().length, 0)
  await bank.hold('POST /faults/notices', { kind: 'repeat', copies: 50 })
  await bank.hold('POST /notices/resend', { endToEndIds: [endToEndId] })
  await bank.bank.webhooks.idle()
  t.equal(hook.heard().length, 50)
  await bank.hold('POST /faults/notices', { kind: 'delay', ms: 40_000 })
  await bank.hold('POST /notices/resend', { endToEndIds: [endToEndId] })
  await bank.hold('POST /clock/advance', { ms: 39_999 })
  t.equal(hook.heard().length, 50)
  await bank.hold('POST /clock/advance', { ms: 1 })
  t.equal(hook.heard().length, 51)

  const forge = (as: string) =>
    bank.hold('POST /notices/forge', { url: `${hook.url}/pix`, body: { pix: [] }, as })
  t.strictSame(await forge('bank'), { outcome: '200' })
  t.match(await forge('foreign'), { outcome: /ALERT|ECONNRESET|SSL/ })
  t.match(await forge('none'), { outcome: /ALERT|ECONNRESET|SSL/ })
  t.equal(hook.heard().length, 52)
})

t.test('a bank can forget an address', async (t) => {
  const { bank, hook, pay } = await withHook(t)
  t.equal(await bank.hold('POST /notices/unregister', { chave }), true)
  await pay()
  t.equal(hook.heard().length, 0)
  t.equal((await bank.ask('GET', `/webhook/${chave}`)).status, 404)
})

t.test('a receiver whose certificate is of another authority hears nothing', async (t) => {
  const { bank } = await withHook(t)
  const { createAuthority } = await import('../certificates.ts')
  const stranger = await hookFor(t, createAuthority('Stranger CA'), { demands: false })
  const { outcome } = await bank.hold('POST /notices/forge', { url: stranger.url, body: {}, as: 'bank' })
  t.match(outcome, /SELF_SIGNED|UNABLE_TO|CERT/)
  t.strictSame(stranger.heard(), [])
})

t.test('Inter sends a bare list to the address as it is, Efí the payer with it', async (t) => {
  const inter = await withHook(t, 'inter')
  const { endToEndId } = await inter.pay()
  t.match(inter.hook.heard(), [{ path: '/hooks/c', body: [{ endToEndId }] }])
  const efi = await withHook(t, 'efi')
  await efi.pay()
  t.match(efi.hook.heard().at(-1)?.body.pix[0].gnExtras.pagador, {
    nome: 'Maria da Silva',
    cpf: '***.982.247-**',
  })
})

t.test('Efí registers only an address that refuses calls without its certificate', async (t) => {
  const bank = await bankFor(t, { profile: 'efi' })
  const open = await hookFor(t, bank.authority, { demands: false })
  const refused = await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: open.url })
  t.match(refused, { status: 400, body: { nome: 'webhook_invalido' } })
  const skipped = await bank.askAt('PUT', `/v2/webhook/${chave}`, {
    body: { webhookUrl: open.url },
    headers: { 'x-skip-mtls-checking': 'true' },
  })
  t.equal(skipped.status, 200)
  const gone = await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: 'https://localhost:1/x' })
  t.match(gone, { status: 400, body: { mensagem: /inacessível/ } })
  const hook = await hookFor(t, bank.authority)
  t.equal((await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: hook.url })).status, 200)
  t.equal(hook.heard().length, 1, 'of two probes one got through')
})
