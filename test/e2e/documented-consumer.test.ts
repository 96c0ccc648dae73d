import { spawn } from 'node:child_process'
import { join } from 'node:path'
import t, { type Test } from 'tap'
import { documentedConsumer, subjectsOf } from '../nats/documented.ts'
import { startNatsServers } from '../nats/servers.ts'
import { withManager } from '../nats/stream.ts'
import { newDataDir, newMerchant, startService } from './service.ts'

const root = join(import.meta.dirname, '../../..')

/** Runs the program of the documentation, and answers the lines that it prints as they come. */
const run = (t: Test, env: Record<string, string>) => {
  const args = ['--input-type=module', '--eval', documentedConsumer()]
  const child = spawn(process.execPath, args, { cwd: root, env: { ...process.env, ...env } })
  let output = ''
  let wake: () => void = () => undefined
  const keep = (chunk: Buffer): void => {
    output += chunk
    wake()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const exited = new Promise((resolve) => child.once('exit', resolve))
  const stop = () => {
    child.kill()
    return exited
  }
  t.teardown(stop)
  const lines = () => output.split('\n').slice(0, -1)
  return {
    stop,
    /** The test's own time limit is the bound. */
    lines: async (count: number) => {
      while (lines().length < count) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return lines()
    },
  }
}

t.test('the consumer of the documentation hears everything of one company, and nothing else', async (t) => {
  const dataDir = newDataDir(t)
  const first = await startService(t, { dataDir })
  const shop = await newMerchant(first)
  const other = await newMerchant(first)
  await first.kill('SIGTERM')
  const mayPublish = subjectsOf('the reader above')
    .map((subject) => JSON.stringify(subject.replace('cmp_…', shop.company.id)))
    .join()
  const servers = await startNatsServers(1, {
    config: `accounts { PAY { jetstream: enabled, users: [
      { user: pay, password: "of the service" }
      { user: reader, password: "none", permissions: {
        publish: [${mayPublish}], subscribe: ["_INBOX.>"] } } ] } }
      no_auth_user: reader`,
    client: { user: 'pay', pass: 'of the service' },
  })
  t.teardown(servers.stop)
  const env = { NATS_URL: servers.url, NATS_USER: 'pay', NATS_PASSWORD: 'of the service' }
  const service = await startService(t, { dataDir, env, connected: ['PIX'] })
  const production = await service.operate('keys create', {
    company: shop.company.id,
    environment: 'production',
  })
  const charge = async (secret: string): Promise<string> => {
    const response = await fetch(`${service.origin}/v1/pix/charges`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${secret}`, 'Content-Type': 'application/json' },
      body: '{"amount":100}',
    })
    t.equal(response.status, 201)
    return ((await response.json()) as { id: string }).id
  }
  const prefix = `pay.events.sandbox.${shop.company.id}`
  const heard = (lines: readonly string[]) =>
    lines.map((line) => {
      const [subject, ...body] = line.split(' ')
      return [subject, JSON.parse(body.join(' ')).data.id]
    })
  const bothOf = (id: string) => [
    [`${prefix}.payment.created`, id],
    [`${prefix}.payment.pending`, id],
  ]

  const one = await charge(shop.key.secret)
  await charge(other.key.secret)
  await charge(production.secret)
  const two = await charge(shop.key.secret)
  const reader = { NATS_URL: servers.url, COMPANY: shop.company.id }
  const running = run(t, reader)
  t.strictSame(heard(await running.lines(4)), [one, two].flatMap(bothOf))
  await running.stop()
  const three = await charge(shop.key.secret)
  const again = run(t, reader)
  t.strictSame(heard(await again.lines(2)), bothOf(three), 'it goes on where it was')

  const elsewhere = { durable_name: 'books', filter_subject: `pay.events.sandbox.${other.company.id}.>` }
  await t.rejects(
    withManager(servers.url, (manager) => manager.consumers.add('PAY_EVENTS', elsewhere)),
    /Permissions Violation/,
    'it may not look at another company',
  )
})
