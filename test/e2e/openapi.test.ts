import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import createClient from 'openapi-fetch'
import t from 'tap'
import { newMerchant, oneWorker, startService } from './service.ts'

const root = join(import.meta.dirname, '../../..')

const run = (command: string, ...args: string[]): Promise<{ code: number; output: string }> =>
  new Promise((resolve) => {
    execFile(command, args, { cwd: root }, (error, stdout, stderr) =>
      resolve({ code: error ? 1 : 0, output: stdout + stderr }),
    )
  })

const npx = (command: string, ...args: string[]) => run('npx', '--no-install', command, ...args)

t.test(
  'the OpenAPI document passes lint, and a client made from it creates and reads a charge',
  async (t) => {
    const service = await startService(t, { env: oneWorker })
    const { key, call } = await newMerchant(service)
    const folder = mkdtempSync(join(root, 'dist', 'openapi-'))
    t.teardown(() => rmSync(folder, { recursive: true, force: true }))
    const file = join(folder, 'openapi.json')
    writeFileSync(file, JSON.stringify((await call('GET', '/openapi.json')).body))

    // A fixed segment wins over an id: /v1/team/invitations/{id} is beside /v1/team/{id}/end-sessions.
    const lint = await npx('redocly', 'lint', '--skip-rule', 'no-ambiguous-paths', file)
    t.equal(lint.code, 0, lint.output)
    t.notMatch(lint.output, /\d+ warnings?\b/i, 'without warnings')

    const types = await npx('openapi-typescript', file, '-o', join(folder, 'api.ts'))
    t.equal(types.code, 0, types.output)
    writeFileSync(
      join(folder, 'use.ts'),
      `import type { components, paths, webhooks } from './api.ts'
import createClient from 'openapi-fetch'
type Schemas = components['schemas']
const client = createClient<paths>({ baseUrl: '' })
const body: Schemas['CreatePixChargeRequest'] = { amount: 5, description: 'typed' }
export const use = async (): Promise<Schemas['PixCharge']> => {
  const { data, error } = await client.POST('/v1/pix/charges', { body })
  if (error) throw new Error((error satisfies Schemas['Problem']).code)
  // What is created is answered in a few members to those who prefer that.
  if (!('pix' in data)) throw new Error(data.id)
  const charge: Schemas['PixCharge'] = data
  const found = await client.GET('/v1/pix/charges/{id}', { params: { path: { id: charge.id } } })
  const status: Schemas['TransactionStatus'] | undefined = found.data?.status
  const bank: string | undefined = found.data?.pix.payer?.ispb
  const rows: Schemas['Boleto'][] = (await client.GET('/v1/boletos')).data?.data ?? []
  return status === 'APPROVED' || bank === '00000000' || rows[0]?.boleto.daysOverdue === 0 ? charge : data
}
type Approved = webhooks['payment.approved']['post']['requestBody']['content']['application/json']
export const hear = (event: Approved): Schemas['PaymentEventData'] => event.data
export const boleto = (customer: Schemas['BoletoCustomerInput']): string => customer.document
export type Rest = [
  Schemas['PixDeposit'], Schemas['CardPayment'], Schemas['Transaction'], Schemas['Refund'], Schemas['Chargeback'],
  Schemas['Med'], Schemas['ReceivedPix'], Schemas['Customer'], Schemas['Plan'], Schemas['Subscription'],
  Schemas['Invoice'], Schemas['Attempt'], Schemas['Coupon'], Schemas['DunningPolicy'], Schemas['Recipient'],
  Schemas['SplitRule'], Schemas['SplitTransfer'], Schemas['Receivable'], Schemas['TransactionList'],
]
`,
    )
    const options = [
      '--noEmit',
      '--strict',
      '--module',
      'nodenext',
      '--allowImportingTsExtensions',
      '--skipLibCheck',
    ]
    // By its path: two versions of the compiler are installed, and both call themselves tsc.
    const compiler = join(root, 'node_modules/typescript-native/bin/tsc')
    const compiled = await run(
      process.execPath,
      compiler,
      '--ignoreConfig',
      ...options,
      '--target',
      'es2022',
      '--lib',
      'es2023,dom',
      join(folder, 'use.ts'),
    )
    t.equal(compiled.code, 0, compiled.output)

    const client = createClient<any>({
      baseUrl: service.origin,
      headers: { Authorization: `Bearer ${key.secret}` },
    })
    const { data } = await client.POST('/v1/pix/charges', { body: { amount: 5 } } as never)
    const { id } = data as unknown as { id: string }
    const found = await client.GET('/v1/pix/charges/{id}', { params: { path: { id } } } as never)
    t.match(found.data, { id, status: 'PENDING' })
  },
)
