import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addBackupCommand } from './backup-command.ts'
import { adminFile } from './listener.ts'
import { cardFee, companyInput } from './options.ts'
import { print } from './print.ts'

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
    read: (...args: string[]) => Record<string, string | undefined> = () => ({}),
    inputOf: (options: Options) => object = (options) => options,
  ) =>
    command.action(async (...args: unknown[]) => {
      const texts = args.filter((arg) => typeof arg === 'string')
      const { json: _, ...options } = command.opts<Options>()
      const input = { ...inputOf(options), ...read(...texts) }
      print(await askService(dataDir(), name, input), isJson(program))
    })
  const id = (text: string | undefined) => ({ id: text })

  const companies = group('companies', 'companies that use the service')
  const ofCompany = (command: Command): Command =>
    command
      .option('--city <city>', 'printed in QR codes (of a new company: São Paulo)')
      .option('--street <street>', 'address: street')
      .option('--number <number>', 'address: number, or S/N')
      .option('--complement <text>', 'address: floor, room')
      .option('--district <district>', 'address: district')
      .option('--address-city <city>', 'address: city (the city of QR codes where it is left out)')
      .option('--state <UF>', 'address: two letters')
      .option('--postal-code <CEP>', 'address: eight digits')
      .option('--pix-fee <bps>', 'fee of a PIX charge, in basis points')
      .option('--boleto-fee <centavos>', 'fee of a boleto')
      .option(
        '--card-fee <brand=rates>',
        'fees of a brand in basis points, for 1, 2 to 6 and 7 to 12 instalments, then for debit: VISA=319/399/459/199',
        cardFee,
      )
  call(
    ofCompany(
      companies
        .command('create')
        .description('create a company, with an account in Sandbox and in Production')
        .requiredOption('--name <name>', 'legal name')
        .requiredOption('--document <cnpj>', 'CNPJ')
        .option(
          '--products <list>',
          'PIX,CARD,BOLETO,RECURRING,SPLIT (all by default); CARD=PENDING has another state',
        )
        .option('--timezone <zone>', 'IANA time zone (default: America/Sao_Paulo)'),
    ),
    'companies create',
    undefined,
    companyInput,
  )
  call(companies.command('list').description('list companies'), 'companies list')
  call(companies.command('get').argument('<id>').description('show a company'), 'companies get', id)
  call(
    ofCompany(
      companies
        .command('update')
        .argument('<id>')
        .description(
          'change a company; what is not named stays as it is. Fees hold for charges that are created afterwards',
        )
        .option('--name <name>', 'legal name')
        .option(
          '--products <list>',
          'states of products: PIX,CARD=PENDING,SPLIT=DISABLED (a name alone: ACTIVE)',
        )
        .option('--environment <environment>', 'of the products: sandbox or production (default: both)')
        .option('--no-address', 'take the address away'),
    ),
    'companies update',
    id,
    companyInput,
  )
  call(
    companies
      .command('suspend')
      .argument('<id>')
      .description('answer its keys 401 until it is resumed; what is due goes on'),
    'companies suspend',
    id,
  )
  call(
    companies.command('resume').argument('<id>').description('let its keys in again'),
    'companies resume',
    id,
  )

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
  call(
    keys.command('list').description('list keys').option('--company <id>', 'those of one company'),
    'keys list',
  )
  call(
    keys
      .command('roll')
      .argument('<id>')
      .description('make a new secret with the same scopes, shown this once; the old one works for a while')
      .option('--overlap <time>', 'how long the old one works: 0s, 1h, … 7d', '24h'),
    'keys roll',
    id,
  )
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
      .option('--description <text>', 'what it is for')
      .option('--events <list>', 'event types, separated by commas (all by default)'),
    'webhooks create',
  )
  call(
    webhooks
      .command('list')
      .description('list endpoints')
      .option('--company <id>', 'those of one company')
      .option('--environment <environment>', 'sandbox or production')
      .option('--deleted', 'deleted ones, too'),
    'webhooks list',
  )
  call(
    webhooks
      .command('update')
      .argument('<id>', 'endpoint id')
      .description('change an endpoint; the next attempts go to the new URL')
      .option('--url <url>', 'where events are sent')
      .option('--description <text>', 'what it is for')
      .option('--events <list>', 'event types, separated by commas, or all'),
    'webhooks update',
    id,
  )
  call(
    webhooks
      .command('disable')
      .argument('<id>', 'endpoint id')
      .description('send nothing to it until it is enabled; what waits for it is cancelled'),
    'webhooks disable',
    id,
  )
  call(
    webhooks
      .command('enable')
      .argument('<id>', 'endpoint id')
      .description('send it what happens from now on'),
    'webhooks enable',
    id,
  )
  call(
    webhooks
      .command('delete')
      .argument('<id>', 'endpoint id')
      .description('send nothing to it any more; its deliveries can still be read'),
    'webhooks delete',
    id,
  )
  call(
    webhooks
      .command('rotate')
      .argument('<id>', 'endpoint id')
      .description('make a new secret, shown this once, which signs all attempts from now on'),
    'webhooks rotate',
    id,
  )
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
      .description('list the deliveries of an endpoint, newest first')
      .option('--status <list>', 'PENDING,RETRYING,SUCCEEDED,EXHAUSTED,CANCELLED')
      .option('--page <number>', 'page of 200 (default: 1)'),
    'webhooks deliveries',
    id,
  )
  call(
    webhooks
      .command('failures')
      .argument('[id]', 'endpoint id')
      .description('list deliveries that were given up: of an endpoint, of a company, or all')
      .option('--company <id>', 'those of one company')
      .option('--environment <environment>', 'sandbox or production'),
    'webhooks failures',
    id,
  )
  call(
    webhooks.command('resend').argument('<delivery-id>').description('send a finished delivery again'),
    'webhooks resend',
    id,
  )
  call(
    webhooks
      .command('replay')
      .argument('<id>', 'endpoint id')
      .description('send the events of a span of time to one endpoint, also those that it never heard')
      .requiredOption('--from <time>', 'date (company time zone) or ISO 8601 date-time')
      .option('--to <time>', 'the same, to the end of a date (default: now)')
      .option('--type <list>', 'event types, separated by commas (default: those that it hears)')
      .option('--after <position>', 'go on where a replay of this span stopped'),
    'webhooks replay',
    id,
    ({ type: types, ...options }) => ({ ...options, types }),
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

type Options = Readonly<Record<string, unknown>>

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
  const response = await post(dataDir, name, input)
  const result = (await response.json()) as Record<string, unknown>
  if (!response.ok) throw new CommandFailure(String(result.detail))
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
  if (!response.ok) throw new CommandFailure(String(((await response.json()) as { detail: unknown }).detail))
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
