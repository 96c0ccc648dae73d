import { availableParallelism } from 'node:os'
import { Command, InvalidArgumentError } from 'commander'
import { type WorkloadName, workloadNames } from './workloads.ts'

export type Options = {
  readonly workloads: readonly WorkloadName[]
  readonly connections: readonly number[]
  readonly seconds: number
  readonly warmUpSeconds: number
  readonly rounds: number
  readonly workers: number
  readonly seed: number
  readonly companies: number
  /** Charges that exist before a workload that reads. */
  readonly charges: number
  readonly peers: readonly PeerName[]
  readonly jsonFile: string | null
  /** Instead of the workloads: lists, exports and the start with so many transactions. */
  readonly lists: boolean
  /** Instead of the workloads: creates over a bank. */
  readonly rails: boolean
  /** Instead of the workloads: the pages of the dashboard with so many transactions, in a browser. */
  readonly pages: boolean
  readonly rows: number
  /** Instead of the workloads: companies with two years of transactions. */
  readonly history: boolean
  readonly historyRows: number
  readonly historyCompanies: number
  /** PIX charges whose room on the disk is measured. */
  readonly historyCharges: number
  /** Where the seeded data stays; null to remove it at the end. */
  readonly keepDir: string | null
  /** Where an earlier run kept its data; null to seed it. */
  readonly dataDir: string | null
  /** Whether creates are measured while the journal is packed, too. */
  readonly packing: boolean
  /** Rows of the peer; null for as many as the company has. */
  readonly peerRows: number | null
  /** Instead of the workloads: a billing run over so many subscriptions. */
  readonly billing: boolean
  readonly subscriptions: number
  /** Instead of the workloads: events published and webhooks delivered. */
  readonly events: boolean
  /** Events that come together. */
  readonly burst: number
  /** Instead of the workloads: a healthy endpoint beside so many that never answer. */
  readonly blackHoles: boolean
  readonly holes: number
  /** Instead of the workloads: so many nodes on three NATS servers, beside one node. */
  readonly cluster: boolean
  readonly nodes: number
  /** One way between the machines of a cluster, each of which has a server. */
  readonly delayMs: number
  /** Only what a cluster and one node take while nobody asks anything. */
  readonly idle: boolean
  /** Instead of the workloads: an empty node joins a cluster that has so many transactions, beside creates. */
  readonly join: boolean
  readonly joinRows: number
  /** Instead of the workloads: creates beside so many people who read pages of the dashboard. */
  readonly sessions: boolean
  readonly checkout: boolean
  /** Pages that wait for a payment, of --checkout. */
  readonly openPages: number
  readonly people: number
  /** Instead of the workloads: creates beside backups. */
  readonly backup: boolean
  /** Instead of the workloads: writing and reading entries of the journal, without a service. */
  readonly codec: boolean
  /** Instead of the workloads: what a request costs that another thread or node answers. */
  readonly relay: boolean
  readonly codecRepeats: number
  /** How often a visitor of --sessions opens a page. */
  readonly pageEveryMs: number
  /** Checks of each kind in the hot loop of --sessions. */
  readonly checks: number
  /** Instead of the workloads: what each stage of a request takes. */
  readonly budget: boolean
  /** A create from the bare handler upwards. */
  readonly floor: boolean
  /** Records a toy run's stages as the budget of later runs. */
  readonly record: boolean
  /** Whether the bench still works, and no stage of a request has grown. */
  readonly toy: boolean
  /** Instead of the workloads: the processor time of each kind of request. */
  readonly commands: boolean
  /** How many requests of each kind a slice has, and how many slices count. */
  readonly commandRequests: number
  readonly commandSlices: number
  /** Requests of each list. */
  readonly listRequests: number
}

export const peerNames = ['fastify-postgres', 'bare-uws'] as const
export type PeerName = (typeof peerNames)[number]

export const readOptions = (argv: readonly string[]): Options => {
  const command = new Command('npm run bench --')
    .description('Measures the service, alone or beside its peers.')
    .option('--workload <names>', `of ${workloadNames.join(', ')}`, listOf(workload))
    .option(
      '--connections <numbers>',
      'connections of the load generator (default: 64,256)',
      listOf(positive),
    )
    .option('--seconds <number>', 'length of a measurement (default: 10)', positive)
    .option(
      '--rounds <number>',
      'measurements of each kind; medians are shown (default: 1, beside peers 3)',
      positive,
    )
    .option(
      '--workers <number>',
      'threads of the service (default: as the service, cores less one, at most 4)',
      positive,
    )
    .option('--versus', 'measure the peers in the same run, in turns, and print the ratios')
    .option('--lists', 'one company with very many transactions: start, memory, lists with totals, export')
    .option('--rails', 'creates over a bank that takes 50 ms, beside the Sandbox, and beside a dead bank')
    .option('--pages', 'the pages of the dashboard of such a company, in Chromium')
    .option('--backup', 'creates beside backups of a service with very many transactions')
    .option(
      '--rows <number>',
      'of --lists, --pages and --backup (default: 1000000), and of --history (default: 20000000)',
      positive,
    )
    .option('--history', 'two years of transactions: memory, start, lists, lookups, creates, disk')
    .option(
      '--companies <number>',
      'of --history, which share the rows (default: 1), and of --cluster (default: 50)',
      positive,
    )
    .option('--keep <directory>', 'of --history: seed the data there, and leave it for --data')
    .option('--data <directory>', 'of --history: measure data that an earlier run kept')
    .option('--packing', 'of --history: creates while the journal is packed, too')
    .option('--peer-rows <number>', 'of --history --versus (default: as many as the company has)', positive)
    .option('--billing', 'one company with very many subscriptions that are due at once')
    .option('--subscriptions <number>', 'of --billing (default: 100000)', positive)
    .option('--events', 'events published and webhooks delivered, to a receiver that answers at once')
    .option('--burst <number>', 'of --events: events that come together (default: 60000)', positive)
    .option('--blackholes', 'the webhooks of healthy endpoints beside endpoints that never answer')
    .option('--holes <number>', 'of --blackholes (default: 10)', positive)
    .option('--cluster', 'nodes on three NATS servers beside one node: creates, failovers, handovers')
    .option('--nodes <number>', 'of --cluster (default: 3)', positive)
    .option('--delay <milliseconds>', 'of --cluster: from one server to another (default: 0)', positive)
    .option('--idle', 'of --cluster: only what it takes while nobody asks anything')
    .option(
      '--join',
      'an empty node joins a cluster that has --rows transactions (default: 105000), beside creates',
    )
    .option(
      '--sessions',
      'creates beside people who read pages of the dashboard, and what a session check takes',
    )
    .option('--checkout', 'pages where payers pay: views beside reads, and creates beside open pages')
    .option('--open-pages <number>', 'of --checkout (default: 5000)', positive)
    .option('--people <number>', 'of --sessions (default: 200)', positive)
    .option('--commands', 'the processor time of each kind of request, beside a bare handler')
    .option('--budget', 'what each stage of a request takes, by a profile, beside a bare handler')
    .option('--floor', 'a create from a bare handler upwards, a step more each time, beside the service')
    .option('--record', 'of --toy: write down what stages take, for later runs to compare with')
    .option(
      '--relay',
      'requests that another thread or node answers, beside those answered where they arrive',
    )
    .option('--codec', 'writing and reading entries of the journal, beside MessagePack')
    .option('--seed <number>', 'of companies and requests', positive, 1)
    .option('--json <file>', 'write everything to a file too')
    .option(
      '--toy',
      'about a minute, without PostgreSQL: whether the bench still works, and no stage of a request takes much more than recorded',
    )
    .parse(argv)
  const given = command.opts<Given>()
  const sizes = given.toy ? toySizes : fullSizes
  const alone =
    !given.versus && !given.cluster && !given.codec && !given.relay && !given.history && !given.toy
  return {
    ...sizes,
    workloads: given.workload ?? (given.versus && !given.toy ? ['create', 'read'] : workloadNames),
    connections: given.connections ?? (given.cluster && !given.toy ? [8, 64, 256] : sizes.connections),
    seconds: given.seconds ?? sizes.seconds,
    rounds: given.rounds ?? (alone || given.toy ? 1 : 3),
    workers: given.workers ?? Math.max(1, Math.min(4, availableParallelism() - 1)),
    seed: given.seed,
    peers: given.versus ? peerNames : given.toy ? ['bare-uws'] : [],
    jsonFile: given.json ?? null,
    cluster: given.cluster ?? false,
    nodes: given.nodes ?? 3,
    delayMs: given.delay ?? 0,
    idle: given.idle ?? false,
    join: given.join ?? false,
    joinRows: given.rows ?? 105_000,
    lists: given.lists ?? false,
    rails: given.rails ?? false,
    pages: given.pages ?? false,
    backup: given.backup ?? false,
    rows: given.rows ?? sizes.rows,
    history: given.history ?? false,
    historyRows: given.rows ?? sizes.historyRows,
    historyCompanies: given.companies ?? 1,
    companies: (given.cluster ? given.companies : undefined) ?? sizes.companies,
    warmUpSeconds: given.cluster && !given.toy ? clusterWarmUpSeconds : sizes.warmUpSeconds,
    keepDir: given.keep ?? null,
    dataDir: given.data ?? null,
    packing: given.packing ?? false,
    peerRows: given.peerRows ?? null,
    billing: given.billing ?? false,
    subscriptions: given.subscriptions ?? sizes.subscriptions,
    events: given.events ?? false,
    burst: given.burst ?? sizes.burst,
    blackHoles: given.blackholes ?? false,
    holes: given.holes ?? sizes.holes,
    codec: given.codec ?? false,
    relay: given.relay ?? false,
    budget: given.budget ?? false,
    floor: given.floor ?? false,
    commands: given.commands ?? false,
    sessions: given.sessions ?? false,
    checkout: given.checkout ?? false,
    openPages: given.openPages ?? 5000,
    people: given.people ?? sizes.people,
    record: given.record ?? false,
    toy: given.toy ?? false,
  }
}

type Given = {
  readonly workload?: readonly WorkloadName[]
  readonly connections?: readonly number[]
  readonly seconds?: number
  readonly rounds?: number
  readonly workers?: number
  readonly versus?: true
  readonly seed: number
  readonly json?: string
  readonly toy?: true
  readonly cluster?: true
  readonly nodes?: number
  readonly delay?: number
  readonly idle?: true
  readonly join?: true
  readonly lists?: true
  readonly rails?: true
  readonly pages?: true
  readonly backup?: true
  readonly rows?: number
  readonly history?: true
  readonly companies?: number
  readonly keep?: string
  readonly data?: string
  readonly packing?: true
  readonly peerRows?: number
  readonly billing?: true
  readonly subscriptions?: number
  readonly events?: true
  readonly burst?: number
  readonly blackholes?: true
  readonly holes?: number
  readonly codec?: true
  readonly relay?: true
  readonly budget?: true
  readonly floor?: true
  readonly commands?: true
  readonly sessions?: true
  readonly checkout?: true
  readonly openPages?: number
  readonly people?: number
  readonly record?: true
}

/** Three nodes on one machine get few requests each, and compile what is used often later. */
const clusterWarmUpSeconds = 15

const fullSizes = {
  connections: [64, 256],
  seconds: 10,
  warmUpSeconds: 2,
  companies: 50,
  charges: 10_000,
  rows: 1_000_000,
  historyRows: 20_000_000,
  historyCharges: 5_000,
  subscriptions: 100_000,
  burst: 60_000,
  holes: 10,
  people: 200,
  pageEveryMs: 5_000,
  checks: 200_000,
  codecRepeats: 20_000,
  listRequests: 300,
  commandRequests: 1_000,
  commandSlices: 3,
} as const
const toySizes = {
  connections: [8],
  seconds: 1,
  warmUpSeconds: 0,
  companies: 2,
  charges: 100,
  rows: 2_000,
  historyRows: 4_000,
  historyCharges: 20,
  subscriptions: 500,
  burst: 500,
  holes: 3,
  people: 5,
  pageEveryMs: 200,
  checks: 10_000,
  codecRepeats: 500,
  listRequests: 5,
  commandRequests: 50,
  commandSlices: 1,
} as const

const positive = (text: string): number => {
  if (!/^[1-9][0-9]{0,8}$/.test(text)) throw new InvalidArgumentError('It is a positive whole number.')
  return Number(text)
}

const workload = (text: string): WorkloadName => {
  const found = workloadNames.find((name) => name === text)
  if (found === undefined) throw new InvalidArgumentError(`The workloads are ${workloadNames.join(', ')}.`)
  return found
}

const listOf =
  <Item>(read: (text: string) => Item) =>
  (text: string): Item[] =>
    text.split(',').map(read)
