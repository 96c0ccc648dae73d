import { join } from 'node:path'
import t from 'tap'
import { newMerchant, startReceiver, startService } from '../e2e/service.ts'
import { type Landmark, walkOf, watchWay } from './way.ts'

/** What happens to a charge between the socket and the disk, by where it happens. */
const toTheDisk: readonly Landmark[] = [
  { file: 'gateway/identity/authenticate.ts', line: 'export const authenticate = ' },
  { file: 'gateway/schema/json.ts', line: 'export const readJson = ' },
  { file: 'gateway/schema/schema.ts', line: 'return (value) => ', text: 'validate(' },
  { file: 'gateway/routes/charge-input.ts', line: 'export const readCharge = ' },
  { file: 'gateway/routes/charge-input.ts', line: 'export const createChargeCommand = ', text: '({' },
  { file: 'persistence/shard/memory.ts', line: 'const findReply = ' },
  { file: 'engine/payments/methods/pix/decide.ts', line: 'export const createPix = ' },
  { file: 'engine/payments/methods/pix/charge.ts', line: 'export const issuePix = ' },
  { file: 'engine/payments/methods/pix/evolve.ts', line: 'ChargeIssued: ' },
  { file: 'persistence/journal/journal.ts', line: 'const append = ' },
  { file: 'persistence/shard/memory.ts', line: 'const keep = ' },
  { file: 'persistence/journal/journal.ts', line: 'const write = async' },
]

/** What happens then, until the merchant's server hears of it. */
const toTheWebhook: readonly Landmark[] = [
  { file: 'gateway/events/body.ts', line: 'export const eventBody = ' },
  { file: 'engine/webhooks/decide.ts', line: 'const scheduleDeliveries = ' },
  { file: 'gateway/webhooks/pool.ts', line: 'const enqueue = ' },
  { file: 'gateway/webhooks/headers.ts', line: 'export const sign = ' },
]

/** The bundle has many modules in one file. */
const unbundled = join(import.meta.dirname, '../../gateway/runtime/main.js')

t.test('the way of a PIX charge is short, and seldom leads back', async (t) => {
  const env = { WORKERS: '1', NODE_OPTIONS: '--inspect=127.0.0.1:0' }
  const service = await startService(t, { env, program: unbundled })
  const { company, call } = await newMerchant(service)
  const receiver = await startReceiver(t)
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url: receiver.url })
  const charge = () => call('POST', '/v1/pix/charges', { amount: 1990 }, { 'Idempotency-Key': `${++keys}` })
  let keys = 0
  // The debugger stops only in code that has been loaded.
  await charge()
  await receiver.count(2)
  const paths = await watchWay(service, [...toTheDisk, ...toTheWebhook])
  await charge()
  await receiver.count(4)

  const isReached = (landmark: Landmark) => paths.some(({ to }) => to === landmark)
  for (const landmark of [...toTheDisk, ...toTheWebhook])
    t.ok(isReached(landmark), `the way leads to ${landmark.file}, ${landmark.line}`)
  const disk = walkOf(paths.slice(0, paths.findIndex(({ to }) => to === toTheDisk.at(-1)) + 1))
  t.ok(disk.rooms.length <= 26, `${disk.rooms.length} files to the disk: ${disk.rooms.join(', ')}`)
  t.ok(disk.returns.length <= 3, `${disk.returns.length} returns: ${disk.returns.join(', ')}`)
  const webhook = walkOf(paths)
  t.ok(
    webhook.rooms.length <= 36,
    `${webhook.rooms.length} files to the webhook: ${webhook.rooms.join(', ')}`,
  )
})
