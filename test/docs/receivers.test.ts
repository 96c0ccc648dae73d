import { spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import t, { type Test } from 'tap'
import { portsFrom } from '../../gateway/local-cluster/ports.ts'
import { newMerchant, startService } from '../e2e/service.ts'
import { blocksOf, readDocument } from './documents.ts'
import { requireProgram } from './programs.ts'

/** What runs the receivers of the documentation: a command that shows that it is there, and Debian's packages of it. */
const programs: Readonly<Record<string, readonly [command: readonly string[], ...debianPackages: string[]]>> =
  {
    node: [['node', '--version'], 'nodejs'],
    python3: [['python3', '--version'], 'python3'],
    php: [['php', '--version'], 'php-cli'],
    java: [['javac', '-version'], 'default-jdk-headless'],
    go: [['go', 'version'], 'golang-go'],
    ruby: [['ruby', '-rwebrick', '-e', '1'], 'ruby', 'ruby-webrick'],
  }

const blocks = blocksOf(readDocument('en/webhooks.md'))
const programsNamed = (name: RegExp) =>
  blocks
    .filter(({ fileName }) => name.test(fileName))
    .map(({ fileName, text }) => {
      const command = blocks.find((block) => block.notRun !== null && block.text.endsWith(` ${fileName}`))
      return { fileName, text, command: command?.text ?? '' }
    })

const receivers = programsNamed(/^receiver\./i)

const get = (port: number): Promise<boolean> =>
  fetch(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' }).then(
    () => true,
    () => false,
  )

/** Starts a program as the page says, on another port; answers its lines as they come. */
const start = async (
  t: Test,
  { fileName, text, command }: (typeof receivers)[number],
  secret: string,
  port: number,
) => {
  const folder = mkdtempSync(join(tmpdir(), 'receiver-'))
  writeFileSync(join(folder, fileName), text.replaceAll('9000', String(port)))
  symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
  const [program = '', ...args] = command.replaceAll('9000', String(port)).split(' ')
  // A group of its own: some of these programs start others.
  const child = spawn(program, args, {
    cwd: folder,
    detached: true,
    env: { ...process.env, WEBHOOK_SECRET: secret, GOCACHE: join(tmpdir(), 'go-cache') },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  let errors = ''
  let wake = (): void => undefined
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk
    wake()
  })
  child.stderr.on('data', (chunk: Buffer) => {
    errors += chunk
  })
  const exited = new Promise<void>((resolve) => child.once('close', () => resolve()))
  t.teardown(async () => {
    if (!t.passing()) console.error(errors)
    try {
      process.kill(-child.pid!, 'SIGKILL')
    } catch {
      // It has ended by itself.
    }
    await exited
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 })
  })
  while (!(await get(port))) {
    if (child.exitCode !== null) throw new Error(`${command} ended: ${errors}`)
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    heard: async (text: string): Promise<void> => {
      while (!output.includes(text)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
    },
    output: () => output,
  }
}

t.test('there is a receiver for each language', async (t) => {
  t.strictSame(
    receivers.map(({ command }) => command.split(' ')[0]),
    Object.keys(programs),
  )
})

t.test('every receiver of the documentation takes real deliveries, and refuses forged ones', async (t) => {
  for (const [command, ...debianPackages] of Object.values(programs))
    requireProgram(command, ...debianPackages)
  const service = await startService(t)
  const { company, call } = await newMerchant(service)
  for (const receiver of receivers) {
    await t.test(receiver.fileName, async (t) => {
      const [port] = await portsFrom(0, 1)
      const endpoint = await service.operate('webhooks create', {
        company: company.id,
        environment: 'sandbox',
        url: `http://127.0.0.1:${port}/hook`,
      })
      const { secret } = endpoint
      const { heard, output } = await start(t, receiver, secret, port!)
      const { body: charge } = await call('POST', '/v1/pix/charges', { amount: 1990, description: 'Açaí' })
      await heard('payment.pending')
      t.match(output(), /payment\.created/)
      if (receiver.fileName !== 'Receiver.java') t.match(output(), charge.id)
      const before = output()
      const forged = '{"type":"payment.approved","data":{"id":"forged"}}'
      const now = Math.floor(Date.now() / 1000)
      const signed = (seconds: number, key = secret): string =>
        createHmac('sha256', key).update(`${seconds}.${forged}`).digest('hex')
      const statusOf = async (signature: string): Promise<number> => {
        const headers = {
          'Service-Event': 'payment.approved',
          ...(signature && { 'Service-Signature': signature }),
        }
        return (await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers, body: forged })).status
      }
      const refused = {
        'no signature': '',
        'another secret': `t=${now},v1=${signed(now, 'whsec_other')}`,
        'another time': `t=${now + 1},v1=${signed(now)}`,
        'more than five minutes ago': `t=${now - 400},v1=${signed(now - 400)}`,
        'no time': `v1=${signed(now)}`,
        'no v1': `t=${now}`,
        'an empty v1': `t=${now},v1=`,
        'a longer v1': `t=${now},v1=${signed(now)}0`,
        'not a time': `t=now,v1=${signed(now)}`,
      }
      for (const [what, signature] of Object.entries(refused)) t.equal(await statusOf(signature), 400, what)
      t.equal(output().replace(before, '').includes('forged'), false)
      t.equal(
        await statusOf(`t=${now},v1=${signed(now, 'whsec_new')},v1=${signed(now)}`),
        204,
        'during a rotation',
      )
    })
  }

  await t.test('standard.mjs', async (t) => {
    const [receiver] = programsNamed(/^standard\.mjs$/)
    const [port] = await portsFrom(0, 1)
    const url = `http://127.0.0.1:${port}/hook`
    const { secret } = await service.operate('webhooks create', {
      company: company.id,
      environment: 'sandbox',
      url,
      signature: 'standard-webhooks',
    })
    const { heard, output } = await start(t, receiver!, secret, port!)
    await call('POST', '/v1/pix/charges', { amount: 1990, description: 'Açaí' })
    await heard('payment.pending')
    const forged = { 'webhook-id': 'evt_1', 'webhook-timestamp': String(Math.floor(Date.now() / 1000)) }
    const signature = `v1,${createHmac('sha256', 'other').update('x').digest('base64')}`
    for (const headers of [forged, { ...forged, 'webhook-signature': signature }])
      t.equal((await fetch(url, { method: 'POST', headers, body: '{"type":"forged"}' })).status, 400)
    t.notMatch(output(), /forged/)
  })
})
