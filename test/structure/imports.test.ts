import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import t from 'tap'

/** Holds the table of folders (README, Structure): what each may import, and what the engine may not touch. */
const root = resolve(import.meta.dirname, '../../..')

const packages: Readonly<Record<string, readonly string[]>> = {
  engine: [],
  persistence: ['@nats-io/jetstream', '@nats-io/transport-node', 'lmdb', 'msgpackr'],
  gateway: [
    '@bomb.sh/tab',
    '@node-rs/argon2',
    '@opentelemetry/api',
    '@opentelemetry/exporter-trace-otlp-http',
    '@opentelemetry/resources',
    '@opentelemetry/sdk-trace',
    '@simplewebauthn/server',
    '@trufflesuite/uws-js-unofficial',
    '@zxcvbn-ts/language-common',
    'ajv',
    'commander',
    'hash-wasm',
    'highlight.js',
    'ipaddr.js',
    'marked',
    'msgpackr',
    'nodemailer',
    'pdfkit',
    'pino',
    'prom-client',
    'typebox',
    'undici',
  ],
  // What runs in the browser; `#generated` is what the build takes from the service.
  'gateway/dashboard': ['preact', 'openapi-fetch', '#generated'],
  // What people type, read the same in the browser and by the service.
  'gateway/typed': [],
}
const folders: Readonly<Record<string, readonly string[]>> = {
  engine: ['engine'],
  persistence: ['engine', 'persistence'],
  gateway: ['engine', 'gateway', 'gateway/typed'],
  'gateway/typed': ['gateway/typed'],
  'gateway/dashboard': ['gateway/dashboard', 'gateway/typed'],
}

const filesOf = (folder: string): string[] =>
  readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .map((name) => join(folder, name))
    .filter((file) => folderOf(file) === folder)

/** The longest of the folders that a file is in: the browser's code is none of the gateway's. */
const folderOf = (file: string): string =>
  Object.keys(folders).findLast((folder) => file.startsWith(`${folder}/`)) ?? file.split('/')[0]!

const importsOf = (file: string): string[] =>
  [...readFileSync(join(root, file), 'utf8').matchAll(/(?<![.\w])(?:from |import |import\()'([^']+)'/g)].map(
    ([, name]) => name!,
  )

/** The composition root knows every part, and no part knows it. */
const isComposition = (file: string): boolean => /^gateway\/runtime\//.test(file)

const isAllowed = (folder: string, file: string, name: string): boolean => {
  if (name.startsWith('.')) {
    const target = folderOf(relative(root, resolve(root, file, '..', name)))
    return (
      folders[folder]!.includes(target) && !isComposition(relative(root, resolve(root, file, '..', name)))
    )
  }
  if (name.startsWith('node:')) return folder !== 'engine' && !/^gateway\/(dashboard|typed)$/.test(folder)
  return packages[folder]!.some((allowed) => name === allowed || name.startsWith(`${allowed}/`))
}

for (const folder of Object.keys(folders)) {
  t.test(`${folder}/ imports only what it may`, async (t) => {
    const wrong = filesOf(folder)
      .filter((file) => !isComposition(file))
      .flatMap((file) =>
        importsOf(file)
          .filter((name) => !isAllowed(folder, file, name))
          .map((name) => `${file}: ${name}`),
      )
    t.strictSame(wrong, [])
  })
}

/** The files of the project that a file imports, types included. */
const importedBy = (file: string): string[] =>
  importsOf(file)
    .filter((name) => name.startsWith('.'))
    .map((name) => relative(root, resolve(root, file, '..', name)))

for (const folder of Object.keys(folders)) {
  t.test(`no file of ${folder}/ imports one that imports it, not even for a type`, async (t) => {
    const circles: string[] = []
    const done = new Set<string>()
    const visit = (file: string, way: readonly string[]): void => {
      if (way.includes(file)) circles.push([...way.slice(way.indexOf(file)), file].join(' > '))
      if (done.has(file)) return
      done.add(file)
      for (const imported of importedBy(file))
        if (imported.startsWith(`${folder}/`)) visit(imported, [...way, file])
    }
    for (const file of filesOf(folder)) visit(file, [])
    t.strictSame(circles, [])
  })
}

/** Of each package, from the ground up: what stands in a folder imports from those before it alone. No other file stands loose. */
const floors: Readonly<Record<string, readonly string[]>> = {
  engine: [
    ...[
      'shared',
      'people',
      'kernel',
      'ledger',
      'connections',
      'audit',
      'approval-and-limits',
      'webhooks',
      'customers',
      'recipients',
    ],
    ...[
      'payments',
      'marketplace',
      'crypto',
      'money-out',
      'statement',
      'billing',
      'checkout',
      'portal',
      'support',
      'notices',
      'views',
      'payer-mail',
      'notes',
      'inbox',
      'reconciliation',
    ],
    ...['companies', 'sandbox', 'registry.ts', 'events', 'overview', 'search', 'engine.ts'],
  ],
  persistence: [
    ...[
      'base',
      'disk',
      'codec',
      'archive',
      'journal',
      'stream',
      'nats',
      'home',
      'cluster',
      'index',
      'snapshot',
      'outbox',
    ],
    ...['shard', 'verify', 'backup'],
  ],
  gateway: [
    ...[
      'base',
      'wire',
      'problems',
      'schema',
      'identity',
      'link',
      'documents',
      'mail',
      'providers',
      'inbox',
      'sandbox',
    ],
    ...[
      'webhooks',
      'resources',
      'events',
      'api',
      'trail',
      'operations',
      'routes',
      'checkout',
      'openapi',
      'docs',
    ],
    ...['observability', 'operator', 'local-cluster', 'runtime'],
  ],
}

for (const [folder, order] of Object.entries(floors))
  t.test(`no import of ${folder}/ runs back up, not even for a type`, async (t) => {
    const floorOf = (file: string): number => order.indexOf(file.split('/')[1]!)
    const upwards = filesOf(folder).flatMap((file) =>
      importedBy(file)
        .filter((imported) => imported.startsWith(`${folder}/`) && floorOf(imported) > floorOf(file))
        .map((imported) => `${file} > ${imported}`),
    )
    t.strictSame(upwards, [])
    t.strictSame(
      filesOf(folder).filter((file) => floorOf(file) < 0),
      [],
      'every folder has its floor',
    )
  })

t.test('the vocabulary of the engine has every file that adds to it', async (t) => {
  /** Declarations keep an import that names nothing, and may leave out any other. */
  const kept = (file: string): string[] =>
    [...readFileSync(join(root, file), 'utf8').matchAll(/^import '([^']+)'/gm)]
      .map(([, name]) => relative(root, resolve(root, file, '..', name!)))
      .flatMap((imported) => [imported, ...kept(imported)])
  const adding = filesOf('engine').filter((file) =>
    /^declare module/m.test(readFileSync(join(root, file), 'utf8')),
  )
  const reached = kept('engine/engine.ts')
  t.strictSame(
    adding.filter((file) => !reached.includes(file)),
    [],
  )
  t.strictSame(reached.length, new Set(reached).size, 'each once')
})

/** Each ban with what to use in its place. */
const bans: readonly (readonly [RegExp, string])[] = [
  [
    /\bnew Date\b|\bDate\.(now|UTC|parse)\b/,
    'Date: take the time from the command; format it with calendar.ts',
  ],
  [/\bMath\.random\b/, 'Math.random: take entropy from the context'],
  [/\bset(Timeout|Interval|Immediate)\b/, 'timers: answer a Timer, the shard fires it'],
  [/\bprocess\./, 'process: settings arrive as arguments'],
  [/\bconsole\./, 'console: answer a value, the gateway logs'],
]

t.test(
  'one file opens LMDB environments, and those of a running service are open in no other process',
  async (t) => {
    const opening = ['persistence', 'gateway'].flatMap(filesOf).filter((file) => {
      const text = readFileSync(join(root, file), 'utf8')
      return /import \{[^}]*\bopen\b[^}]*\} from 'lmdb'/.test(text) || /\blmdb\.open\b/.test(text)
    })
    t.strictSame(opening, ['persistence/disk/environment.ts'])
  },
)

t.test('the engine has no clock, no randomness, no timers, no process', async (t) => {
  const found = filesOf('engine').flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8').replace(/\/\*[\s\S]*?\*\/|\/\/.*/g, '')
    return bans.filter(([ban]) => ban.test(text)).map(([, instead]) => `${file} uses ${instead}`)
  })
  t.strictSame(found, [])
})

t.test('prose names only files and scripts that exist', async (t) => {
  const scripts = Object.keys(
    (JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }).scripts,
  )
  const pages = [
    'README.md',
    'CHANGELOG.md',
    'engine/README.md',
    'gateway/README.md',
    'gateway/wire/README.md',
    'gateway/checkout/README.md',
    'gateway/dashboard/README.md',
    'persistence/README.md',
    'bench/README.md',
    'test/README.md',
    'CONTRIBUTING.md',
    'SECURITY.md',
    'docs/README.md',
    'docs/cluster/README.md',
    'docs/observability/README.md',
  ]
  const folders = ['docs/en', 'docs/pt', 'docs/decisions'].flatMap((folder) =>
    readdirSync(join(root, folder)).map((name) => `${folder}/${name}`),
  )
  const wrong = [...pages, ...folders].flatMap((page) => {
    const text = readFileSync(join(root, page), 'utf8')
    const files = [...text.matchAll(/`((?:engine|gateway|persistence|bench|test|docs)\/[\w./-]+)`/g)].map(
      ([, name]) => name!,
    )
    const absent = files.filter((name) => !exists(name)).map((name) => `${page}: ${name}`)
    const runs = [...text.matchAll(/npm run ([\w:-]+)/g)].map(([, name]) => name!)
    return [
      ...absent,
      ...runs.filter((name) => !scripts.includes(name)).map((name) => `${page}: npm run ${name}`),
    ]
  })
  t.strictSame(wrong, [])
})

const exists = (name: string): boolean => {
  try {
    readdirSync(join(root, name))
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOTDIR'
  }
}
