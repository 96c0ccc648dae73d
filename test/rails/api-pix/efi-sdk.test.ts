import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { toolsFolder } from '../../tools.ts'
import { aCob, bankFor, txidOf } from './bank-for-test.ts'
import { hookFor } from './hook-for-test.ts'

/** What the simulated Efí asks for and answers is what the schemas in Efí's own SDK (2.0.1, MIT) describe. */
const file = join(toolsFolder(), 'node_modules/sdk-node-apis-efi/dist/esm/types/pix.js')
const schemas: Readonly<Record<string, { safeParse: (value: unknown) => any }>> = await import(
  pathToFileURL(file).href
)
const chave = '7d9f0335-8dcc-4054-9bf9-0dbd61d36906'
const day = '?inicio=2026-11-25T00:00:00Z&fim=2026-11-26T00:00:00Z'

t.test('exchanges of the simulated Efí fit the schemas of its SDK', async (t) => {
  const fits = (name: string, value: unknown): void => {
    const { success, error } = schemas[`${name}Schema`]!.safeParse(value)
    t.ok(success, `${name}: ${error?.message ?? ''}`)
  }
  const bank = await bankFor(t, { profile: 'efi' })
  const hook = await hookFor(t, bank.authority)
  const cob = aCob()
  fits('PixCreateChargeBody', cob)
  fits('PixCreateChargeResponse', (await bank.ask('PUT', `/cob/${txidOf(1)}`, cob)).body)
  fits('PixConfigWebhookBody', { webhookUrl: hook.url })
  await bank.ask('PUT', `/webhook/${chave}`, { webhookUrl: hook.url })
  fits('PixDetailWebhookResponse', (await bank.ask('GET', `/webhook/${chave}`)).body)
  const { endToEndId } = bank.bank.pay({ txid: txidOf(1) })!
  fits('PixDetailChargeResponse', (await bank.ask('GET', `/cob/${txidOf(1)}`)).body)
  fits('PixDetailReceivedResponse', (await bank.ask('GET', `/pix/${endToEndId}`)).body)
  fits('PixListReceivedResponse', (await bank.ask('GET', `/pix${day}`)).body)
  const asked = await bank.ask('PUT', `/pix/${endToEndId}/devolucao/r1`, { valor: '1.00' })
  fits('PixDevolutionResponse', asked.body)
  await bank.clock.advance(1000)
  fits('PixDetailDevolutionResponse', (await bank.ask('GET', `/pix/${endToEndId}/devolucao/r1`)).body)

  const favorecidos = [
    { chave: 'maria@example.com', cpf: '52998224725' },
    {
      contaBanco: {
        nome: 'Maria',
        cpf: '52998224725',
        codigoBanco: '60746948',
        agencia: '1',
        conta: '10001',
        tipoConta: 'cacc',
      },
    },
  ]
  for (const [number, favorecido] of favorecidos.entries()) {
    const body = { valor: '10.00', pagador: { chave, infoPagador: 'x' }, favorecido }
    fits('PixSendBody', body)
    fits('PixSendResponse', (await bank.askAt('PUT', `/v3/gn/pix/a${number}`, { body })).body)
  }
  await bank.clock.advance(1000)
  await bank.hold('POST /sends/give-back', { reference: 'a0', valor: '1.00' })
  const list = (await bank.askAt('GET', `/v2/gn/pix/enviados${day}`)).body
  t.equal(list.pix.length, 2)

  const med = await bank.hold('POST /meds', { endToEndId })
  fits('MedListResponse', (await bank.askAt('GET', `/v2/gn/infracoes${day}`)).body)
  const defence = { analise: 'rejeitado', justificativa: 'entregue' }
  fits('MedSubmitDefenseBody', defence)
  await bank.askAt('POST', `/v2/gn/infracoes/${med.id}/defesa`, { body: defence })
  fits('MedListResponse', (await bank.askAt('GET', `/v2/gn/infracoes${day}`)).body)

  const resend = { tipo: 'PIX_RECEBIDO', e2eids: [endToEndId] }
  fits('PixResendWebhookBody', resend)
  t.equal((await bank.askAt('POST', '/v2/gn/webhook/reenviar', { body: resend })).status, 202)
  await bank.clock.advance(86_400_000)
  const report = { dataMovimento: '2026-11-25', tipoRegistros: { pixRecebido: true, saldoDia: true } }
  fits('CreateReportBody', report)
  fits(
    'CreateReportResponse',
    (await bank.askAt('POST', '/v2/gn/relatorios/extrato-conciliacao', { body: report })).body,
  )
})
