import t from 'tap'
import { drawingOf } from '../gateway/documents/pdf-reader.ts'
import { newMerchant, oneWorker, startService } from './service.ts'

const address = {
  street: ' Rua do Sol ',
  number: '12',
  complement: 'ap. 3',
  district: 'Carmo',
  city: 'Olinda',
  state: 'PE',
  zip: '53020-140',
}
const kept = { ...address, street: 'Rua do Sol', zip: '53020140' }

t.test('a payer’s address is kept as it was sent, and boletos are printed with it', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call, key } = await newMerchant(service)
  const customer = { name: 'Ana Souza', document: '529.982.247-25', address }

  const registered = await call('POST', '/v1/customers', customer)
  t.match(registered, { status: 201, body: { address: kept } })
  const dueDate = new Date(Date.now() + 10 * 86_400_000).toISOString().slice(0, 10)
  const boleto = await call('POST', '/v1/boletos', { amount: 5000, dueDate, customerId: registered.body.id })
  t.match(boleto, { status: 201, body: { customer: { address: kept } } })
  const pdf = await fetch(`${service.origin}/v1/boletos/${boleto.body.id}/pdf`, {
    headers: { Authorization: `Bearer ${key.secret}` },
  })
  const { texts } = drawingOf(Buffer.from(await pdf.arrayBuffer()), () => 0)
  t.ok(
    texts.some(({ text }) => text.includes('Rua do Sol, 12, ap. 3 – Carmo – Olinda – PE – CEP 53020-140')),
    texts.map(({ text }) => text).join(' | '),
  )

  const charge = await call('POST', '/v1/pix/charges', { amount: 100, customer: { name: 'Ana' } })
  t.match(charge, { status: 201, body: { customer: { address: null } } })
  const wrong = async (change: object): Promise<unknown> => {
    const { body } = await call('POST', '/v1/customers', { ...customer, address: { ...address, ...change } })
    return body.errors?.map(({ field }: { field: string }) => field)
  }
  t.strictSame(await wrong({ zip: '5302' }), ['address.zip'])
  t.strictSame(await wrong({ state: 'XX' }), ['address.state'])
  t.strictSame(await wrong({ street: undefined }), ['address.street'])
  t.strictSame(await wrong({ district: 'x'.repeat(61) }), ['address.district'])
})
