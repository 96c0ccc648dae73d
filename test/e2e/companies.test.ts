import t from 'tap'
import { killAndRestart } from './kill-and-restart.ts'
import {
  type Call,
  caller,
  newMerchant,
  posted,
  type Service,
  startReceiver,
  startService,
} from './service.ts'

/** What so many requests at once are answered, over as many connections as that takes: of every worker. */
const statusesOf = async (call: Call): Promise<readonly number[]> => {
  const answers = await Promise.all(Array.from({ length: 24 }, () => call('GET', '/v1/transactions')))
  return [...new Set(answers.map(({ status }) => status))]
}

t.test('a suspended company is answered 401 by every worker, and its due work goes on', async (t) => {
  const env = { WORKERS: '3' }
  let service = await startService(t, { env })
  const { company, key, call } = await newMerchant(service)
  const other = await newMerchant(service, { name: 'Another' })
  const receiver = await startReceiver(t)
  const target = {
    company: company.id,
    environment: 'sandbox',
    url: receiver.url,
    events: 'payment.approved',
  }
  await service.operate('webhooks create', target)
  const charge = await posted(call, '/v1/pix/charges', {
    amount: 1990,
    metadata: { sandboxScenario: 'paid' },
  })
  t.match(await service.command('companies', 'suspend', company.id), { status: 'SUSPENDED' })
  t.strictSame(await statusesOf(call), [401])
  t.strictSame(await statusesOf(other.call), [200], 'nobody else is')
  const { body } = await call('GET', '/v1/transactions')
  const unknown = await caller(service.origin, `svc_test_${'0'.repeat(49)}`)('GET', '/v1/transactions')
  t.match(body, { code: 'UNAUTHORIZED', detail: unknown.body.detail }, 'without a hint why')
  const [heard] = await receiver.count(1)
  t.match(heard!.event.data, { id: charge.id, status: 'APPROVED' })

  service = await killAndRestart(t, service, env, 'suspended')
  const again = caller(service.origin, key.secret)
  t.strictSame(await statusesOf(again), [401], 'after a start, too')
  t.match(await service.command('companies', 'get', company.id), { status: 'SUSPENDED' })
  t.match(await service.command('companies', 'resume', company.id), { status: 'ACTIVE', suspendedAt: null })
  t.strictSame(await statusesOf(again), [200])
})

t.test('a rolled key works until its overlap is over; a revoked one no more, at every worker', async (t) => {
  const env = { WORKERS: '3' }
  let service = await startService(t, { env })
  const { key } = await newMerchant(service, { scopes: 'transactions.read' })
  const with_ = (secret: string): Call => caller(service.origin, secret)
  const rolled = await service.command('keys', 'roll', key.id)
  t.match(rolled, { scopes: ['transactions.read'], rolledFrom: key.id, clientId: key.clientId })
  t.strictSame(await statusesOf(with_(key.secret)), [200])
  t.strictSame(await statusesOf(with_(rolled.secret)), [200])
  t.equal(
    (await with_(rolled.secret)('POST', '/v1/pix/charges', { amount: 1 })).status,
    403,
    'the same scopes',
  )
  const basic = Buffer.from(`${key.clientId}:${rolled.secret}`).toString('base64')
  t.equal(
    (await with_('')('GET', '/v1/transactions', undefined, { Authorization: `Basic ${basic}` })).status,
    200,
  )

  const next = await service.command('keys', 'roll', rolled.id, '--overlap', '0s')
  t.strictSame(await statusesOf(with_(rolled.secret)), [401], 'without an overlap at once')
  t.strictSame(await statusesOf(with_(key.secret)), [200], 'the first one has its day')
  await t.rejects(service.command('keys', 'roll', key.id), /was rolled already, into key_/)

  await service.command('keys', 'revoke', key.id)
  t.strictSame(await statusesOf(with_(key.secret)), [401])
  service = await killAndRestart(t, service, env, 'keys rolled')
  t.strictSame(await statusesOf(with_(next.secret)), [200])
  for (const secret of [key.secret, rolled.secret]) t.strictSame(await statusesOf(with_(secret)), [401])
  const { data } = await service.command('keys', 'list')
  t.strictSame(
    data.map(({ status }: { status: string }) => status),
    ['ACTIVE', 'EXPIRED', 'REVOKED'],
  )
  t.notMatch(JSON.stringify(data), /svc_test_|secretHash/)
})

t.test(
  'a changed company: QR codes, products and fees are those of now, charges of before keep their fee',
  async (t) => {
    let service: Service = await startService(t)
    const { company, key, call } = await newMerchant(service, { products: 'PIX,CARD,BOLETO' })
    const before = await posted(call, '/v1/pix/charges', { amount: 10_000 })
    const card = { token: 'tok_test_approved', brand: 'VISA', last4: '4242' }
    const authorized = await posted(call, '/v1/card-payments', { amount: 10_000, card, capture: false })
    const update = [
      ...['--name', 'Padaria Sao Jose', '--city', 'Olinda', '--pix-fee', '50', '--boleto-fee', '150'],
      ...['--card-fee', 'VISA=200/250/300', '--card-fee', 'ELO=1/2/3/4'],
      ...[
        '--street',
        'Rua A',
        '--number',
        '1',
        '--district',
        'Centro',
        '--state',
        'PE',
        '--zip',
        '53020-140',
      ],
    ]
    const changed = await service.command('companies', 'update', company.id, ...update)
    t.match(changed, {
      name: 'Padaria Sao Jose',
      address: { city: 'Olinda', state: 'PE', zip: '53020140', complement: null },
      fees: { pixBps: 50, boletoAmount: '150', cards: { ELO: { credit: [1, 2, 3], debit: 4 } } },
    })

    const hasChanged = async (call: Call): Promise<void> => {
      const after = await posted(call, '/v1/pix/charges', { amount: 10_000 })
      t.match(after.copyPaste, /5916Padaria Sao Jose6006Olinda/)
      const pay = (id: string) => posted(call, `/v1/sandbox/pix/charges/${id}/pay`, {})
      t.match(await pay(after.id), { feeAmount: '50' })
      const fees = await call('GET', '/v1/cards/fees')
      t.match(fees.body, { effectiveFrom: changed.fees.effectiveFrom })
      t.strictSame(
        fees.body.fees
          .filter(({ brand }: { brand: string }) => brand === 'VISA' || brand === 'ELO')
          .map(
            (line: any) =>
              `${line.brand} ${line.type} ${line.installmentsFrom}-${line.installmentsTo}: ${line.percentBps}`,
          ),
        [
          'VISA CREDIT 1-1: 200',
          'VISA CREDIT 2-6: 250',
          'VISA CREDIT 7-12: 300',
          'VISA DEBIT 1-1: 199',
          'ELO CREDIT 1-1: 1',
          'ELO CREDIT 2-6: 2',
          'ELO CREDIT 7-12: 3',
          'ELO DEBIT 1-1: 4',
        ],
      )
      t.match(await posted(call, '/v1/card-payments', { amount: 10_000, card, installments: 6 }), {
        feeAmount: '250',
      })
    }
    await hasChanged(call)
    service = await killAndRestart(t, service, {}, 'changed')
    const again = caller(service.origin, key.secret)
    await hasChanged(again)
    t.match(await posted(again, `/v1/sandbox/pix/charges/${before.id}/pay`, {}), { feeAmount: '99' })
    t.match(await posted(again, `/v1/card-payments/${authorized.id}/capture`, {}), { feeAmount: '319' })

    const off = ['companies', 'update', company.id, '--products', 'CARD=DISABLED', '--environment', 'sandbox']
    t.match(await service.command(...off), {
      products: { SANDBOX: { CARD: 'DISABLED', PIX: 'ACTIVE' }, PRODUCTION: { CARD: 'ACTIVE' } },
    })
    t.match(await again('GET', '/v1/cards/fees'), { status: 403, body: { code: 'PRODUCT_NOT_ACTIVE' } })
    t.match(await service.command('companies', 'update', company.id, '--no-address'), { address: null })
    await t.rejects(
      service.command('companies', 'update', company.id, '--card-fee', 'VISA=1'),
      /Write VISA=319/,
    )
    t.equal((await service.command('companies', 'list')).data.length, 1)
  },
)
