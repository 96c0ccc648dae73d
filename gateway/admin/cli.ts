import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addBackupCommand } from './backup-command.ts'
import { adminFile } from './listener.ts'

/** What the command line can start or check without a running service. */
export type OfflineCommands = {
  readonly start: () => Promise<void>
  /** Prints what it finds; resolves to whether the data directory is sound. */
  readonly verify: (dataDir: string, json: boolean) => Promise<boolean>
}

/** `payments …`: help for every command, text for people by default, JSON with `--json`. */
export const commandLine = (offline: OfflineCommands, dataDir: () => string, version: string): Command => {
  const program = new Command('payments')
    .description('A payments service for Brazil that a company runs itself.')
    .version(version)
    .option('--json', 'print JSON')
  program
    .command('start')
    .description('start the service (settings are environment variables)')
    .action(offline.start)
  program
    .command('verify')
    .argument('<DATA_DIR>', 'the data directory of a stopped service')
    .description('replay a data directory and check that state, ledger and indexes agree with its journal')
    .action(async (path: string) => {
      if (!(await offline.verify(path, isJson(program)))) process.exitCode = 1
    })

  addBackupCommand(program, {
    follow: (...followed) => followService(dataDir(), ...followed),
    isJson: () => isJson(program),
    print: (result) => print(result, isJson(program)),
  })

  const group = (name: string, description: string): Command => program.command(name).description(description)
  const call = (
    command: Command,
    name: string,
    read: (...args: string[]) => Record<string, string> = () => ({}),
  ) =>
    command.action(async (...args: unknown[]) => {
      const texts = args.filter((arg) => typeof arg === 'string')
      print(await askService(dataDir(), name, { ...command.opts(), ...read(...texts) }), isJson(program))
    })
  const id = (text: string) => ({ id: text })

  const companies = group('companies', 'companies that use the service')
  call(
    companies
      .command('create')
      .description('create a company, with an account in Sandbox and in Production')
      .requiredOption('--name <name>', 'legal name')
      .requiredOption('--document <cnpj>', 'CNPJ')
      .option('--products <list>', 'PIX,CARD,BOLETO,RECURRING,SPLIT (all by default)')
      .option('--city <city>', 'printed in QR codes (default: Sao Paulo)')
      .option('--timezone <zone>', 'IANA time zone (default: America/Sao_Paulo)'),
    'companies create',
  )
  call(companies.command('list').description('list companies'), 'companies list')

  const keys = group('keys', 'API keys')
  call(
    keys
      .command('create')
      .description('create an API key; its secret is shown this once')
      .requiredOption('--company <id>', 'company id')
      .requiredOption('--environment <environment>', 'sandbox or production')
      .option('--scopes <list>', 'scopes, separated by commas'),
    'keys create',
  )
  call(keys.command('list').description('list keys'), 'keys list')
  call(
    keys.command('revoke').argument('<id>').description('revoke a key, at once and for good'),
    'keys revoke',
    id,
  )

  const webhooks = group('webhooks', 'webhook endpoints and their deliveries')
  call(
    webhooks
      .command('create')
      .description('register an endpoint; its secret is shown this once')
      .requiredOption('--company <id>', 'company id')
      .requiredOption('--environment <environment>', 'sandbox or production')
      .requiredOption('--url <url>', 'where events are sent')
      .option('--events <list>', 'event types, separated by commas (all by default)'),
    'webhooks create',
  )
  call(webhooks.command('list').description('list endpoints'), 'webhooks list')
  call(
    webhooks
      .command('test')
      .argument('<id>', 'endpoint id')
      .option('--type <type>', 'event type (default: payment.approved)')
      .description('send a test event to one endpoint'),
    'webhooks test',
    id,
  )
  call(
    webhooks
      .command('deliveries')
      .argument('<id>', 'endpoint id')
      .description('list the deliveries of an endpoint'),
    'webhooks deliveries',
    id,
  )
  call(
    webhooks.command('resend').argument('<delivery-id>').description('send a finished delivery again'),
    'webhooks resend',
    id,
  )

  const cluster = group('cluster', 'the nodes of a cluster and their shards')
  call(
    cluster
      .command('status')
      .description('how the nodes are, who owns each shard, and how far the others are behind'),
    'cluster status',
  )
  call(
    cluster
      .command('drain')
      .argument('<node>', 'node id')
      .description('hand all shards of a node to others; it takes none until it starts again'),
    'cluster drain',
    (node) => ({ node: node! }),
  )
  call(
    cluster
      .command('move')
      .argument('<shard>', 'number of the shard')
      .argument('<node>', 'node id, or auto: wherever the cluster thinks best')
      .description('give a shard to a node, and leave it there'),
    'cluster move',
    (shard, node) => ({ shard: shard!, node: node! }),
  )
  for (const command of [
    program,
    ...program.commands,
    ...program.commands.flatMap(({ commands }) => commands),
  ]) {
    if (command !== program) command.option('--json', 'print JSON')
  }
  return program
}

const isJson = (program: Command): boolean =>
  [program, ...program.commands, ...program.commands.flatMap(({ commands }) => commands)].some(
    (command) => command.opts().json === true,
  )

/** Calls an operation of the running service that the data directory names. */
export const askService = async (
  dataDir: string,
  name: string,
  input: object,
): Promise<Record<string, unknown>> => {
  const { json: _, ...options } = input as Record<string, unknown>
  const response = await post(dataDir, name, options)
  const result = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new CommandFailure(String(result.error))
  return result
}

/** The same of an operation that takes long and says how far it is. The signal gives it up: then it rejects with its reason. */
export const followService = async (
  dataDir: string,
  name: string,
  input: object,
  onProgress: (progress: object) => void,
  signal: AbortSignal,
): Promise<Record<string, unknown>> => {
  const response = await post(dataDir, name, input, signal)
  if (!response.ok) throw new CommandFailure(String(((await response.json()) as { error: unknown }).error))
  for await (const text of linesOf(response)) {
    const line = JSON.parse(text) as Partial<
      Record<'progress' | 'result', Record<string, unknown>> & { error: string }
    >
    if (line.progress !== undefined) onProgress(line.progress)
    if (line.error !== undefined) throw new CommandFailure(line.error)
    if (line.result !== undefined) return line.result
  }
  throw new CommandFailure(endedEarly)
}

const endedEarly = 'the service ended before it was done'

const post = async (
  dataDir: string,
  name: string,
  input: object,
  signal?: AbortSignal,
): Promise<Response> => {
  const { port, token } = adminOf(dataDir)
  try {
    return await fetch(`http://127.0.0.1:${port}/${name.replaceAll(' ', '/')}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}` },
      body: JSON.stringify(input),
      ...(signal && { signal }),
    })
  } catch (error) {
    if (signal?.aborted) throw error
    // A file that a killed service has left, or a service that was killed.
    const isThere = (error as { cause?: { code?: string } }).cause?.code !== 'ECONNREFUSED'
    throw new CommandFailure(
      isThere ? endedEarly : `no service answers for ${dataDir}; start it, or set DATA_DIR`,
    )
  }
}

const linesOf = async function* (response: Response): AsyncIterable<string> {
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of response.body!) {
    text += decoder.decode(chunk, { stream: true })
    const lines = text.split('\n')
    text = lines.pop()!
    yield* lines
  }
}

/** What the operator did wrong or has to know; printed without a stack. */
export const CommandFailure = class extends Error {}

const adminOf = (dataDir: string): { readonly port: number; readonly token: string } => {
  try {
    return JSON.parse(readFileSync(adminFile(dataDir), 'utf8')) as { port: number; token: string }
  } catch {
    throw new CommandFailure(`no running service in ${dataDir}; start it, or set DATA_DIR`)
  }
}

const print = (result: Record<string, unknown>, json: boolean): void => {
  if (json) console.log(JSON.stringify(result))
  else if (Array.isArray(result.data)) printRows(result.data as Record<string, unknown>[])
  else for (const [name, value] of Object.entries(result)) printMember(name, value)
}

const printMember = (name: string, value: unknown): void => {
  if (!isTable(value)) console.log(`${name.padEnd(14)} ${shown(value)}`)
  else {
    console.log(`\n${name}`)
    printRows(value)
  }
}

const isTable = (value: unknown): value is Record<string, unknown>[] =>
  Array.isArray(value) && value.length > 0 && value.every((row) => typeof row === 'object')

const printRows = (rows: readonly Record<string, unknown>[]): void => {
  if (rows.length === 0) console.log('none')
  for (const row of rows) {
    console.log(
      Object.entries(row)
        .map(([name, value]) => `${name}=${shown(value)}`)
        .join('  '),
    )
  }
}

const shown = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}
