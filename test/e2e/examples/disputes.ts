import { pngOf } from '../../../gateway/documents/qr-code/picture.ts'
import type { Call } from '../service.ts'
import type { DoesStep } from './reserved.ts'

/** What people say about PIX that payers' banks contest. */
export const playDisputes = async (
  /** A person who may do all of it. */
  call: Call,
  does: DoesStep,
): Promise<void> => {
  const hidden = async (operation: string, body: object, id?: string): Promise<any> =>
    does(call, { operation, title: operation, body, ...(id !== undefined && { id }), hidden: true })
  const contested = async (): Promise<string> => {
    const charge = await hidden('createPixCharge', { amount: 4990 })
    await hidden('paySandboxPixCharge', {}, charge.id)
    return (await hidden('openSandboxMed', { reason: 'FRAUD' }, charge.id)).id
  }
  const files = [{ name: 'comprovante.png', content: pngOf('BR123456789', 2).toString('base64') }]
  const open = await contested()
  await does(call, { operation: 'listMeds', title: 'Open ones', query: { status: 'OPEN' }, rows: 1 })
  await does(call, {
    operation: 'defendMed',
    title: 'With a receipt',
    id: open,
    body: { text: 'O pedido foi retirado na loja pelo pagador, que assinou o comprovante.', files },
  })
  const returned = await contested()
  await hidden('closeSandboxMed', { result: 'ACCEPTED' }, returned)
  await does(call, {
    operation: 'contestMed',
    title: 'With proof of delivery',
    id: returned,
    body: { text: 'Entregue em 12/06 no endereço do pagador, com assinatura. Rastreio BR123456789.' },
  })
  await does(call, {
    operation: 'resolveSandboxMedContest',
    title: 'Won',
    id: returned,
    body: { result: 'WON' },
  })
}
