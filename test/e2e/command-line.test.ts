import { execFile, spawn } from 'node:child_process'
import { createHash, createHmac } from 'node:crypto'
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import t, { type Test } from 'tap'
import { askPage } from '../checkout/payer.ts'
import { requireProgram } from '../docs/programs.ts'
import {
  newMerchant,
  oneWorker,
  posted,
  type Scope,
  type Service,
  startReceiver,
  startService,
} from './service.ts'

const main = resolve(import.meta.dirname, '../../gateway/program/main.js')
const run = promisify(execFile)

/** A command that goes on until it is told to end, as Ctrl-C does. */
const running = (t: Scope, dataDir: string, ...args: string[]) => {
  const child = spawn(process.execPath, [main, ...args], { env: { ...process.env, DATA_DIR: dataDir } })
  t.teardown(() => void child.kill('SIGKILL'))
  let printed = ''
  let wake = (): void => undefined
  child.stdout.on('data', (chunk: Buffer) => {
    printed += chunk
    wake()
  })
  const ended = new Promise<number | null>((resolve) => child.once('exit', resolve))
  return {
    /** Resolves with all that was printed, when that fits. */
    prints: async (expected: RegExp): Promise<string> => {
      while (!expected.test(printed)) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
      }
      return printed
    },
    interrupt: () => {
      child.kill('SIGINT')
      return ended
    },
  }
}

t.test(
  'listen forwards what happens to a server of the developer, signed, and trigger makes it happen',
  async (t) => {
    const service = await startService(t, { env: oneWorker })
    const { company } = await newMerchant(service)
    const receiver = await startReceiver(t, ({ event }) => (event.type === 'payment.approved' ? 500 : 200))
    const secret = 'whsec_of_my_own'
    const listening = running(t, service.dataDir, 'listen', '--forward-to', receiver.url, '--secret', secret)
    await listening.prints(/signed with whsec_of_my_own/)
    const made = await service.command('trigger', 'payment.approved')
    t.match(made, { event: 'payment.approved', companyId: company.id, sample: false })
    await service.command('trigger', 'crypto.received')
    const printed = await listening.prints(/crypto\.received[^\n]*\n +→ 200/)
    t.match(printed, new RegExp(`payment\\.approved +evt_[0-9A-Z]+ +${made.of}\n +→ 500 in \\d+ ms: thanks`))
    t.match(receiver.heard.map(({ event }) => event.type).slice(0, 2), ['payment.created', 'payment.pending'])
    for (const { headers, body, event } of receiver.heard) {
      const [, time, mac] = /^t=(\d+),v1=([0-9a-f]{64})$/.exec(headers['service-signature'] as string)!
      t.equal(mac, createHmac('sha256', secret).update(`${time}.${body}`).digest('hex'))
      t.equal(headers['service-event'], event.type)
      t.match(headers['service-delivery'], /^dlv_[0-9A-Z]{26}$/)
    }
    t.equal(await listening.interrupt(), 0)
  },
)

t.test(
  'logs shows requests as they are answered; sandbox pay, links and clock do what they do by the API',
  async (t) => {
    const service = await startService(t, { env: { WORKERS: '2' } })
    const { call, company } = await newMerchant(service)
    const logs = running(t, service.dataDir, 'logs', '--status', '4xx')
    await logs.prints(/Waiting for requests/)
    const { id } = await posted(call, '/v1/pix/charges', { amount: 1990 })
    await call('POST', '/v1/pix/charges', { amount: 19.9 })
    const line =
      /^\d\d:\d\d:\d\d\.\d{3} {2}400 {2}POST +\/v1\/pix\/charges {2}VALIDATION_ERROR {2}\d+ ms {2}req_\w{26}$/m
    const printed = await logs.prints(line)
    t.notMatch(printed, / 201 /, 'and no others')
    t.equal(await logs.interrupt(), 0)
    t.match(await service.command('sandbox', 'pay', id), { id, status: 'APPROVED' })
    const what = [
      '--title',
      'Curso',
      '--amount',
      '24900',
      '--methods',
      'PIX,CREDIT_CARD',
      '--installments',
      '3',
    ]
    const link = await service.command('links', 'create', '--environment', 'sandbox', ...what)
    const read = (await call('GET', `/v1/payment-links/${link.id}`)).body
    t.strictSame(link, read, 'the address, too, is that of the service')
    t.match(read, { installments: { max: 3, interestFreeUpTo: 3 }, methods: ['PIX', 'CREDIT_CARD'] })
    const look = ['--accent', '#1F7A5A', '--portal-cancel', 'yes']
    t.match(await service.command('companies', 'checkout', company.id, ...look), { accent: '#1f7a5a' })
    t.match((await call('GET', '/v1/checkout-branding')).body, { portal: { cancel: true, changeCard: true } })
    await attestsItsPages(t, service)
    const advanced = await service.command('sandbox', 'clock', '--by', 'P1D')
    t.ok(Math.round(advanced.offsetSeconds) === 86_400)
    t.match(await service.command('sandbox', 'clock', '--reset'), { offsetSeconds: 0 })
  },
)

/** An attestation is signed, can be checked later, and says when it was changed or the pages were. */
const attestsItsPages = async (t: Test, service: Service) => {
  const first = await service.command('checkout', 'attest')
  t.match(first.reports, { since: /^\d{4}-/, count: 0 })
  const host = new URL(first.origin).host
  await askPage(service, 'POST', `${first.origin}/csp-report`, { form: {}, headers: { Host: host } })
  const kept = await service.command('checkout', 'attest')
  t.equal(kept.reports.count, 1, 'a report is counted')
  const script = kept.files.find(({ where }: { readonly where: string }) => where === 'PAGE')
  const { body } = await askPage(service, 'GET', first.origin + script.path)
  t.equal(script.integrity, `sha384-${createHash('sha384').update(body).digest('base64')}`)
  const folder = t.testdir()
  const check = (attestation: object) => {
    const file = join(folder, 'attestation.json')
    writeFileSync(file, JSON.stringify(attestation))
    return service.command('checkout', 'attest', '--verify', file)
  }
  t.match(await check(kept), { signature: 'VALID', signer: 'THIS_SERVICE', changed: [] })
  const forged = { ...kept, files: [{ ...script, integrity: 'sha384-AAAA' }, ...kept.files.slice(1)] }
  await t.rejects(check(forged), { message: /"signature":"INVALID".*"changed":\["\/assets\// })
  await t.rejects(check({ ...kept, publicKey: 'AAAA' }), { message: /"INVALID","signer":"ANOTHER"/ })
}

t.test('export writes every transaction to a file, as the API does', async (t) => {
  const service = await startService(t, { env: oneWorker })
  const { call, key } = await newMerchant(service, { scopes: 'charges.create,transactions.export' })
  for (let n = 0; n < 250; n++) await posted(call, '/v1/pix/charges', { amount: 100 + n })
  const file = join(t.testdir(), 'transactions.csv')
  const env = { ...process.env, DATA_DIR: service.dataDir }
  const { stdout } = await run(process.execPath, [main, 'export', file, '--environment', 'sandbox'], { env })
  t.equal(stdout, `250 transactions in ${file}\n`)
  const exported = await fetch(`${service.origin}/v1/transactions/export?sort=createdAt:asc`, {
    headers: { Authorization: `Bearer ${key.secret}` },
  })
  t.equal(readFileSync(file, 'utf8'), await exported.text())
  const gone = run(process.execPath, [main, 'export', join(file, 'x'), '--environment', 'sandbox'], { env })
  await t.rejects(gone, { code: 1, stderr: /^payments: ENOTDIR/ })
})

t.test('a shell completes commands, options and their values', async (t) => {
  const bin = join(t.testdir(), 'bin')
  mkdirSync(bin)
  writeFileSync(join(bin, 'payments'), `#!/bin/sh\nexec '${process.execPath}' '${main}' "$@"\n`)
  chmodSync(join(bin, 'payments'), 0o755)
  const env = { ...process.env, PATH: `${bin}:${process.env.PATH}` }
  requireProgram(['test', '-e', '/usr/share/bash-completion/bash_completion'], 'bash-completion')
  requireProgram(['fish', '--version'], 'fish')
  requireProgram(['zsh', '--version'], 'zsh')
  const lines = async (shell: string, script: string): Promise<string[]> => {
    const { stdout } = await run(shell, ['-c', script], { env })
    return stdout.trim().split('\n')
  }

  const bash = (words: string): Promise<string[]> =>
    lines(
      'bash',
      `source /usr/share/bash-completion/bash_completion
      source <(payments completion bash)
      COMP_WORDS=(payments ${words}); COMP_CWORD=$((\${#COMP_WORDS[@]} - 1))
      COMP_LINE="payments ${words}"; COMP_POINT=\${#COMP_LINE}
      __payments_complete 2> /dev/null; printf '%s\\n' "\${COMPREPLY[@]}"`,
    )
  t.strictSame(await bash('webhooks ro'), ['rotate'])
  const fish = await lines(
    'fish',
    'payments completion fish | source; complete -C "payments keys create --environment "',
  )
  t.strictSame(fish.sort(), ['production', 'sandbox'])
  await run('zsh', ['-c', 'payments completion zsh > script.zsh && zsh -n script.zsh'], {
    env,
    cwd: bin,
  })
  t.match(readFileSync(join(bin, 'script.zsh'), 'utf8'), /^#compdef payments/)
})
