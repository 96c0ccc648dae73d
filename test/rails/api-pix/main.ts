import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { startSimulatedBank } from './start.ts'

/**
 * Starts a bank as a process of its own, on the machine's time: `node dist/test/rails/api-pix/main.js --bank efi --folder /tmp/efi`.
 * Certificates and credentials are written to the folder; the last line of the output is JSON with all that a client needs.
 */
const { values } = parseArgs({
  options: {
    bank: { type: 'string', default: 'plain' },
    folder: { type: 'string', default: 'rail' },
    port: { type: 'string', default: '0' },
    'control-port': { type: 'string', default: '0' },
    'held-clock': { type: 'boolean', default: false },
    trusted: { type: 'string', multiple: true, default: [] },
  },
})

const running = await startSimulatedBank({
  profile: values.bank,
  startMs: Date.now(),
  runs: !values['held-clock'],
  port: Number(values.port),
  controlPort: Number(values['control-port']),
  trusted: values.trusted.map((file) => readFileSync(file, 'utf8')),
})
mkdirSync(values.folder, { recursive: true })
const write = (name: string, text: string): string => {
  const file = join(values.folder, name)
  writeFileSync(file, text, { mode: 0o600 })
  return file
}
const { profile } = running.bank.context
console.log(
  JSON.stringify({
    bank: profile.name,
    url: running.server.url,
    base: running.server.url + profile.base,
    tokenUrl: running.server.url + profile.tokenPath,
    control: running.control.url,
    ...running.client,
    chave: running.receiver.chaves[0],
    conta: running.receiver.conta,
    authority: write('authority.pem', running.authority.cert),
    hookCertificate: write('hooks.pem', running.hookIdentity.cert),
    certificate: write('client.pem', running.clientIdentity.cert),
    key: write('client-key.pem', running.clientIdentity.key),
  }),
)

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.on(signal, () => void running.stop().then(() => process.exit(0)))
