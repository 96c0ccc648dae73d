import { join, resolve } from 'node:path'
import { Command, InvalidArgumentError } from 'commander'
import { operatorAsks } from '../identity/asked.ts'
import { createDemo, demoText } from '../operations/demo.ts'
import type { Operations } from '../operations/input.ts'
import { serviceAt } from '../operator/command-line/service.ts'
import { type LocalCluster, type LocalNode, startLocalCluster } from './cluster.ts'
import { openTeller } from './lines.ts'
import { natsServer } from './nats-server.ts'
import { PortTaken } from './ports.ts'

/** `npm run cluster`: three nodes on three NATS servers on this machine, until Ctrl-C. */
const main = async ({ port, natsPort, ...options }: Options, stopping: AbortSignal): Promise<void> => {
  const stopped = new Promise((resolve) => stopping.addEventListener('abort', resolve, { once: true }))
  const dataDir = resolve(options.dataDir)
  const server = natsServer()
  console.log(`three NATS servers (${server}) and three nodes start; their data and logs are in ${dataDir}\n`)
  const cluster = await startLocalCluster({
    dataDir,
    port,
    natsPort,
    natsServer: server,
    payments: join(import.meta.dirname, '../program/main.js'),
    settings: process.env,
    teller: openTeller((line) => console.log(line)),
    stopping,
  })
  try {
    await Promise.race([welcome(cluster), stopped])
    await Promise.race([Promise.all(cluster.nodes.map(({ gone }) => gone)), stopped])
  } finally {
    console.log('\nnodes and servers end; their data stays')
    await cluster.stop()
  }
}

type Options = { readonly port: number; readonly natsPort: number; readonly dataDir: string }

/** Prints what there is to try; on the first start with a key. */
const welcome = async (cluster: LocalCluster): Promise<void> => {
  const [first, second] = cluster.nodes as [LocalNode, LocalNode]
  const operations = operationsAt(first)
  const { data } = (await operations['companies list']!({}, operatorAsks)) as {
    readonly data: readonly object[]
  }
  const demo = data.length === 0 ? await createDemo(operations) : null
  console.log(`\nThe cluster serves; NATS is at ${cluster.natsUrl}\n`)
  for (const { name, origin, pid } of cluster.nodes) console.log(`  node ${name}   ${origin}   pid ${pid()}`)
  if (demo !== null) {
    const curl = `"${second.origin}/v1/pix/charges/$CHARGE"`
    console.log(demoText(demo, first.origin, { what: 'read it through another node', curl }))
  }
  console.log(`
Who owns what: DATA_DIR=${first.dataDir} npx payments cluster status
A failover:    kill -9 ${first.pid()}   (node ${first.name} comes back by itself)
A handover:    kill ${first.pid()}      (the same)
The end:       Ctrl-C
`)
}

const operationsAt = ({ dataDir }: LocalNode): Operations =>
  Object.fromEntries(
    ['companies list', 'companies create', 'keys create', 'people invite'].map((name) => [
      name,
      (input) => serviceAt(() => dataDir).ask(name, input),
    ]),
  )

const portOf = (text: string): number => {
  if (!/^[0-9]{1,5}$/.test(text) || Number(text) > 65_500) throw new InvalidArgumentError('It is a port.')
  return Number(text)
}

const command = new Command('npm run cluster --')
  .description(
    'Three nodes on three NATS servers on this machine, to try a cluster with. Settings of nodes are environment variables.',
  )
  .option('--port <number>', 'of the first node, the others follow; 0 takes any free ones', portOf, 8081)
  .option('--nats-port <number>', 'the first of nine ports for NATS; 0 takes any free ones', portOf, 14_222)
  .option('--data-dir <path>', 'where everything is kept', './data/cluster')
  .parse()

const stopping = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stopping.abort())
main(command.opts<Options>(), stopping.signal).catch((error: Error) => {
  if (stopping.signal.aborted) return
  const hint =
    error instanceof PortTaken ? ': does another cluster run? --port and --nats-port take others' : ''
  console.error(`cluster: ${error.message}${hint}`)
  process.exitCode = 1
})
