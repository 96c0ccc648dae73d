import { inflateSync } from 'node:zlib'
import decodeQR from 'qr/decode.js'
import t from 'tap'
import { newMerchant, oneWorker, startService } from './service.ts'

/** What a reader makes of a PNG of ours. */
const decoded = (png: Buffer): string => {
  const side = png.readUInt32BE(16)
  const raw = inflateSync(png.subarray(png.indexOf('IDAT') + 4))
  const rowLength = 1 + Math.ceil(side / 8)
  const data = new Uint8Array(side * side * 4).fill(0xff)
  for (let y = 0; y < side; y++)
    for (let x = 0; x < side; x++)
      if (((raw[y * rowLength + 1 + (x >> 3)]! >> (7 - (x & 7))) & 1) === 0)
        data.fill(0, (y * side + x) * 4, (y * side + x) * 4 + 3)
  return decodeQR({ width: side, height: side, data }, { timeLimit: 10_000 })
}

t.test(
  'the image of a code is given once, when the charge is made, and after that where it is asked for',
  async (t) => {
    const service = await startService(t, { env: oneWorker })
    const { call, key } = await newMerchant(service)
    const image = async (path: string, accept?: string) => {
      const headers = {
        Authorization: `Bearer ${key.secret}`,
        ...(accept !== undefined && { Accept: accept }),
      }
      const response = await fetch(service.origin + path, { headers })
      return {
        status: response.status,
        headers: response.headers,
        bytes: Buffer.from(await response.arrayBuffer()),
      }
    }
    const customer = { name: 'Ana Souza', document: '12345678909' }
    const dueDate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
    const kinds = [
      { path: '/v1/pix/charges', body: { amount: 1990 } },
      { path: '/v1/pix/deposits', body: { amount: 1990 } },
      { path: '/v1/boletos', body: { amount: 1990, customer, dueDate } },
    ]
    for (const { path, body } of kinds) {
      const created = (await call('POST', path, body)).body
      const qrCodeUrl = `${path}/${created.id}/qr-code`
      const { copyPaste } = created
      t.match(created, { copyPaste: /^000201/, qrCodeUrl, pix: { copyPaste, qrCodeUrl } })
      t.equal(JSON.stringify(created).split('data:image/png').length, 2, `${path}: one image`)
      t.equal(
        decoded(Buffer.from(created.qrCode.slice(created.qrCode.indexOf(',') + 1), 'base64')),
        copyPaste,
      )

      const read = (await call('GET', `${path}/${created.id}`)).body
      t.match(read, { copyPaste, qrCodeUrl, pix: { copyPaste, qrCodeUrl } })
      const list = (await call('GET', path)).body
      t.match(list.data, [{ copyPaste, qrCodeUrl, pix: { copyPaste, qrCodeUrl } }])
      const transaction = (await call('GET', `/v1/transactions/${created.id}`)).body
      t.match(transaction, { pix: { copyPaste, qrCodeUrl } })
      for (const answer of [read, list, transaction])
        t.notOk(JSON.stringify(answer).includes('data:image'), path)
      const withImage = (await call('GET', `${path}/${created.id}?include=qrCode`)).body
      t.equal(withImage.qrCode, created.qrCode)
      t.equal((await call('GET', `${path}/${created.id}?include=x`)).status, 400)

      const png = await image(qrCodeUrl)
      t.match(png, { status: 200 })
      t.equal(png.headers.get('content-type'), 'image/png')
      t.equal(png.headers.get('cache-control'), 'private, max-age=31536000, immutable')
      t.equal(png.headers.get('vary'), 'Accept')
      t.equal(`data:image/png;base64,${png.bytes.toString('base64')}`, created.qrCode)
      for (const size of [2, 5, 16]) {
        const scaled = await image(`${qrCodeUrl}?size=${size}`, 'image/png')
        t.equal(scaled.bytes.readUInt32BE(16), (png.bytes.readUInt32BE(16) / 8) * size)
        t.equal(decoded(scaled.bytes), copyPaste, `${size} pixels`)
      }
      const svg = await image(qrCodeUrl, 'image/svg+xml')
      t.equal(svg.headers.get('content-type'), 'image/svg+xml')
      t.match(svg.bytes.toString(), /^<svg xmlns/)
      t.equal((await image(qrCodeUrl, 'application/json')).headers.get('content-type'), 'image/png')
      for (const size of ['1', '17', 'x']) t.equal((await image(`${qrCodeUrl}?size=${size}`)).status, 400)
      const head = await fetch(service.origin + qrCodeUrl, {
        method: 'HEAD',
        headers: { Authorization: `Bearer ${key.secret}` },
      })
      t.equal(head.headers.get('content-length'), String(png.bytes.length))
      t.equal((await fetch(service.origin + qrCodeUrl)).status, 401, 'an image needs a key, too')
    }
    const link = (await call('POST', '/v1/payment-links', { name: 'Curso', amount: 1990 })).body
    const qr = `/v1/payment-links/${link.id}/qr`
    const poster = await image(`${qr}?size=12`)
    t.equal(poster.headers.get('content-type'), 'image/png')
    t.equal(decoded(poster.bytes), link.url)
    for (const [asked, accept] of [
      [`${qr}?format=svg`, 'image/png'],
      [qr, 'image/svg+xml'],
    ] as const) {
      const svg = await image(asked, accept)
      t.equal(svg.headers.get('content-type'), 'image/svg+xml')
      t.match(svg.bytes.toString(), /^<svg xmlns/)
      t.match(svg.headers.get('content-disposition') ?? '', /qr-code-lnk_.*\.svg|^$/)
    }
    t.equal((await image(`${qr}?format=png`, 'image/svg+xml')).headers.get('content-type'), 'image/png')
    t.equal((await image(`${qr}?format=gif`)).status, 400)
    t.equal((await image(qr.replace(/lnk_.{3}/, 'lnk_AAA'))).status, 404)
    const replayed = { 'Idempotency-Key': 'once' }
    const first = await call('POST', '/v1/pix/charges', { amount: 5 }, replayed)
    const second = await call('POST', '/v1/pix/charges', { amount: 5 }, replayed)
    t.strictSame(second.body, first.body, 'a replay answers what was answered, with the image')

    const refused = await call('POST', '/v1/pix/charges', {
      amount: 5,
      metadata: { sandboxScenario: 'provider_error' },
    })
    t.match(refused.body, {
      status: 'FAILED',
      copyPaste: null,
      qrCode: null,
      qrCodeUrl: null,
      pix: { qrCodeUrl: null },
    })
    t.match(await call('GET', `/v1/pix/charges/${refused.body.id}/qr-code`), {
      status: 404,
      body: { resource: 'qr_code' },
    })
    const withoutPix = await newMerchant(service, { products: 'BOLETO' })
    const plain = await withoutPix.call('POST', '/v1/boletos', { amount: 5, customer, dueDate })
    t.match(plain.body, { status: 'REGISTERED', copyPaste: null, qrCode: null, qrCodeUrl: null, pix: null })
    t.match(await withoutPix.call('GET', `/v1/boletos/${plain.body.id}/qr-code`), { status: 404 })
    const byPix = { by: 'PIX' }
    t.match(await withoutPix.call('POST', `/v1/sandbox/boletos/${plain.body.id}/pay`, byPix), {
      status: 400,
      body: { errors: [{ field: 'by', code: 'INVALID_VALUE' }] },
    })
    const deposit = (await call('POST', '/v1/pix/deposits', { amount: 5 })).body
    t.equal((await call('GET', `/v1/pix/charges/${deposit.id}/qr-code`)).status, 404, 'of another family')
  },
)

t.test('a boleto can be paid by its QR code in the Sandbox', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call } = await newMerchant(service)
  const customer = { name: 'Ana Souza', document: '12345678909' }
  const dueDate = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 10)
  const issue = async () => (await call('POST', '/v1/boletos', { amount: 10_000, customer, dueDate })).body
  const { id } = await issue()
  const pay = (id: string, body: object) => call('POST', `/v1/sandbox/boletos/${id}/pay`, body)
  for (const [field, more] of [
    ['clearing', { clearing: 'NEXT_BUSINESS_DAY' }],
    ['paidAt', { paidAt: new Date().toISOString() }],
  ] as const)
    t.match(await pay(id, { by: 'PIX', ...more }), {
      status: 400,
      body: { errors: [{ field, code: 'MUTUALLY_EXCLUSIVE' }] },
    })
  t.match(await pay(id, { by: 'PIX', amount: 1 }), { status: 422, body: { code: 'AMOUNT_MISMATCH' } })
  const paid = await pay(id, { by: 'PIX', clearing: 'IMMEDIATE' })
  t.match(paid, { status: 200, body: { status: 'PAID', paidAmount: '10000', feeAmount: '299' } })
  const { endToEndId } = paid.body.pix
  const received = (await call('GET', '/v1/pix/received')).body.data
  t.match(received, [{ status: 'RECEIVED', transactionId: id, endToEndId, amount: '10000' }])
  t.match(await pay(id, { by: 'PIX' }), { status: 200, body: { status: 'PAID' } })
  const all = (await call('GET', '/v1/pix/received?status=RETURNED')).body.data
  t.match(all, [{ status: 'RETURNED', returnReason: 'DUPLICATE_PAYMENT', transactionId: id }])
  const other = await issue()
  t.match(await pay(other.id, {}), { status: 200, body: { status: 'PAID', pix: { endToEndId: null } } })
})
