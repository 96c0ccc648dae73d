import { execFileSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import t from 'tap'
import { codecVersion } from '../../persistence/codec/layout.ts'
import { letIn, openPath, openTab, siteOf, startBrowser } from '../dashboard/browser.ts'
import { prepareDirectory } from '../e2e/prepared.ts'
import { newCompany, oneWorker, type Service, startService } from '../e2e/service.ts'
import { signInDirectly } from '../e2e/sign-in-directly.ts'

/**
 * Adds one of everything that the service will have more of to a copy of the program, compiles it and runs it: what is added is a folder or
 * a file of its own and a few lines elsewhere, a line that is left out does not compile, and what was added works.
 */
const root = resolve(import.meta.dirname, '../../..')

type Addition = {
  readonly name: string
  /** Its own folder or file, which is new or belongs to it. */
  readonly own: Readonly<Record<string, string>>
  /** What it changes elsewhere: a text of a file, and the same with the addition. An import goes to the top of its file. */
  readonly lines: readonly (readonly [file: string, before: string | typeof top, after: string])[]
  readonly filesMax: number
  /** Whether the compiler asks for each of those files. It cannot for what nothing else is held against. */
  readonly isHeld: boolean
}

const top = Symbol('the top of the file')

const additions: readonly Addition[] = [
  {
    name: 'a payment method',
    own: {
      'engine/payments/methods/voucher/method.ts': `
import { accept } from '../../../kernel/decision.ts'
import { percentage } from '../../../ledger/fees.ts'
import type { Cents } from '../../../shared/money.ts'
import { bookAtOnce } from '../../transaction/booking.ts'
import { chargeCreated } from '../../transaction/charge-context.ts'
import { type Collection, collectedAtOnce } from '../../transaction/collected.ts'
import type { Fact, TransactionFact } from '../../transaction/facts.ts'
import { nextVersion } from '../../transaction/evolvers.ts'
import { approved } from '../../transaction/publish-payment.ts'
import type { PaymentMethod } from '../method.ts'

export type VoucherPaid = Fact<'VoucherPaid'> & Collection & { readonly paidCents: Cents }

declare module '../../../shared/method.ts' {
  interface Methods {
    readonly VOUCHER: {
      readonly means: { readonly voucher: { readonly code: string } }
      readonly terms: { readonly method: 'VOUCHER'; readonly code: string }
      readonly commands: never
      readonly facts: VoucherPaid
      readonly rail: 'VOUCHER'
      readonly family: 'VOUCHER'
    }
  }
}

export const voucher: PaymentMethod<'VOUCHER'> = {
  rail: 'VOUCHER',
  names: { en: 'Voucher', pt: 'Vale' },
  stepNames: { VoucherPaid: { en: 'Paid', pt: 'Pago' } },
  familyOf: () => 'VOUCHER',
  feeTerms: () => percentage(100),
  create: (command, { code }, turn) => {
    const created = chargeCreated(command, turn, { voucher: { code } }, percentage(100))
    const paidCents = command.amountCents
    const collected = collectedAtOnce(created.charge, paidCents, turn)
    return accept<TransactionFact>(created, { type: 'VoucherPaid', paidCents, ...turn.fact, ...collected })
  },
  deciders: {},
  evolvers: {
    VoucherPaid: (transaction, event) => {
      const { paidCents, feeCents, receivables, atMs: approvedAtMs } = event
      return nextVersion(transaction, event, {
        status: 'APPROVED',
        paidCents,
        feeCents,
        receivables,
        approvedAtMs,
      })
    },
  },
  publishes: { VoucherPaid: approved },
  bookings: { VoucherPaid: bookAtOnce },
  dueWork: () => [],
  keys: ({ voucher }) => [voucher.code, null],
  reference: ({ voucher }) => voucher.code,
  refunds: null,
  seed: () => ({ voucher: { code: 'seeded' } }),
}
`,
      'persistence/codec/facts/payments/methods/voucher.ts': `
import { number, record, text } from '../../../layout.ts'
import { factHead, receivablesLayout } from '../parts.ts'
import type { MethodLayouts } from './method-layouts.ts'

export const voucherLayouts = {
  means: {
    tag: 100,
    isOf: (means) => 'voucher' in means,
    layout: record({ voucher: record({ code: text<string>() }) }),
  },
  facts: {
    VoucherPaid: [
      100,
      { ...factHead, paidCents: number(), feeCents: number(), receivables: receivablesLayout },
    ],
  },
} satisfies MethodLayouts<'VOUCHER'>
`,
    },
    lines: [
      [
        'engine/payments/methods/index.ts',
        top,
        "import './voucher/method.ts'\nimport { voucher } from './voucher/method.ts'\n",
      ],
      ['engine/payments/methods/index.ts', '  CRYPTO: crypto,\n', '  CRYPTO: crypto,\n  VOUCHER: voucher,\n'],
      [
        'persistence/codec/facts/payments/methods/index.ts',
        top,
        "import { voucherLayouts } from './voucher.ts'\n",
      ],
      [
        'persistence/codec/facts/payments/methods/index.ts',
        '  CRYPTO: cryptoLayouts,\n',
        '  CRYPTO: cryptoLayouts,\n  VOUCHER: voucherLayouts,\n',
      ],
    ],
    filesMax: 2,
    isHeld: true,
  },
  {
    name: 'a product',
    own: {},
    lines: [['engine/shared/product.ts', "'CHECKOUT']", "'CHECKOUT', 'LOYALTY']"]],
    filesMax: 1,
    isHeld: false,
  },
  {
    name: 'a provider',
    own: {
      'gateway/providers/test-bank/adapter.ts': `
import type { ProviderModule } from '../port.ts'
import { doneAs, opened, sandboxBase } from '../sandbox/answers.ts'

export const testBank: ProviderModule = {
  name: 'test-bank',
  label: 'Test bank',
  rails: ['VOUCHER'],
  ...sandboxBase,
  repeat: { REFUND: 'SAFE' },
  capabilities: {},
  open: opened((ask) => doneAs(ask)),
}
`,
    },
    lines: [
      ['gateway/providers/index.ts', top, "import { testBank } from './test-bank/adapter.ts'\n"],
      ['gateway/providers/index.ts', "connectedForAll('SANDBOX', ", "connectedForAll('SANDBOX', testBank, "],
    ],
    filesMax: 1,
    isHeld: false,
  },
  {
    name: 'an endpoint',
    own: {
      'gateway/routes/payments/vouchers.ts': `
import Type from 'typebox'
import { commandRoute } from '../../api/route.ts'
import { bounds } from '../../base/bounds.ts'
import { referenceInput } from '../../resources/payments/charge-details.ts'
import { transaction } from '../../resources/payments/transaction.ts'
import { amount, textUpTo } from '../../schema/schema.ts'
import { chargeFields, createChargeCommand, eitherCustomer, readCharge, transactionResponse } from '../charge-input.ts'

export const createVoucherRoute = commandRoute({
  verb: 'POST',
  path: '/v1/vouchers',
  operationId: 'createVoucher',
  summary: 'Take a voucher',
  description: 'Takes a voucher as payment.',
  tag: 'Transactions',
  permission: 'charges.create',
  product: 'VOUCHER',
  idempotent: true,
  isAudited: false,
  status: 201,
  body: Type.Object({
    amount: amount(bounds.amountCentsMax, 'What it pays.'),
    code: textUpTo(50, 'What is printed on it.'),
    ...chargeFields,
    reference: referenceInput,
  }),
  rules: eitherCustomer,
  answer: transaction.schema,
  read: (body) => readCharge(body, { method: 'VOUCHER', code: body.code }),
  command: (input, request) => createChargeCommand(input, request.origin, request),
  view: (reply, _, request) => transactionResponse(transaction.view, reply, request),
})
`,
    },
    lines: [
      ['gateway/routes/payments/index.ts', top, "import { createVoucherRoute } from './vouchers.ts'\n"],
      [
        'gateway/routes/payments/index.ts',
        'chargeRoutes: readonly Route[] = [\n',
        'chargeRoutes: readonly Route[] = [\n  createVoucherRoute,\n',
      ],
    ],
    filesMax: 1,
    isHeld: false,
  },
  {
    name: 'a page',
    own: {
      'gateway/dashboard/pages/payments/vouchers.tsx': `
import { t } from '../../core/language.ts'
import { money } from '../../core/format.ts'
import { Page } from '../../parts/basics.tsx'
import { List, useList } from '../../parts/list-page.tsx'

export const vouchersTitle = (): string => t.method.VOUCHER

export const Vouchers = () => {
  const query = useList('/v1/transactions', ['status'], { method: 'VOUCHER' })
  return (
    <Page title={vouchersTitle()}>
      <List
        label={vouchersTitle()}
        query={query}
        columns={[{ id: 'amount', title: t.common.amount, cell: ({ amount }) => money(amount) }]}
        keyOf={({ id }) => id}
        empty={<p>{vouchersTitle()}</p>}
      />
    </Page>
  )
}
`,
    },
    lines: [
      ['gateway/dashboard/pages/index.ts', top, "import { vouchersTitle } from './payments/vouchers.tsx'\n"],
      [
        'gateway/dashboard/pages/index.ts',
        'export const pages = {\n',
        "export const pages = {\n  vales: {\n    title: vouchersTitle,\n    menu: { icon: 'coin', permission: 'charges.read' },\n    page: () => import('./payments/vouchers.tsx').then(({ Vouchers }) => Vouchers),\n  },\n",
      ],
    ],
    filesMax: 1,
    isHeld: false,
  },
  {
    name: 'a field of a charge, in events and exports too',
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
        `  reference: nullable(text()),\n  campaign: since(${codecVersion + 1}, nullable(text<string>()), null),\n`,
      ],
      [
        'gateway/resources/payments/charge-details.ts',
        "  reference: [described(nullableText, 'As it was sent.'), ({ details }) => details.reference],\n",
        "  reference: [described(nullableText, 'As it was sent.'), ({ details }) => details.reference],\n  campaign: [described(nullableText, 'As it was sent.'), ({ details }) => details.campaign],\n",
      ],
      [
        'gateway/resources/payments/charge-details.ts',
        '  metadata: Type.Optional(metadata),\n',
        "  metadata: Type.Optional(metadata),\n  campaign: Type.Optional(bounded(bounds.referenceCharsMax, 'Its campaign.')),\n",
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
      [
        'gateway/resources/payments/charge-details.ts',
        "'reference', 'metadata',",
        "'reference', 'metadata', 'campaign',",
      ],
      [
        'gateway/resources/payments/charge-details.ts',
        'detailsColumns = {\n',
        'detailsColumns = {\n  campaign: ({ details }: Detailed, { text }: CsvCells) => text(details.campaign),\n',
      ],
    ],
    filesMax: 3,
    isHeld: true,
  },
  {
    name: 'a fact',
    own: {},
    lines: [
      ['engine/payments/methods/card/facts.ts', '  | VoidRefused\n', '  | VoidRefused\n  | CardVerified\n'],
      [
        'engine/payments/methods/card/facts.ts',
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
        'engine/payments/methods/card/step-names.ts',
        '  VoidRefused: {',
        "  CardVerified: { en: 'Verified', pt: 'Verificado' },\n  VoidRefused: {",
      ],
      [
        'persistence/codec/facts/payments/methods/card.ts',
        '    VoidRefused: [24,',
        `    CardVerified: [36, answerHead, { since: ${codecVersion + 1} }],\n    VoidRefused: [24,`,
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
        'gateway/base/settings-table.ts',
        '  PIX_ISPB: entry(',
        "  MOTTO: entry('', 'What the page says.', 'O que a página diz.', (text) => text),\n  PIX_ISPB: entry(",
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
for (const name of ['node_modules', 'docs']) symlinkSync(join(root, name), join(copy, name))

/** Writes the additions into the copy of the program, but for the lines of files that are left out. */
const add = (leftOut: (addition: Addition, file: string) => boolean = () => false): void => {
  const texts = new Map<string, string>()
  for (const addition of additions) {
    for (const [file, text] of Object.entries(addition.own)) texts.set(file, text.trimStart())
    for (const [file, before, after] of addition.lines) {
      const text = texts.get(file) ?? readFileSync(join(root, file), 'utf8')
      if (before !== top && !text.includes(before))
        throw new Error(`${addition.name}: ${file} has no ${JSON.stringify(before)}`)
      const added = before === top ? after + text : text.replace(before, () => after)
      texts.set(file, leftOut(addition, file) ? text : added)
    }
  }
  for (const [file, text] of texts) {
    mkdirSync(dirname(join(copy, file)), { recursive: true })
    writeFileSync(join(copy, file), text)
  }
}

/** What the compiler says of some files and what they import, or of all, which it then writes. */
const errorsOf = (files?: readonly string[]): string[] => {
  if (files === undefined) return errorsOfCompiler('-b', '--checkers', '1')
  const compilerOptions = { composite: false, incremental: false, tsBuildInfoFile: null, noEmit: true }
  const project = { extends: './tsconfig.json', compilerOptions, files, include: [] }
  writeFileSync(join(copy, 'growth.json'), JSON.stringify(project))
  // Several checkers would each work out the types that most files share.
  return errorsOfCompiler('-p', 'growth.json', '--checkers', '1')
}

const errorsOfCompiler = (...options: string[]): string[] => {
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
})

t.test('a line that is left out does not compile', async (t) => {
  const held = additions.filter(({ isHeld }) => isHeld)
  // The compiler asks for a line in other files of the addition, or in what they import: a seventh of the program.
  const files = [
    // What the kernel knows of every actor.
    'engine/engine.ts',
    ...held.flatMap((addition) => [...Object.keys(addition.own), ...touched(addition)]),
  ]
  // With every line all compiles, as the next test shows. Left out is of each addition the file that declares it, and then all that the compiler asks for because of it.
  add((addition, file) => held.includes(addition) && touched(addition)[0] === file)
  const undeclared = errorsOf(files)
  for (const addition of held)
    t.ok(undeclared.some(isAbout(addition)), `${addition.name} without ${touched(addition)[0]}`)
  add((addition, file) => held.includes(addition) && touched(addition)[0] !== file)
  const incomplete = errorsOf(files)
  for (const addition of held)
    for (const file of touched(addition).slice(1)) {
      const errors = incomplete.filter((error) => error.startsWith(`${file}(`))
      t.ok(errors.some(isAbout(addition)), `${addition.name} without ${file}`)
    }
})

/** The compiler names what lacks something by a word of the addition. */
const isAbout =
  ({ name }: Addition) =>
  (error: string): boolean =>
    words[name]!.some((word) => error.includes(word))

const words: Readonly<Record<string, readonly string[]>> = {
  'a payment method': ['VOUCHER', 'voucher'],
  'a field of a charge, in events and exports too': ['campaign'],
  'a fact': ['CardVerified'],
}

const growthScopes = 'charges.create,transactions.read,transactions.export'

t.test('what was added runs', async (t) => {
  add()
  t.strictSame(errorsOf(), [])
  execFileSync(process.execPath, ['gateway/dashboard/build.js'], { cwd: copy })

  // The company is of before the additions.
  const prepared = await prepareDirectory(t)
  const { company, key } = await newCompany(prepared, { scopes: growthScopes })
  const options = { program: join(copy, 'dist/gateway/runtime/main.js'), env: oneWorker }
  const roles = { SANDBOX: 'OWNER', PRODUCTION: 'OWNER' } as const
  const { service, members } = await signInDirectly(t, prepared, [{ companyId: company.id, roles }], options)
  const callOf =
    ({ origin }: Service) =>
    async (verb: string, path: string, body?: object) => {
      const headers = { Authorization: `Bearer ${key.secret}`, 'Content-Type': 'application/json' }
      const answer = await fetch(origin + path, { method: verb, headers, body: JSON.stringify(body) })
      const text = await answer.text()
      return { status: answer.status, text, json: () => JSON.parse(text) }
    }
  const call = callOf(service)

  const { products } = await service.operate('companies get', { id: company.id })
  for (const environment of ['SANDBOX', 'PRODUCTION'])
    t.match(
      products[environment],
      { VOUCHER: 'ACTIVE', LOYALTY: 'ACTIVE' },
      'nothing of a product is unknown',
    )

  const heard: { type: string; data: Record<string, unknown> }[] = []
  const receiver = createServer((request, response) => {
    let body = ''
    request.on('data', (chunk) => {
      body += chunk
    })
    request.on('end', () => {
      heard.push(JSON.parse(body))
      response.end()
      wake()
    })
  })
  let wake = () => {}
  await new Promise<void>((resolve) => receiver.listen(0, '127.0.0.1', resolve))
  t.teardown(() => receiver.close())
  const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/`
  await service.operate('webhooks create', { company: company.id, environment: 'sandbox', url })

  const body = { amount: 5000, code: 'NATAL-7', campaign: 'Natal' }
  const created = await call('POST', '/v1/vouchers', body)
  t.equal(created.status, 201, created.text)
  const charge = created.json()
  const shown = {
    method: 'VOUCHER',
    product: 'VOUCHER',
    kind: 'VOUCHER',
    status: 'APPROVED',
    providerReference: 'NATAL-7',
    campaign: 'Natal',
    feeAmount: '50',
    crypto: null,
  }
  t.match(charge, shown)
  while (!heard.some(({ type }) => type === 'payment.approved'))
    await new Promise<void>((resolve) => {
      wake = resolve
    })
  t.match(
    heard.find(({ type }) => type === 'payment.approved'),
    { data: { method: 'VOUCHER', campaign: 'Natal' } },
  )

  await service.kill('SIGKILL')
  const again = await startService(t, { dataDir: prepared.dataDir, ...options })
  const read = callOf(again)
  t.match((await read('GET', `/v1/transactions/${charge.id}`)).json(), shown, 'read back from disk')
  t.match((await read('GET', '/v1/transactions?method=VOUCHER')).json().data, [shown])
  t.match((await read('GET', '/v1/transactions/facets')).json(), { products: [{ value: 'VOUCHER' }] })
  const balance = await fetch(`${again.origin}/v1/balance`, { headers: members[0]!.headers })
  t.match(await balance.json(), { available: '4950' })
  const [head = '', row = ''] = (await read('GET', '/v1/transactions/export')).text.split('\r\n')
  const cell = (name: string) => row.split(',')[head.split(',').indexOf(name)]
  t.strictSame(['method', 'campaign', 'amount'].map(cell), ['VOUCHER', 'Natal', '5000'])
  await again.operate('companies update', {
    id: company.id,
    environment: 'sandbox',
    products: 'VOUCHER=DISABLED',
  })
  t.equal((await read('POST', '/v1/vouchers', body)).status, 403, 'a product that is switched off is refused')

  const tab = await openTab(t, await startBrowser(t), { locale: 'pt-BR' })
  await letIn(tab.context, siteOf(again), { browser: { cookie: () => members[0]!.headers.Cookie! } })
  await openPath(tab.page, `${siteOf(again)}/painel/${company.id}/sandbox/vales`)
  await tab.page.getByRole('heading', { name: 'Vale' }).waitFor()
  await tab.page.getByRole('cell', { name: /50,00/ }).waitFor()
  t.match(await tab.page.title(), /^Vale · .+ · Sandbox$/)
  t.ok(await tab.page.getByRole('navigation').getByRole('link', { name: 'Vale' }).isVisible())
  t.strictSame(tab.troubles, [])
})
