import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import t from 'tap'

/**
 * Adds one of everything that the service will have more of to a copy of the program, and compiles it: what is added is a folder or
 * a file of its own and a few lines elsewhere, and a line that is left out does not compile.
 */
const root = resolve(import.meta.dirname, '../../..')

type Addition = {
  readonly name: string
  /** Its own folder or file, which is new or belongs to it. */
  readonly own: Readonly<Record<string, string>>
  /** What it changes elsewhere: a text of a file, and the same with the addition. */
  readonly lines: readonly (readonly [file: string, before: string, after: string])[]
  readonly filesMax: number
  /** Whether the compiler asks for each of those files. It cannot for what nothing else is held against. */
  readonly isHeld: boolean
}

const additions: readonly Addition[] = [
  {
    name: 'a payment method',
    own: {
      'engine/payments/methods/voucher/method.ts': `
import { percentage } from '../../../ledger/fees.ts'
import type { PaymentMethod } from '../method.ts'

declare module '../../../shared/method.ts' {
  interface Methods {
    readonly VOUCHER: {
      readonly means: { readonly voucher: { readonly number: string } }
      readonly terms: never
      readonly commands: never
      readonly facts: never
    }
  }
}

export const voucher: PaymentMethod<'VOUCHER'> = {
  rail: 'CRYPTO',
  familyOf: () => null,
  feeTerms: () => percentage(0),
  create: null,
  deciders: {},
  evolvers: {},
  publishes: {},
  dueWork: () => [],
  keys: ({ voucher }) => [voucher.number, null],
  reference: ({ voucher }) => voucher.number,
  refunds: null,
  seed: () => ({ voucher: { number: '1' } }),
}
`,
    },
    lines: [
      [
        'engine/payments/methods/index.ts',
        'import type { PaymentMethod } from',
        "import { voucher } from './voucher/method.ts'\nimport type { PaymentMethod } from",
      ],
      ['engine/payments/methods/index.ts', '  CRYPTO: crypto,\n', '  CRYPTO: crypto,\n  VOUCHER: voucher,\n'],
    ],
    filesMax: 1,
    isHeld: true,
  },
  {
    name: 'a provider',
    own: {
      'gateway/providers/test-bank/adapter.ts': `
import type { Provider } from '../provider.ts'

export const testBank: Provider = {
  name: 'test-bank',
  label: 'Test bank',
  rails: ['BOLETO'],
  request: async () => ({ type: 'SILENT' }),
}
`,
    },
    lines: [
      ['gateway/providers/index.ts', 'PRODUCTION: byRail()', 'PRODUCTION: byRail(testBank)'],
      [
        'gateway/providers/index.ts',
        "import { sandboxPsp } from './sandbox-psp/adapter.ts'",
        "import { sandboxPsp } from './sandbox-psp/adapter.ts'\nimport { testBank } from './test-bank/adapter.ts'",
      ],
    ],
    filesMax: 1,
    isHeld: false,
  },
  {
    name: 'an endpoint',
    own: {
      'gateway/routes/payments/pix/read-limits.ts': `
import { unavailable } from '../../../problems/problem.ts'
import { queryRoute } from '../../../api/route.ts'
import { pixKey, pixKeyView } from '../../../resources/payments/pix-key.ts'

export const getPixLimits = queryRoute({
  verb: 'GET',
  path: '/v1/pix/limits',
  operationId: 'getPixLimits',
  summary: 'Get the limits of PIX',
  description: 'Gets the limits.',
  tag: 'PIX',
  permission: 'charges.read',
  product: 'PIX',
  answer: pixKey,
  query: (_, { accountId }) => ({ type: 'FindAccount', accountId }) as const,
  view: (found) => (found === null ? unavailable : { body: pixKeyView(found.account.pixKey) }),
})
`,
    },
    lines: [
      ['gateway/routes/index.ts', '  listPixKeys,\n  create', '  listPixKeys,\n  getPixLimits,\n  create'],
      [
        'gateway/routes/index.ts',
        'import { getPixOverview }',
        "import { getPixLimits } from './payments/pix/read-limits.ts'\nimport { getPixOverview }",
      ],
    ],
    filesMax: 1,
    isHeld: false,
  },
  {
    name: 'a field of a charge',
    own: {},
    lines: [
      [
        'engine/payments/transaction/details.ts',
        '  readonly reference: string | null\n',
        '  readonly reference: string | null\n  readonly campaign: string | null\n',
      ],
      [
        'engine/payments/transaction/details.ts',
        '  reference: null,\n',
        '  reference: null,\n  campaign: null,\n',
      ],
      [
        'persistence/codec/facts/payments/transaction.ts',
        '  reference: nullable(text()),\n',
        '  reference: nullable(text()),\n  campaign: since(5, nullable(text<string>()), null),\n',
      ],
      [
        'gateway/resources/payments/charge-details.ts',
        "  reference: described(text, 'As it was sent.'),\n",
        "  reference: described(text, 'As it was sent.'),\n  campaign: described(text, 'As it was sent.'),\n",
      ],
      [
        'gateway/resources/payments/charge-details.ts',
        '  metadata: Type.Optional(metadata),\n',
        "  metadata: Type.Optional(metadata),\n  campaign: Type.Optional(bounded(limits.referenceCharsMax, 'Its campaign.')),\n",
      ],
      [
        'gateway/resources/payments/charge-details.ts',
        'readDetails = ({\n',
        'readDetails = ({\n  campaign,\n',
      ],
      [
        'gateway/resources/payments/charge-details.ts',
        '  reference: reference?.trim() ?? null,\n',
        '  reference: reference?.trim() ?? null,\n  campaign: campaign?.trim() ?? null,\n',
      ],
    ],
    filesMax: 3,
    isHeld: true,
  },
  {
    name: 'a fact',
    own: {},
    lines: [
      ['engine/payments/methods/card/events.ts', '  | VoidRefused\n', '  | VoidRefused\n  | CardVerified\n'],
      [
        'engine/payments/methods/card/events.ts',
        'export type CardVoided =',
        "export type CardVerified = Fact<'CardVerified'> & { readonly callId: string }\n\nexport type CardVoided =",
      ],
      [
        'engine/payments/methods/card/evolve.ts',
        '  VoidRefused: refused,\n',
        '  VoidRefused: refused,\n  CardVerified: (transaction, event) => nextVersion(transaction, event, {}),\n',
      ],
      [
        'engine/payments/methods/card/publishes.ts',
        '  VoidRefused: null,\n',
        '  VoidRefused: null,\n  CardVerified: null,\n',
      ],
      [
        'persistence/codec/facts/payments/transaction.ts',
        '  TransactionSeeded: [35,',
        '  CardVerified: [36, answered],\n  TransactionSeeded: [35,',
      ],
    ],
    // Its actor's folder is its own.
    filesMax: 1,
    isHeld: true,
  },
  {
    name: 'a setting',
    own: {},
    lines: [
      [
        'gateway/base/settings.ts',
        '  readonly demo: boolean\n',
        '  readonly demo: boolean\n  readonly motto: string\n',
      ],
      [
        'gateway/base/settings.ts',
        '  PIX_ISPB: entry(',
        "  MOTTO: entry('', 'What the page says.', (text) => text),\n  PIX_ISPB: entry(",
      ],
      [
        'gateway/base/settings.ts',
        "    demo: read('DEMO') === 'true',\n",
        "    demo: read('DEMO') === 'true',\n    motto: read('MOTTO'),\n",
      ],
    ],
    filesMax: 2,
    isHeld: false,
  },
]

/** A folder that belongs to a fact: that of its actor. */
const ownFolders = ['engine/payments/methods/card/']

const touched = ({ lines }: Addition): string[] => [...new Set(lines.map(([file]) => file))]

const copy = mkdtempSync(join(tmpdir(), 'payments-growth-'))
t.teardown(() => rmSync(copy, { recursive: true, force: true }))
for (const name of ['engine', 'persistence', 'gateway', 'package.json', 'tsconfig.json'])
  cpSync(join(root, name), join(copy, name), { recursive: true })
symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))

/** Writes the additions into the copy of the program, but for the lines of files that are left out. */
const add = (leftOut: (addition: Addition, file: string) => boolean = () => false): void => {
  const texts = new Map<string, string>()
  for (const addition of additions) {
    for (const [file, text] of Object.entries(addition.own)) texts.set(file, text.trimStart())
    for (const [file, before, after] of addition.lines) {
      const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
      if (!text.includes(before))
        throw new Error(`${addition.name}: ${file} has no ${JSON.stringify(before)}`)
      texts.set(file, leftOut(addition, file) ? text : text.replace(before, () => after))
    }
  }
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
}

/** What the compiler says of the copy: of all of it, or of some files and what they import. */
const errorsOf = (files?: readonly string[]): string[] => {
  const compilerOptions = { composite: false, incremental: false, tsBuildInfoFile: null, noEmit: true }
  const project = { extends: './tsconfig.json', compilerOptions, ...(files && { files, include: [] }) }
  writeFileSync(join(copy, 'growth.json'), JSON.stringify(project))
  // Several checkers would each work out the types that most files share.
  const options = ['-p', 'growth.json', '--checkers', '1']
  try {
    execFileSync(process.execPath, ['node_modules/typescript-native/bin/tsc', ...options], { cwd: copy })
    return []
  } catch (error) {
    return String((error as { stdout?: Buffer }).stdout)
      .split('\n')
      .filter((line) => line.includes('error TS'))
  }
}

t.test('one more of each kind is a folder and a few lines, and compiles', async (t) => {
  for (const addition of additions) {
    const outside = touched(addition).filter((file) => !ownFolders.some((folder) => file.startsWith(folder)))
    t.ok(outside.length <= addition.filesMax, `${addition.name}: ${outside.join(', ')}`)
  }
  add()
  t.strictSame(errorsOf(), [])
})

t.test('a line that is left out does not compile', async (t) => {
  const held = additions.filter(({ isHeld }) => isHeld)
  // The compiler asks for a line in other files of the addition, or in what they import: a seventh of the program.
  const files = [
    // What the kernel knows of every actor.
    'engine/engine.ts',
    ...held.flatMap((addition) => [...Object.keys(addition.own), ...touched(addition)]),
  ]
  add()
  t.strictSame(errorsOf(files), [], 'those files compile by themselves')
  const most = Math.max(...held.map((addition) => touched(addition).length))
  for (let n = 0; n < most; n++) {
    // Left out of each addition is its nth file: what one lacks is no matter of the others.
    add((addition, file) => held.includes(addition) && touched(addition)[n] === file)
    const errors = errorsOf(files)
    for (const addition of held) {
      const file = touched(addition)[n]
      if (file !== undefined) t.ok(errors.some(isAbout(addition)), `${addition.name} without ${file}`)
    }
  }
})

/** The compiler names what lacks something by a word of the addition. */
const isAbout =
  ({ name }: Addition) =>
  (error: string): boolean =>
    words[name]!.some((word) => error.includes(word))

const words: Readonly<Record<string, readonly string[]>> = {
  'a payment method': ['VOUCHER', 'voucher'],
  'a field of a charge': ['campaign'],
  'a fact': ['CardVerified'],
}
