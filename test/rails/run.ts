import { spawn } from 'node:child_process'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { modules } from '../../gateway/providers/modules.ts'
import { linesFor, shellSetup } from './lines.ts'
import { startLiveService } from './live-service.ts'
import { soak } from './soak/soak.ts'

/** `npm run rails -- --faults`: every row of the table of faults, as it is and with every kill. */
const runTable = (seed: string): Promise<number> => {
  const run = join(import.meta.dirname, '../run.js')
  const env = { ...process.env, FAULT_ROUNDS: 'all', FAULT_SEED: seed }
  const files = tables.map((name) => `test/e2e/rails/${name}.test.ts`)
  const child = spawn(process.execPath, [run, ...files], { env, stdio: 'inherit' })
  return new Promise((resolve) => child.once('exit', (code) => resolve(code ?? 1)))
}

const tables = ['faults', 'mandate-faults', 'money-out-faults']

/** `npm run rails -- --soak MINUTES --seed N`: a mixed load with random faults, and what it came to. */
const runSoak = async (minutes: number, seed: number): Promise<number> => {
  const ends: (() => unknown)[] = []
  const objections: string[] = []
  console.log(`soak of ${minutes} min, seed ${seed}`)
  const scope = {
    teardown: (one: () => unknown) => void ends.push(one),
    fail: (what: string) => void objections.push(what),
  }
  try {
    const report = await soak(scope, { minutes, seed, say: console.log })
    const wrong = [...objections, ...report.differences]
    console.log(JSON.stringify({ ...report, differences: undefined }, null, 2))
    for (const one of wrong) console.error(one)
    console.log(
      wrong.length === 0 ? `seed ${seed}: the books agree` : `seed ${seed}: ${wrong.length} are wrong`,
    )
    return wrong.length === 0 ? 0 : 1
  } finally {
    for (const one of ends.reverse()) await one()
  }
}

/**
 * `npm run rails`: a simulated bank and the service side by side, with a company that is connected to the bank, for people who want to see a
 * Production charge without a bank. Everything is new at each start and gone at its end.
 */
const { values } = parseArgs({
  options: {
    bank: { type: 'string', default: 'efi' },
    /** The table of faults, with every kill. */
    faults: { type: 'boolean', default: false },
    /** So many minutes of mixed load with faults. */
    soak: { type: 'string' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
})
if (values.faults) process.exit(await runTable(values.seed))
if (values.soak !== undefined) process.exit(await runSoak(Number(values.soak), Number(values.seed)))
if (!Object.hasOwn(modules, values.bank)) {
  console.error(`there is no bank ${values.bank}: ${Object.keys(modules).join(', ')}`)
  process.exit(1)
}
const ends: (() => unknown)[] = []

const end = async (code: number): Promise<never> => {
  for (const one of ends.reverse()) await one()
  process.exit(code)
}
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => void end(0))

const { bank, service, company, key, connection } = await startLiveService(
  {
    teardown: (one) => void ends.push(one),
    fail: (what) => console.error(`the bank objects: ${what}`),
  },
  { bankName: values.bank },
)
void service().process.once('exit', (code) => void end(code ?? 1))

const { label } = bank.bank.context.profile
const setup = shellSetup({ api: service().origin, key: key.secret, bank: bank.control.url })
const lines = linesFor({ sendsPix: modules[values.bank]!.rails.includes('PAYOUT') })
console.log(`
A simulated ${label} and the service run side by side, and ${company.id} is connected: ${connection.id} is ${connection.status}.
No money moves. Ctrl-C ends both. For bash, with curl and jq:

${setup.map((line) => `  ${line}`).join('\n')}

${lines.map(({ title, shell }) => `${title}:\n\n  ${shell}\n`).join('\n')}
The bank's own books: bank /book. Its faults, clock and other payments: test/rails/README.md.
The operator's command line: DATA_DIR=${service().dataDir} npx payments connections list
`)
